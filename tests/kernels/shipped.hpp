// Every kernel here, for tests that ask something of all of them.
#pragma once

#include <cstdint>
#include <string_view>

#include <kernels/attention.hpp>
#include <kernels/attention_backward.hpp>
#include <kernels/attention_f8.hpp>
#include <kernels/attention_tiles.hpp>
#include <kernels/blur.hpp>
#include <kernels/blur_sobel.hpp>
#include <kernels/cross_entropy.hpp>
#include <kernels/dequantising_gemm.hpp>
#include <kernels/gemm.hpp>
#include <kernels/gemm_parts.hpp>
#include <kernels/gemm_stream.hpp>
#include <kernels/layer_norm.hpp>
#include <kernels/q4k_matvec.hpp>
#include <kernels/q8_1.hpp>
#include <kernels/rms_swiglu.hpp>
#include <kernels/sgemm.hpp>
#include <kernels/sobel.hpp>
#include <kernels/softmax_tiles.hpp>
#include <registry/registry.hpp>

namespace shipped {

/// alpha * A * B + beta * C.
inline constexpr auto update = tg::kernels::sgemm<128, 256, tg::multiple_of<4>, tg::scalar<float>, tg::scalar<float>>(
    [](auto sum, const auto& at, auto alpha, auto beta) { return alpha * sum + beta * at.old(); });

/// A * B in bf16 with a bias.
inline constexpr auto product = tg::kernels::gemm<tg::bf16, tg::in<float>>(
    [](const auto& sum, const auto& at, auto bias) { return sum + at.of_columns(bias); });

/// A * B of floats.
inline constexpr auto product_of_floats = tg::kernels::gemm<float>([](const auto& sum, const auto&) { return sum; });
/// The sums of a batch of products in three parts of k each.
inline constexpr tg::kernels::gemm_options in_thirds{.right_transposed = true, .batched = true, .split = 3};
inline constexpr auto joined_products = tg::kernels::gemm_join<in_thirds, tg::bf16>(tg::kernels::gemm_sums);
inline constexpr auto parts_of_product =
    tg::kernels::gemm_join_parts<tg::kernels::gemm_options{.split = 0}, tg::bf16>(tg::kernels::gemm_sums);
/// Experts, and blocks in bands.
inline constexpr tg::kernels::gemm_options banded{.right_transposed = true, .band = 4};
inline constexpr auto product_of_experts = tg::kernels::gemm_grouped<banded, tg::bf16>(tg::kernels::gemm_sums);
inline constexpr auto product_in_bands = tg::kernels::gemm<banded, tg::bf16>(tg::kernels::gemm_sums);
/// A * B by any number of blocks.
inline constexpr auto streamed_product = tg::kernels::gemm_stream<tg::bf16>(tg::kernels::gemm_sums);
inline constexpr auto join_of_stream = tg::kernels::gemm_stream_join<tg::bf16>(tg::kernels::gemm_sums);
/// A * B by the warpgroups of sm_90.
inline constexpr auto product_by_groups =
    tg::kernels::gemm<tg::bf16>([](const auto& sum, const auto&) { return sum; }, tg::for_sm<90>);

/// What queries see.
inline constexpr tg::kernels::attention_options causal{.causal = true}, window{.causal = true, .window = 1024};

/// The oldest GPU that a kernel is for: those that copy asynchronously or round pairs to f16 ask for sm_80, those that multiply
/// or make 8-bit floats for sm_89, all others run everywhere.
constexpr int least_sm(std::string_view name) {
  if (name.starts_with("gemm")) return 80;
  for (const auto newer :
       {"attention", "attention_deltas", "attention_key_gradient", "attention_query_gradient", "attention_ragged",
        "attention_tiles", "cross_entropy", "cross_entropy_backward", "dequantising_gemm", "layer_norm", "q4k_matvec",
        "quantize_q8_1", "residual_rms_norm", "rms_swiglu", "sgemm", "softmax_tiles"})
    if (name == newer) return 80;
  for (const auto of_bytes : {"attention_f8", "attention_values"})
    if (name == of_bytes) return 89;
  int out = 75;
  registry::each([&](const auto& row) {
    if (row.name() == name && row.known.least_sm > out) out = row.known.least_sm;
  });
  return out;
}

/// Calls `ask(kernel)` for each. tests/kernels/shipped.cpp says when one is missing.
template <class Ask> void each(Ask ask) {
  using namespace tg::kernels;
  const auto all = [&](const auto&... kernel) { (ask(kernel), ...); };
  all(attention<tg::bf16, 128, true>, attention_tiles<tg::bf16, 64, causal, 80, tg::out2<float>>,
      attention_tiles<tg::bf16, 256, window>, attention_f8<tg::bf16, 64, causal, 80, tg::out2<float>>,
      attention_f8<tg::f16, 128, window>, attention_values<tg::bf16>, attention_deltas<tg::bf16, 64>,
      attention_query_gradient<tg::bf16, 64, causal>, attention_key_gradient<tg::bf16, 64, causal>, product, product_in_bands,
      product_of_floats, joined_products, parts_of_product, dequantising_gemm<q8_0_weights, tg::bf16>,
      dequantising_gemm<w4a16_weights<>, tg::f16>, dequantising_gemm<q4k_weights, tg::bf16, 16>, rms_swiglu<tg::bf16>,
      layer_norm<tg::bf16, 1024>, residual_rms_norm<tg::bf16, 1024>, softmax_tiles<tg::bf16, 1024>, cross_entropy<tg::bf16>,
      cross_entropy_backward<tg::bf16>, blur_horizontal<2>, blur_vertical<2>, blur_sobel<2, float>, blur_sobel<1, std::uint8_t>,
      q4k_matvec, quantize_q8_1, sobel<float>, sobel<std::uint8_t>, update);
  registry::each([&](const auto& row) {
    if (row.known.writes == registry::placing::proved) ask(row.kernel);
  });
}

/// Calls `ask(kernel)` for those whose threads write where data says, or at a multiple of a size that only the launch knows:
/// nothing proves that they keep apart.
template <class Ask> void each_placed_by_data(Ask ask) {
  ask(tg::kernels::attention_ragged<tg::bf16, 64, causal, 80, tg::out2<float>>);
  ask(product_of_experts);
  ask(streamed_product);
  ask(join_of_stream);
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

/// Calls `ask(kernel)` for all of these.
template <class Ask> void every(Ask ask) {
  each(ask);
  each_placed_by_data(ask);
  each_permutation(ask);
}

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
