// Arrays of registers.
#pragma once

#include <array>
#include <utility>

#include <tg/dsl/var.hpp>
#include <tg/dsl/vec.hpp>

namespace tg {

/// Registers with indices known when the kernel is recorded: `tg::regs<float, 8, 8> acc = 0.0f; acc(i, j) += …`.
/// Never local memory. `acc.copy()` is another array. Errors: TG119 for an index outside, when compiling for `_c` indices,
/// else when recording; TG134 for a copy, such as a capture by [=].
template <scalar_type T, int... Extents>
class regs {
 public:
  static constexpr int rank = sizeof...(Extents);
  static constexpr int count = (Extents * ... * 1);

  /// All registers start as `x`.
  template <operand_like X>
  regs(const X& x, source_location where = source_location::current())
      : regs(x, where, std::make_integer_sequence<int, count>{}) {}

  regs(regs&&) = default;
  regs(const regs& other) : regs(other, source_location{}) { (void)sizeof(diagnosis::uncopied<sizeof(T) == 0, regs>); }
  regs& operator=(const regs&) = default;

  /// Another array, which holds what this one does.
  regs copy(source_location where = source_location::current()) const { return regs(*this, where); }

  template <class... I>
  var<T>& operator()(I... indices) { return registers_[position(indices...)]; }
  template <class... I>
  const var<T>& operator()(I... indices) const { return registers_[position(indices...)]; }

  // Errors: TG181.
  template <class I>
  var<T>& operator[](const I&) {
    (void)sizeof(diagnosis::call_brackets<sizeof(I) == 0, I>);
    return registers_[0];
  }

  /// N neighbours along the last index, as they are stored: `y.vec<4>(i) = acc.vec<4>(row, 0_c)`. Errors: TG119 past the end.
  template <int N, class... I>
  tg::vec<T, N> vec(I... indices) const {
    constexpr std::array extents{Extents...};
    const std::size_t first = position(indices...);
    const auto last = static_cast<long long>(first % extents.back()) + N - 1;
    if (last >= extents.back()) detail::refuse_position("register", last, extents.back(), "keep the vector inside the last extent");
    std::array<ptx::operand, N> out;
    for (std::size_t k = 0; k < N; ++k) out[k] = registers_[first + k].get().operand;
    return detail::to_vec<T>(out);
  }

 protected:
  regs(const regs& other, source_location where) : regs(other, where, std::make_integer_sequence<int, count>{}) {}

 private:
  template <int... N>
  regs(const regs& other, source_location where, std::integer_sequence<int, N...>)
      : registers_{other.registers_[N].copy(where)...} {}
  template <operand_like X, int... N>
  regs(const X& x, source_location where, std::integer_sequence<int, N...>)
      : registers_{((void)N, var<T>(x, where))...} {}

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

  template <class... I>
  static std::size_t position(I... indices) {
    std::size_t at = 0;
    using found = typename index_check<sizeof...(I) == rank, I...>::type;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) (step<Extents>(at, static_cast<long long>(indices)), ...);
    return at;
  }

  template <int Extent>
  static void step(std::size_t& at, long long index) {
    if (index < 0 || index >= Extent)
      detail::refuse_position("register", index, Extent, "keep the index inside the extents of tg::regs");
    at = at * Extent + static_cast<std::size_t>(index);
  }

  std::array<var<T>, count> registers_;
};

}  // namespace tg
