// Products whose weights are quantised, in tiles and by lanes, and activations as bytes.
#pragma once

#include <cstring>
#include <span>

#include <kernels/dequantising_gemm.hpp>
#include <kernels/q4k_matvec.hpp>
#include <kernels/q8_1.hpp>
#include <kernels/reference/q4k_matvec.hpp>
#include <kernels/reference/q8_1.hpp>
#include <kernels/reference/rounding.hpp>
#include <kernels/reference/sgemm.hpp>
#include <registry/quantised.hpp>

namespace registry {

namespace detail {

/// Weights of k x n as they stand for numbers, and the sums of the sizes of their terms.
struct exact_weights {
  unsigned n;
  std::vector<double> value, size;

  exact_weights(unsigned k, unsigned n) : n(n), value(std::size_t{k} * n), size(value.size()) {}
  void set(std::size_t row, std::size_t column, const tg::kernels::reference::weight& w) {
    value[row * n + column] = w.value;
    size[row * n + column] = w.size;
  }
};
/// x times these weights, each of which is rounded to T.
template <class T> expectation product_with(const std::vector<T>& x, const exact_weights& w, const shape& s) {
  namespace reference = tg::kernels::reference;
  const auto exact = reference::multiply(x, w.value, s.m, s.n, s.k), terms = reference::multiply(x, w.size, s.m, s.n, s.k);
  return within(exact.sum, [&](std::size_t i) {
    return reference::rounding<T>(exact.sum[i]) + (reference::unit<T> + s.k * 0x1p-23) * exact.magnitude[i] +
           2 * 0x1p-24 * terms.magnitude[i];
  });
}
template <class T, int Tokens, class Trial, class... Weights>
void launch_dequantising(Trial& t, const shape& s, const exact_weights& exact, const Weights&... weights) {
  const auto x = t.template floats<T>(std::size_t{s.m} * s.k);
  t.launch(tg::kernels::dequantising_grid<Tokens>(s.m, s.n), t.in(x, s.m, s.k, 8),
           t.template out<T>(product_with(x, exact, s), s.m, s.n, 8), s.m, s.n, s.k, weights...);
}

/// m x k times the transpose of n x k.
inline constexpr auto try_gemm_of_q8_0 = [](auto& t, const shape& s) {
  const unsigned groups = (s.k + 31) / 32;
  const auto q = t.template integers<std::int8_t>(std::size_t{s.n} * s.k);
  const auto d = t.template floats<tg::f16>(std::size_t{groups} * s.n, 0.001f, 0.011f);
  exact_weights exact(s.k, s.n);
  for (std::size_t r = 0; r < s.n; ++r)
    for (std::size_t c = 0; c < s.k; ++c) {
      const double own = q[r * s.k + c] * static_cast<double>(d[c / 32 * s.n + r]);
      exact.set(c, r, {own, std::abs(own)});
    }
  launch_dequantising<tg::bf16, 64>(t, s, exact, t.in(q, s.n, s.k, 16), t.in(d, groups, s.n, 8));
};
inline constexpr auto try_gemm_of_w4a16 = [](auto& t, const shape& s) {
  constexpr unsigned group = 128;
  const unsigned words = (s.k + 7) / 8, groups = (s.k + group - 1) / group;
  const auto q = t.template integers<unsigned>(std::size_t{words} * s.n);
  const auto d = t.template floats<tg::f16>(std::size_t{groups} * s.n, 0.01f, 0.11f);
  exact_weights exact(s.k, s.n);
  for (std::size_t r = 0; r < s.n; ++r)
    for (std::size_t c = 0; c < s.k; ++c) {
      const int number = static_cast<int>(q[c / 8 * s.n + r] >> (c % 8 * 4) & 15) - 8;
      const double own = number * static_cast<double>(d[c / group * s.n + r]);
      exact.set(c, r, {own, std::abs(own)});
    }
  launch_dequantising<tg::f16, 64>(t, s, exact, t.in(q, words, s.n, 4), t.in(d, groups, s.n, 8));
};

/// Pairs of 16-bit numbers as words.
inline std::vector<unsigned> to_words(const std::vector<std::uint16_t>& numbers) {
  std::vector<unsigned> out(numbers.size() / 2);
  std::memcpy(out.data(), numbers.data(), out.size() * sizeof(unsigned));
  return out;
}
inline constexpr auto try_gemm_of_q4k = [](auto& t, const shape& s) {
  const auto w = any_blocks<tg::kernels::q4_k>(t, q4_k_facts, std::size_t{s.n} * s.k / 256);
  exact_weights exact(s.k, s.n);
  for (std::size_t i = 0; i < std::size_t{s.n} * s.k; ++i)
    exact.set(i % s.k, i / s.k, weight_at<tg::kernels::q4_k>(w, q4_k_facts, i));
  std::vector<unsigned> heads(std::size_t{s.k} / 64 * s.n), quants(std::size_t{s.n} * s.k / 8);
  tg::kernels::split_q4k(to_words(w), s.n, s.k, s.n, heads, quants);
  launch_dequantising<tg::bf16, 16>(t, s, exact, t.in(heads, s.k / 64, s.n, 4), t.in(quants, s.n, s.k / 8, 4));
};

/// m rows of n blocks.
inline constexpr auto try_q4k_matvec = [](auto& t, const shape& s) {
  const unsigned columns = 256 * s.n, words = tg::kernels::q4k_words(columns);
  const auto w = any_blocks<tg::kernels::q4_k>(t, q4_k_facts, std::size_t{s.m} * s.n);
  const auto x = any_q8_1(t, columns);
  const std::span bytes(reinterpret_cast<const std::uint8_t*>(w.data()), w.size() * sizeof w[0]);
  // A lane adds four products for every 2048 weights, and a product has been rounded four times; five additions join the lanes.
  const double roundings = ((columns + 2047) / 2048 * 4 + 4 + 5) * 1.01;
  expectation after;
  for (std::size_t r = 0; r < s.m; ++r) {
    const auto sum = tg::kernels::reference::q4k_dot(bytes.subspan(r * words * 4, words * 4), x.q, x.ds);
    after.value.push_back(sum.value);
    after.bound.push_back(roundings * 0x1p-24 * sum.magnitude);
  }
  t.launch(tg::kernels::q4k_grid(s.m), t.in(to_words(w), s.m, words, 4), t.in(x.q), t.in(x.ds),
           t.template out<float>(std::move(after)), s.m, columns);
};

/// n groups of 32 numbers whose multiples of the scale are not near halves of whole numbers, so that each byte is known. One of
/// seven groups is zeros.
inline constexpr auto try_quantize_q8_1 = [](auto& t, const shape& s) {
  const unsigned n = 32 * s.n;
  auto x = t.floats(n, -0.4f, 0.4f);
  const auto whole = t.template integers<int>(n, -126, 126);
  const auto units = t.floats(s.n, 0.001f, 2);
  std::vector<int> bytes;
  expectation scales;
  for (unsigned g = 0; g < s.n; ++g) {
    const std::span<float> own = std::span(x).subspan(32 * g, 32);
    for (unsigned j = 0; j < 32; ++j) own[j] = g % 7 == 3 ? 0 : (own[j] + static_cast<float>(whole[32 * g + j])) * units[g];
    if (g % 7 != 3) own[g % 32] = (g % 2 == 0 ? 127.0f : -127.0f) * units[g];
    const auto wanted = tg::kernels::reference::quantize_q8_1(own);
    bytes.insert(bytes.end(), wanted.q.begin(), wanted.q.end());
    for (const double number : {wanted.d, wanted.s}) {
      scales.value.push_back(number);
      scales.bound.push_back(tg::kernels::reference::rounding<tg::f16>(number) + 0x1p-20 * std::abs(number));
    }
  }
  t.launch(tg::grid((n / 4 + 255) / 256), t.in(x), t.template out<std::int8_t>(exactly(bytes)),
           t.template out<tg::f16x2>(std::move(scales)), n);
};

inline std::vector<shape> sizes_of_q4k() { return {{1, 1, 256}, {16, 64, 256}, {15, 65, 512}, {17, 63, 256}, {3, 67, 768}}; }
constexpr facts of_weights(shape large, twin other = {}) {
  return {.family = "quantised", .least_sm = 80, .other = other, .large = large};
}

}  // namespace detail

inline constexpr row dequantising_gemm_q8_0{tg::kernels::dequantising_gemm<tg::kernels::q8_0_weights, tg::bf16>,
                                            detail::of_weights({128, 128, 256}), products(64, 64, 64),
                                            detail::try_gemm_of_q8_0};
inline constexpr row dequantising_gemm_w4a16{tg::kernels::dequantising_gemm<tg::kernels::w4a16_weights<>, tg::f16>,
                                             detail::of_weights({128, 128, 256}), products(64, 64, 64),
                                             detail::try_gemm_of_w4a16};
inline constexpr row dequantising_gemm_q4k{tg::kernels::dequantising_gemm<tg::kernels::q4k_weights, tg::bf16, 16>,
                                           detail::of_weights({16, 128, 512}), detail::sizes_of_q4k, detail::try_gemm_of_q4k};
inline constexpr row q4k_matvec{tg::kernels::q4k_matvec, detail::of_weights({256, 16}, {"q4k_matvec.cu", "q4k_matvec"}),
                                matrices(4, 8), detail::try_q4k_matvec};
inline constexpr row quantize_q8_1{tg::kernels::quantize_q8_1,
                                   detail::of_weights({1, 1u << 15}, {"quantize_q8_1.cu", "quantize_q8_1"}), lines(32),
                                   detail::try_quantize_q8_1};

template <class Ask> void each_dequantising(Ask ask) {
  ask(dequantising_gemm_q8_0);
  ask(dequantising_gemm_w4a16);
  ask(dequantising_gemm_q4k);
  ask(q4k_matvec);
  ask(quantize_q8_1);
}

}  // namespace registry
