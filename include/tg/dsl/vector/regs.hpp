// Arrays of registers.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/dsl/vector/vec.hpp>

namespace tg {

/// Registers with indices known when the kernel is recorded: `tg::regs<float, 8, 8> acc = 0.0f; acc(i, j) += …`; by numbers
/// that lanes compute with `at`. Never local memory. `acc.copy()` is another array. Errors: TG119 for an index outside, when
/// compiling for `_c` indices, else when recording; TG134 for a copy, such as a capture by [=].
template <scalar_type T, int... Extents> class regs {
 public:
  static constexpr int rank = sizeof...(Extents);
  static constexpr int count = (Extents * ... * 1);

  /// All registers start as `x`.
  template <operand_like X>
  regs(const X& x, source_location where = source_location::current())
      : regs(x, where, detail::make_integer_sequence<int, count>{}) {}

  regs(regs&&) = default;
  regs(const regs& other) : regs(other, source_location{}) { (void)sizeof(diagnosis::uncopied<sizeof(T) == 0, regs>); }
  regs& operator=(const regs&) = default;

  /// Another array, which holds what this one does.
  regs copy(source_location where = source_location::current()) const { return regs(*this, where); }

  template <class... I> var<T>& operator()(I... indices) { return registers_[position(indices...)]; }
  template <class... I> const var<T>& operator()(I... indices) const { return registers_[position(indices...)]; }

  /// The register whose number lanes compute: `acc.at(i)`, `acc.at(row, col)`. Registers have no addresses, so that one is
  /// chosen by the bits of the number. Errors: TG109 for an index that is no 32-bit integer. Cost: a select for each register
  /// but one, and a test for each bit of the number. An index outside gives one of the registers.
  template <operand_like... I> value<T> at(const I&... indices) const {
    const auto number = linear(indices...);
    fixed_array<ptx::operand, count> left;
    for (std::size_t k = 0; k < count; ++k) left[k] = registers_[k].get().operand;
    std::size_t size = count;
    for (unsigned bit = 1; size > 1; bit *= 2) {
      const value<bool> is_odd = (number & bit) != 0u;
      for (std::size_t k = 0; k < size / 2; ++k)
        left[k] = tg::select(is_odd, value<T>{left[2 * k + 1]}, value<T>{left[2 * k]}).operand;
      if (size % 2 != 0) left[size / 2] = left[size - 1];
      size = (size + 1) / 2;
    }
    return {left[0]};
  }
  /// Assigns the register whose number lanes compute: `acc.set_at(x, i)`. An index outside assigns none. Errors: TG103, TG109.
  /// Cost: a comparison and a select for each register.
  template <operand_like X, operand_like... I> void set_at(const X& x, const I&... indices) {
    using found = typename detail::assignment_check<T, X>::type;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      const auto number = linear(indices...);
      const value<T> own{detail::to_value<T>(x).operand};
      for (std::size_t k = 0; k < count; ++k)
        registers_[k] = tg::select(number == static_cast<unsigned>(k), own, registers_[k].get());
    }
  }

  // Errors: TG181.
  template <class I> var<T>& operator[](const I&) {
    (void)sizeof(diagnosis::call_brackets<sizeof(I) == 0, I>);
    return registers_[0];
  }

  /// N neighbours along the last index, as they are stored: `y.vec<4>(i) = acc.vec<4>(row, 0_c)`. Errors: TG119 past the end.
  template <int N, class... I> tg::vec<T, N> vec(I... indices) const {
    constexpr fixed_array extents{Extents...};
    const std::size_t first = position(indices...);
    const auto last = static_cast<long long>(first % extents.back()) + N - 1;
    if (last >= extents.back())
      detail::refuse_position("register", last, extents.back(), "keep the vector inside the last extent");
    fixed_array<ptx::operand, N> out;
    for (std::size_t k = 0; k < N; ++k) out[k] = registers_[first + k].get().operand;
    return detail::to_vec<T>(out);
  }

 protected:
  /// Registers without numbers.
  explicit regs(source_location where) : regs(where, detail::make_integer_sequence<int, count>{}) {}
  /// Another name of the registers of `other`.
  regs(const regs& other, detail::same_registers)
      : regs(other, detail::same_registers{}, detail::make_integer_sequence<int, count>{}) {}
  regs(const regs& other, source_location where) : regs(other, where, detail::make_integer_sequence<int, count>{}) {}

 private:
  template <int... N>
  regs(source_location where, detail::integer_sequence<int, N...>) : registers_{((void)N, var<T>(where))...} {}
  template <int... N>
  regs(const regs& other, detail::same_registers same, detail::integer_sequence<int, N...>)
      : registers_{var<T>(other.registers_[N], same)...} {}
  template <int... N>
  regs(const regs& other, source_location where, detail::integer_sequence<int, N...>)
      : registers_{other.registers_[N].copy(where)...} {}
  template <operand_like X, int... N>
  regs(const X& x, source_location where, detail::integer_sequence<int, N...>) : registers_{((void)N, var<T>(x, where))...} {}

  template <class I> static value<unsigned> word(const I& index) {
    if constexpr (device_value<I>) {
      using own = device_type_of<I>;
      using found = diagnosis::integer_index<is_integer<own> && sizeof(own) == 4, own>;
      if constexpr (diagnosis::is_ok<sizeof(found), found>) return {index.get().operand};
      else return {ptx::operand{}};
    } else {
      return {detail::to_value<unsigned>(index).operand};
    }
  }
  template <class... I> static value<unsigned> linear(const I&... indices) {
    using found = diagnosis::rank<sizeof...(I) == rank, diagnosis::types<regs, diagnosis::given_count<sizeof...(I)>>>;
    value<unsigned> number{ptx::operand::integer(0)};
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      bool is_first = true;
      const auto add = [&](const auto& index, unsigned extent) {
        const std::remove_cvref_t<decltype(index)> before{number.operand};
        number.operand = is_first ? index.operand : (before * extent + index).operand;
        is_first = false;
      };
      (add(word(indices), static_cast<unsigned>(Extents)), ...);
    }
    return number;
  }

  template <class I, int Extent>
  static constexpr bool inside = [] {
    if constexpr (is_constant<I>) return I::value >= 0 && I::value < Extent;
    else return std::is_integral_v<I>;
  }();

  template <bool IsRank, class... I> struct index_check {
    using type = diagnosis::rank<false, diagnosis::types<regs, diagnosis::given_count<sizeof...(I)>>>;
  };
  template <class... I> struct index_check<true, I...> {
    using type = diagnosis::register_index<(inside<I, Extents> && ...), diagnosis::types<regs, I...>>;
  };

  template <class... I> static std::size_t position(I... indices) {
    std::size_t at = 0;
    using found = typename index_check<sizeof...(I) == rank, I...>::type;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) (step<Extents>(at, static_cast<long long>(indices)), ...);
    return at;
  }

  template <int Extent> static void step(std::size_t& at, long long index) {
    if (index < 0 || index >= Extent)
      detail::refuse_position("register", index, Extent, "keep the index inside the extents of tg::regs");
    at = at * Extent + static_cast<std::size_t>(index);
  }

  fixed_array<var<T>, count> registers_;
};

}  // namespace tg
