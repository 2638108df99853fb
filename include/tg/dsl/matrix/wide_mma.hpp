// mma.sync for products that are larger than one instruction: a multiple of its shape in each direction.
#pragma once

#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/matrix/mma.hpp>

namespace tg {

namespace detail {

/// Rows and depth of the instructions that a product is made of.
struct mma_block {
  int rows = 0;  // 0: there are none
  int depth = 0;
};
/// The one with the most rows and then the longest lines that divide those of the product.
template <int M, int K, class A>
inline constexpr mma_block mma_block_of = [] {
  mma_block out;
  const auto consider = [&]<int Rows, int Depth> {
    if (out.rows == 0 && M % Rows == 0 && K % Depth == 0 && is_mma_shape<Rows, 8, Depth, A>) out = {Rows, Depth};
  };
  const auto consider_each = [&]<int... Depth>(detail::integer_sequence<int, Depth...>) {
    (consider.template operator()<16, Depth>(), ...);
    (consider.template operator()<8, Depth>(), ...);
  };
  consider_each(detail::integer_sequence<int, 64, 32, 16, 8, 4>{});
  return out;
}();

template <class A, class B, class C>
inline constexpr bool is_wide_product =
    A::side == mma_side::a && B::side == mma_side::b && A::depth == B::depth && C::m == A::lines && C::n == B::lines &&
    are_mma_types<typename A::element_type, typename B::element_type, typename C::sum_type> && !is_product<A, B, C> &&
    mma_block_of<C::m, A::depth, typename A::element_type>.rows != 0;

// Where register `r` of a part is in the whole. Registers go down the lines first, so that a part with `own` of the `all`
// lines of eight has `own` cells of `per` registers, then skips the others; it begins at line `line` and step `step`.
struct fragment_part {
  int all, own, per, line, step;

  constexpr std::size_t operator()(int r) const {
    const int column = own * per;
    return static_cast<std::size_t>(((step + r / column) * all + line) * per + r % column);
  }
};

template <class Part, class Whole> Part part_of(const Whole& whole, int line, int step) {
  const fragment_part at{Whole::lines / 8, Part::lines / 8, 1, line, step};
  auto out = Part::unfilled();
  for (int r = 0; r < Part::registers; ++r) out.parts.parts[static_cast<std::size_t>(r)] = whole.parts.parts[at(r)];
  return out;
}

/// The sums of one instruction among those of a product.
template <class Whole, int M> struct sums_part {
  using sum_type = typename Whole::sum_type;
  static constexpr int m = M;
  static constexpr int n = 8;
  static constexpr int registers = M / 8 * 2 / Whole::packed;

  Whole& whole;
  int line, column;

  auto& operator()(int r) const {
    return whole(static_cast<int>(fragment_part{Whole::m / 8, M / 8, 2 / Whole::packed, line, column}(r)));
  }
};

}  // namespace detail

/// `sums` += `a` x `b` where the product is larger than what one instruction multiplies: 16 x 16 x 16 of bf16, 32 x 64 x 32.
/// The instructions have the most rows, then the longest lines that divide the product's; those of one step of the depth
/// come together. Requires: called by all lanes of full warps. Errors: TG117, TG141.
/// PTX: mma.sync.aligned, M / 16 * N / 8 * K / k of them.
template <mma_side SideA, int LinesA, int DepthA, class TA, mma_side SideB, int LinesB, int DepthB, class TB, int M, int N,
          class T>
requires detail::is_wide_product<fragment<SideA, LinesA, DepthA, TA>, fragment<SideB, LinesB, DepthB, TB>, accumulator<M, N, T>>
void mma(accumulator<M, N, T>& sums, const fragment<SideA, LinesA, DepthA, TA>& a, const fragment<SideB, LinesB, DepthB, TB>& b,
         source_location where = source_location::current()) {
  constexpr detail::mma_block by = detail::mma_block_of<M, DepthA, TA>;
  using part_of_a = a_fragment<by.rows, by.depth, TA>;
  using part_of_b = b_fragment<by.depth, 8, TB>;
  using part_of_sums = detail::sums_part<accumulator<M, N, T>, by.rows>;
  constexpr int rows = by.rows / 8, steps = by.depth / (4 * part_of_a::packed);
  for (int k = 0; k < DepthA / by.depth; ++k)
    for (int m = 0; m < M / by.rows; ++m) {
      const auto left = detail::part_of<part_of_a>(a, m * rows, k * steps);
      for (int n = 0; n < N / 8; ++n) {
        part_of_sums own{sums, m * rows, n};
        detail::multiply(own, left, detail::part_of<part_of_b>(b, n, k * steps), ptx::token::none, ptx::token::none, where);
      }
    }
}

}  // namespace tg
