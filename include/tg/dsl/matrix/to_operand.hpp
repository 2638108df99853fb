// Sums of one product that become the left operand of the next, as the weights of attention do.
#pragma once

#include <tg/dsl/matrix/fragment.hpp>
#include <tg/dsl/vector/packed.hpp>

namespace tg {

/// The sums rounded to T, f16 or bf16: `tg::mma(next, tg::to_operand<tg::bf16>(sums), b)`. No lane gives another anything: a
/// row of 16-bit elements of A lies in the lanes as a row of sums does.
/// Errors: TG110 for other types. PTX: cvt.rn.f16x2.f32 or bf16x2, one for two sums.
template <class T, int M, int N, mma_sum_type S> a_fragment<M, N, T> to_operand(const accumulator<M, N, S>& sums) {
  using found = diagnosis::operation<std::is_same_v<S, float> && mma_element<T>::bits == 16, diagnosis::types<T, S>>;
  auto out = a_fragment<M, N, T>::unfilled();
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    for (int r = 0; r < out.registers; ++r)
      out.parts.parts[static_cast<std::size_t>(r)] = tg::pack<T>(sums(2 * r), sums(2 * r + 1)).operand;
  return out;
}

}  // namespace tg
