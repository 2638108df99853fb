// Numbers that a kernel looks up by a computed position.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/base/fixed_string.hpp>
#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/value/cast.hpp>

namespace tg::detail {

/// `count` consecutive numbers of a table, from a computed position. Cost: loads from constant memory.
template <class T, std::size_t Count, std::size_t N>
fixed_array<value<T>, Count> look_up(const char* name, const fixed_array<T, N>& numbers, const value<unsigned>& position) {
  auto& t = tracer::current();
  const ptx::operand table = t.constant_variable(name, bits_type<T>, N, numbers.data(), sizeof numbers);
  const ptx::operand base = t.copy(ptx::token::b64, ptx::token::u64, table);
  const ptx::operand offset = t.compute(ptx::token::b64, ptx::operation::mul_wide(ptx::token::u32),
                                        {position.operand, ptx::operand::integer(sizeof(T))});
  const ptx::operand first = t.compute(ptx::token::b64, ptx::operation::add(ptx::token::u64), {base, offset});
  return [&]<std::size_t... K>(detail::index_sequence<K...>) {
    return fixed_array<value<T>, Count>{t.load(register_type<T>, {ptx::token::const_, memory_type<T>},
                                               ptx::operand::address(first, static_cast<std::int64_t>(K * sizeof(T))))...};
  }(detail::make_index_sequence<Count>{});
}

}  // namespace tg::detail

namespace tg {

/// Numbers in constant memory; what `tg::constant_table<"name">` makes.
template <fixed_string Name, class T, std::size_t N> struct constant_table_t {
  fixed_array<T, N> numbers;

  /// The number at position `i`, a 32-bit integer. Errors: TG109, TG187 for two tables of one name. Cost: one load for all
  /// lanes that read the same position, and one more for each other position.
  template <operand_like I> value<T> operator()(const I& i, source_location where = source_location::current()) const {
    detail::tracer::current(where).at(where);
    if constexpr (!device_value<I>) {
      return look_up(value<unsigned>{detail::to_value<unsigned>(i).operand});
    } else {
      using own = device_type_of<I>;
      using found = diagnosis::integer_index<is_integer<own> && sizeof(own) == 4, own>;
      if constexpr (diagnosis::is_ok<sizeof(found), found>) return look_up(value<unsigned>{i.get().operand});
      else return {ptx::operand{}};
    }
  }

 private:
  value<T> look_up(const value<unsigned>& position) const {
    return {detail::look_up<T, 1>(Name.text, numbers, position)[0].operand};
  }
};

/// A table in constant memory, which all kernels that use it have in their modules:
/// `inline constexpr auto weights = tg::constant_table<"weights">(std::array{0.25f, 0.5f, 0.25f});` and `weights(k)` in a
/// kernel. `numbers` is a std::array or a tg::fixed_array. Requires: numbers of 32 or 64 bits, at most 64 KB. Errors: TG110.
/// PTX: ld.const.
template <fixed_string Name, template <class, std::size_t> class Array, class T, std::size_t N>
constexpr auto constant_table(const Array<T, N>& numbers) {
  static_assert(N > 0 && sizeof(T) * N <= 65536, "TG188: a table has one number at least and 64 KB at most");
  (void)sizeof(diagnosis::operation < (is_integer<T> || is_float<T>) && sizeof(T) >= 4, T >);
  constant_table_t<Name, T, N> out{};
  for (std::size_t k = 0; k < N; ++k) out.numbers[k] = numbers[k];
  return out;
}

}  // namespace tg
