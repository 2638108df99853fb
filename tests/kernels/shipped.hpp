// Every kernel here, for tests that ask something of all of them: those of the registry, and the texts for sm_90 alone.
#pragma once

#include <registry/registry.hpp>

namespace shipped {

/// Calls `ask(kernel)` for each whose threads are proved to write apart. tests/kernels/shipped.cpp says when one is missing.
template <class Ask> void each(Ask ask) {
  registry::each([&](const auto& row) {
    if (row.known.writes == registry::placing::proved) ask(row.kernel);
  });
}

/// Calls `ask(kernel)` for those whose threads write where data says, or at a multiple of a size that only the launch knows:
/// nothing proves that they keep apart.
template <class Ask> void each_placed_by_data(Ask ask) {
  registry::each([&](const auto& row) {
    if (row.known.writes == registry::placing::by_data) ask(row.kernel);
  });
}

/// Calls `ask(kernel)` for those whose threads write where data says in shared memory too: a permutation, which nothing proves.
template <class Ask> void each_permutation(Ask ask) {
  registry::each([&](const auto& row) {
    if (row.known.writes == registry::placing::permuted) ask(row.kernel);
  });
}

/// A * B by the warpgroups of sm_90.
inline constexpr auto product_by_groups = tg::kernels::gemm<tg::bf16>(tg::kernels::gemm_sums, tg::for_sm<90>);

/// What queries see.
inline constexpr tg::kernels::attention_options causal{.causal = true}, window{.causal = true, .window = 1024};

/// Calls `ask(kernel)` for each text that is for sm_90 alone.
template <class Ask> void each_for_sm_90(Ask ask) {
  ask(product_by_groups);
  ask(tg::kernels::attention_tiles<tg::bf16, 64, causal, 90>);
  ask(tg::kernels::attention_tiles<tg::bf16, 256, window, 90>);
  ask(tg::kernels::attention_f8<tg::bf16, 64, causal, 90>);
  ask(tg::kernels::attention_key_gradient<tg::bf16, 64, causal, 90>);
  ask(tg::kernels::dequantising_gemm<tg::kernels::q4k_weights, tg::bf16, 64, 90>);
  ask(tg::kernels::rms_swiglu<tg::bf16, 90>);
  ask(tg::kernels::attention_tiles<tg::bf16, 96, causal, 90>);
}

}  // namespace shipped
