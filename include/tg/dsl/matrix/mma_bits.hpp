// mma.sync of single bits: each sum grows by the bits that a row and a column have in common, or in which they differ.
#pragma once

#include <tg/dsl/matrix/mma.hpp>

namespace tg {

namespace detail {

template <class A, class B, class C>
void count_bits(C& sums, const A& a, const B& b, ptx::token joining, source_location where) {
  constexpr bool are_bits = std::same_as<typename A::element_type, b1> && std::same_as<typename B::element_type, b1> &&
                            std::same_as<typename C::sum_type, int>;
  using found = product_check<fit_together<A, B, C> && are_bits, A, B, C>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) multiply(sums, a, b, ptx::token::none, joining, where);
}

}  // namespace detail

/// `sums(m, n)` += the number of bits that are one both in row m of `a` and in column n of `b`:
/// `tg::accumulator<16, 8, int> both = 0; tg::mma_and(both, a, b);` with fragments of `tg::b1`.
/// Requires: 8 x 8 sums of depth 128, 16 x 8 of depth 128 or 256; called by all lanes of full warps.
/// Errors: TG117, TG141.
/// PTX: mma.sync.aligned.mMn8kK.row.col.s32.b1.b1.s32.and.popc, sm_80; of 8 rows sm_75.
template <mma_side SideA, int LinesA, int DepthA, class TA, mma_side SideB, int LinesB, int DepthB, class TB, int M, int N,
          class T>
void mma_and(accumulator<M, N, T>& sums, const fragment<SideA, LinesA, DepthA, TA>& a,
             const fragment<SideB, LinesB, DepthB, TB>& b, source_location where = source_location::current()) {
  detail::count_bits(sums, a, b, ptx::token::and_, where);
}

/// Adds the number of bits in which row and column differ, their Hamming distance. PTX: .xor.popc.
template <mma_side SideA, int LinesA, int DepthA, class TA, mma_side SideB, int LinesB, int DepthB, class TB, int M, int N,
          class T>
void mma_xor(accumulator<M, N, T>& sums, const fragment<SideA, LinesA, DepthA, TA>& a,
             const fragment<SideB, LinesB, DepthB, TB>& b, source_location where = source_location::current()) {
  detail::count_bits(sums, a, b, ptx::token::xor_, where);
}

}  // namespace tg
