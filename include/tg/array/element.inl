// Instructions for elements whose type is a number.
#pragma once

#include <tg/array/element.hpp>

#include <tg/base/config.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/math/math.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void load_elements(element_code code, const place& from, int width, ptx::operand* out) {
  with_element_type(code, [&]<class T>(std::type_identity<T>) {
    if (width == 1) {
      *out = load_number<T>(from);
      return;
    }
    with_width(width, [&](auto n) {
      constexpr int count = n.value;
      if constexpr (count * sizeof(T) <= analysis::widest_access_bytes) {
        const vec<T, count> all(load<vec<T, count>::part_count>(from, vector_register<T, count>, vector_memory<T, count>));
        for (int k = 0; k < count; ++k) out[k] = all(k).operand;
      }
    });
  });
}

TG_LIBRARY_FUNCTION void store_elements(element_code code, const place& to, int width, const ptx::operand* elements) {
  with_element_type(code, [&]<class T>(std::type_identity<T>) {
    if (width == 1) return store_number<T>(to, *elements);
    with_width(width, [&](auto n) {
      constexpr std::size_t count = n.value;
      if constexpr (count * sizeof(T) <= analysis::widest_access_bytes) {
        fixed_array<ptx::operand, count> all;
        for (std::size_t k = 0; k < count; ++k) all[k] = elements[k];
        store(to, to_vec<T>(all).parts, vector_memory<T, int(count)>);
      }
    });
  });
}

TG_LIBRARY_FUNCTION ptx::operand to_bits(element_code code, const ptx::operand& element) {
  return with_element_type(code, [&]<class T>(std::type_identity<T>) -> ptx::operand {
    auto& t = tracer::current();
    if constexpr (std::is_same_v<T, bool>) return to_memory<bool>(t, element);
    else if constexpr (is_half<T>) return tg::bit_cast<std::uint16_t>(value<T>{element}).operand;
    else if constexpr (is_float<T>) return t.copy(bits_type<T>, bits_type<T>, element);
    else return element;
  });
}

TG_LIBRARY_FUNCTION ptx::operand from_bits(element_code code, const ptx::operand& bits) {
  return with_element_type(code, [&]<class T>(std::type_identity<T>) -> ptx::operand {
    auto& t = tracer::current();
    if constexpr (std::is_same_v<T, bool>) return t.is_not_zero(bits);
    else if constexpr (is_half<T>) return tg::bit_cast<T>(value<std::uint16_t>{bits}).operand;
    else if constexpr (is_float<T>) return t.copy(register_type<T>, bits_type<T>, bits);
    else return bits;
  });
}

TG_LIBRARY_FUNCTION ptx::operand new_variable(element_code code, const ptx::operand& first) {
  return with_element_type(code, [&]<class T>(std::type_identity<T>) {
    auto& t = tracer::current();
    const ptx::operand out = t.new_register(register_type<T>);
    t.assign(move_type<T>, out, first);
    return out;
  });
}

TG_LIBRARY_FUNCTION void set_variable(element_code code, const ptx::operand& variable, const ptx::operand& element) {
  with_element_type(code, [&]<class T>(std::type_identity<T>) { tracer::current().assign(move_type<T>, variable, element); });
}

TG_LIBRARY_FUNCTION ptx::operand read_variable(element_code code, const ptx::operand& variable) {
  return with_element_type(
      code, [&]<class T>(std::type_identity<T>) { return tracer::current().copy(register_type<T>, move_type<T>, variable); });
}

TG_LIBRARY_FUNCTION ptx::operand select_element(element_code code, const ptx::operand& condition, const ptx::operand& a,
                                                const ptx::operand& b) {
  return with_element_type(code, [&]<class T>(std::type_identity<T>) {
    return tg::select(value<bool>{condition}, value<T>{a}, value<T>{b}).operand;
  });
}

TG_LIBRARY_FUNCTION ptx::operand zero_element(element_code code) {
  return with_element_type(code, []<class T>(std::type_identity<T>) {
    if constexpr (is_narrow<T>) return to_value<T>(T(0.0f)).operand;
    else return to_value<T>(T{}).operand;
  });
}

TG_LIBRARY_FUNCTION ptx::operand load_scalar(element_code code) {
  return with_element_type(code, []<class T>(std::type_identity<T>) {
    auto& t = tracer::current();
    return from_memory<T>(t, t.load_parameter(raw_register<T>, memory_type<T>));
  });
}

}  // namespace tg::detail
