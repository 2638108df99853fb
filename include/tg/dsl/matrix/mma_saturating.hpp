// mma.sync of integers whose sums stay at the largest or smallest int instead of wrapping.
#pragma once

#include <tg/dsl/matrix/mma.hpp>

namespace tg {

/// `sums` += `a` x `b` as `tg::mma` does, of integers; a sum that an int does not hold becomes the nearest one.
/// Requires: signed or unsigned char, s4 or u4; called by all lanes of full warps. Errors: TG117, TG141.
/// PTX: mma.sync.aligned.mMnNkK.row.col.satfinite, sm_80; of 8 rows sm_75.
template <mma_side SideA, int LinesA, int DepthA, class TA, mma_side SideB, int LinesB, int DepthB, class TB, int M, int N,
          class T>
void mma_saturating(accumulator<M, N, T>& sums, const fragment<SideA, LinesA, DepthA, TA>& a,
                    const fragment<SideB, LinesB, DepthB, TB>& b, source_location where = source_location::current()) {
  using A = fragment<SideA, LinesA, DepthA, TA>;
  using B = fragment<SideB, LinesB, DepthB, TB>;
  using C = accumulator<M, N, T>;
  using found = detail::product_check<detail::is_product<A, B, C> && detail::is_mma_integer<TA>, A, B, C>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    detail::multiply(sums, a, b, ptx::token::satfinite, ptx::token::none, where);
}

}  // namespace tg
