// Structs of registers that change.
#pragma once

#include <tg/dsl/structs/struct_value.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/dsl/verdict/missing_types.hpp>

namespace tg {

namespace diagnosis {

template <bool Ok, class Facts = void> struct flat_struct {
  static_assert(Ok, "TG198: a tg::struct_var has numbers as fields; keep nested structs and arrays in variables of their own");
};

}  // namespace diagnosis

namespace detail {

template <class T> struct var_tuple;
template <class... T> struct var_tuple<type_list<T...>> {
  using type = std::conditional_t<has_flat_fields<type_list<T...>>,
                                  std::tuple<var<std::conditional_t<scalar_type<T>, T, unsigned>>...>, std::tuple<>>;
};

}  // namespace detail

/// A T in registers that can be assigned, whole or by field: `tg::struct_var<particle> s = p(i); s(&particle::x) += 1.0f;
/// p(i) = s;`. Reading it reads it there and then. A class template of numbers needs none: `complex<tg::var<float>>`.
/// Errors: TG134 for a copy, such as a capture by [=], TG196, TG198.
template <detail::element_struct T> class struct_var<T> {
  using fields = detail::fields_of<T>;
  using registers = typename detail::var_tuple<fields>::type;
  static constexpr bool is_flat = detail::has_flat_fields<fields>;
  static_assert(sizeof(diagnosis::flat_struct<is_flat, diagnosis::types<T>>) != 0);

 public:
  struct_var(const device_struct<T>& s) : registers_(detail::take_apart<T>(s, [](const auto&... x) { return make(x...); })) {}
  struct_var(const struct_var& other) : struct_var(other.get()) {
    (void)sizeof(diagnosis::uncopied<sizeof(T) == 0, struct_var>);
  }

  struct_var& operator=(const device_struct<T>& s) {
    if constexpr (is_flat)
      detail::take_apart<T>(s, [&](const auto&... x) { std::apply([&](auto&... own) { ((own = x), ...); }, registers_); });
    return *this;
  }
  struct_var& operator=(const struct_var& other) { return *this = other.get(); }

  /// The variable that a field is.
  template <class Field, class Struct> var<Field>& operator()(Field Struct::* field) {
    (void)sizeof(diagnosis::field_of_struct<std::is_same_v<Struct, T>, diagnosis::types<T, Struct>>);
    var<Field>* found = nullptr;
    std::size_t k = 0;
    const int offset = detail::offset_of(field);
    const auto look = [&](auto& own) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(own)>, var<Field>>)
        if (detail::field_offsets<T>[k] == offset) found = &own;
      ++k;
    };
    std::apply([&](auto&... own) { (look(own), ...); }, registers_);
    return *found;
  }

  /// What the variables hold now.
  device_struct<T> get() const {
    if constexpr (is_flat) return std::apply([](const auto&... own) { return tg::make_struct<T>(own.get()...); }, registers_);
  }
  operator device_struct<T>() const { return get(); }

 private:
  template <class... X> static registers make(const X&... x) {
    if constexpr (is_flat) return registers(x...);
    else return {};
  }

  registers registers_;
};

}  // namespace tg
