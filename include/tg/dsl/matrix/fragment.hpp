// Fragments: the operands and sums of matrix products, spread over the registers of a warp.
#pragma once

#include <tg/dsl/matrix/mma_element.hpp>
#include <tg/dsl/vector/regs.hpp>
#include <tg/dsl/vector/vec.hpp>
#include <tg/dsl/verdict/missing_types.hpp>
#include <tg/layout/fragment_layout.hpp>

namespace tg {

/// Row and column of an element of a matrix.
struct matrix_place {
  int row = 0;
  int column = 0;

  friend constexpr bool operator==(const matrix_place&, const matrix_place&) = default;
};

/// A place in a matrix of a lane that is known only while the kernel runs; what the compiler knows of the lane stays in the
/// types.
template <class Row, class Column> struct device_place {
  Row row;
  Column column;
};

namespace detail {

// How far the digits of a lane lead in one direction, from `first` on.
template <class Fragment, int LowStride, int HighStride, int First, class L> auto along(const L& lane) {
  constexpr constant<Fragment::layout.lane[0].extent> low{};
  constexpr constant<Fragment::layout.lane[1].extent> high{};
  static_assert(LowStride == 0 || HighStride == 0, "a digit of the lane leads in one direction");
  if constexpr (HighStride == 0) return lane % low * constant<LowStride>{} + constant<First>{};
  else return lane / low % high * constant<HighStride>{} + constant<First>{};
}

template <class Fragment, bool LinesAreRows, int Element, class L> auto place_on_device(const L& lane) {
  static_assert(Element >= 0 && Element < Fragment::elements, "place_of(lane, element) requires an element of the fragment");
  constexpr fragment_place first = Fragment::layout.at(0, Element);
  constexpr auto& digits = Fragment::layout.lane;
  const auto line = along<Fragment, digits[0].line, digits[1].line, first.line>(lane);
  const auto step = along<Fragment, digits[0].step, digits[1].step, first.step>(lane);
  if constexpr (LinesAreRows) return device_place<decltype(line), decltype(step)>{line, step};
  else return device_place<decltype(step), decltype(line)>{step, line};
}

}  // namespace detail

/// An operand in registers: `Lines` rows of A or columns of B, each of `Depth` elements of T. Registers hold neighbours
/// along the depth, packed from the low bits up.
template <mma_side Side, int Lines, int Depth, mma_operand_type T> struct fragment<Side, Lines, Depth, T> {
  using element_type = T;
  using register_type = typename mma_element<T>::register_type;
  static constexpr mma_side side = Side;
  static constexpr int lines = Lines;
  static constexpr int depth = Depth;
  static constexpr int packed = mma_element<T>::packed;
  static_assert(Lines % 8 == 0 && Depth % (4 * packed) == 0 && Lines > 0 && Depth > 0,
                "fragment<Side, Lines, Depth, T> requires 8 lines or a multiple, of whole registers for four lanes");
  static constexpr fragment_layout layout = make_fragment_layout(Lines, Depth, packed);
  static constexpr int elements = layout.elements();
  static constexpr int registers = elements / packed;

  /// Row and column of an element of a lane.
  static constexpr matrix_place place(int lane, int element) {
    const fragment_place at = layout.at(lane, element);
    return Side == mma_side::a ? matrix_place{at.line, at.step} : matrix_place{at.step, at.line};
  }
  /// Where element `Element` of a lane is in the matrix, in the kernel: `lane` is `block.warp().lane`.
  template <device_value L, long long Element> static auto place_of(const L& lane, constant<Element>) {
    return detail::place_on_device<fragment, Side == mma_side::a, static_cast<int>(Element)>(lane);
  }

  vec<register_type, registers> parts;

  /// A fragment whose registers are filled in next.
  TG_ALWAYS_INLINE static fragment unfilled() { return {detail::unfilled<vec<register_type, registers>>()}; }

  /// Register `i`. Errors: TG119.
  template <class I> value<register_type> operator()(I i) const { return parts(i); }
};

namespace detail {
template <class T> struct sum_register { using type = T; };
template <> struct sum_register<f16> { using type = unsigned; };
}  // namespace detail

/// The sums of an M x N product, in registers that can be read and assigned: `tg::accumulator<16, 8, float> c = 0.0f;
/// c(0) += bias;`. Sums of f16 are pairs in an unsigned, the left neighbour in the low half.
template <int M, int N, mma_sum_type T>
class accumulator<M, N, T> : public regs<typename detail::sum_register<T>::type, M * N / 32 / (std::same_as<T, f16> ? 2 : 1)> {
 public:
  using sum_type = T;
  using register_type = typename detail::sum_register<T>::type;
  static constexpr int m = M;
  static constexpr int n = N;
  static_assert(M % 8 == 0 && N % 8 == 0, "accumulator<M, N, T> requires multiples of 8");
  static constexpr fragment_layout layout = make_fragment_layout(M, N, 2);
  static constexpr int elements = layout.elements();
  static constexpr int packed = std::same_as<T, f16> ? 2 : 1;
  static constexpr int registers = elements / packed;

  /// All registers start as `x`.
  template <operand_like X>
  accumulator(const X& x, source_location where = source_location::current()) : regs<register_type, registers>(x, where) {}

  /// Row and column of an element of a lane.
  static constexpr matrix_place place(int lane, int element) {
    const fragment_place at = layout.at(lane, element);
    return {at.line, at.step};
  }
  /// Where element `Element` of a lane is in the matrix, in the kernel: `lane` is `block.warp().lane`.
  template <device_value L, long long Element> static auto place_of(const L& lane, constant<Element>) {
    return detail::place_on_device<accumulator, true, static_cast<int>(Element)>(lane);
  }
};

}  // namespace tg
