// The texts for sm_90 alone, for tests that ask something of all of them. Every other text is of the registry.
#pragma once

#include <kernels/attention_backward.hpp>
#include <kernels/attention_f8.hpp>
#include <kernels/attention_tiles.hpp>
#include <kernels/block_formats.hpp>
#include <kernels/dequantising_gemm.hpp>
#include <kernels/gemm.hpp>
#include <kernels/rms_swiglu.hpp>

namespace shipped {

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
