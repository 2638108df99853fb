// Products of matrices: in one piece, in groups, and the sums of their parts.
#pragma once

#include <algorithm>
#include <span>

#include <kernels/gemm.hpp>
#include <kernels/gemm_parts.hpp>
#include <kernels/gemm_stream.hpp>
#include <kernels/reference/rounding.hpp>
#include <kernels/reference/sgemm.hpp>
#include <kernels/reference/transpose.hpp>
#include <kernels/sgemm.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

inline constexpr tg::kernels::gemm_options thirds_of_batch{.right_transposed = true, .batched = true, .split = 3},
    any_parts{.split = 0}, bands{.right_transposed = true, .band = 4};

inline constexpr auto bias_product = tg::kernels::gemm<tg::bf16, tg::in<float>>(
    [](const auto& sum, const auto& at, auto bias) { return sum + at.of_columns(bias); });
inline constexpr auto band_product = tg::kernels::gemm<bands, tg::bf16>(tg::kernels::gemm_sums);
inline constexpr auto float_product = tg::kernels::gemm<float>(tg::kernels::gemm_sums);
inline constexpr auto joined_products = tg::kernels::gemm_join<thirds_of_batch, tg::bf16>(tg::kernels::gemm_sums);
inline constexpr auto joined_parts = tg::kernels::gemm_join_parts<any_parts, tg::bf16>(tg::kernels::gemm_sums);
inline constexpr auto grouped_products = tg::kernels::gemm_grouped<bands, tg::bf16>(tg::kernels::gemm_sums);

inline constexpr auto streamed_product = tg::kernels::gemm_stream<tg::bf16>(tg::kernels::gemm_sums);
inline constexpr auto joined_stream = tg::kernels::gemm_stream_join<tg::bf16>(tg::kernels::gemm_sums);

inline constexpr auto scaled_and_added = [](auto sum, const auto& at, auto alpha, auto beta) {
  return alpha * sum + beta * at.old();
};
template <int Columns>
inline constexpr auto update_of =
    tg::kernels::sgemm<128, Columns, tg::multiple_of<4>, tg::scalar<float>, tg::scalar<float>>(scaled_and_added);

template <class T> inline constexpr unsigned leading_of = 16 / sizeof(T);

/// Sums of `depth` products and what is added to them: in float, then rounded to T once.
template <class T> expectation rounded_sums(const tg::kernels::reference::product& exact, unsigned depth) {
  return within(exact.sum, [&](std::size_t i) {
    return tg::kernels::reference::rounding<T>(exact.sum[i]) + (depth + 4) * 0x1p-23 * exact.magnitude[i];
  });
}
/// An operand of k x n as it lies in memory: transposed, or not.
template <bool IsTransposed, class T, class Trial>
matrix_operand<T> right_operand(Trial& t, const std::vector<T>& b, unsigned k, unsigned n) {
  if constexpr (IsTransposed) return t.in(tg::kernels::reference::transpose(std::span<const T>(b), k, n), n, k, leading_of<T>);
  else return t.in(b, k, n, leading_of<T>);
}

/// m x k times k x n, with a number added to each column where HasBias.
template <const auto& Kernel, class T, bool IsTransposed, bool HasBias>
inline constexpr auto try_gemm = [](auto& t, const shape& s) {
  const auto a = t.template floats<T>(std::size_t{s.m} * s.k), b = t.template floats<T>(std::size_t{s.k} * s.n);
  const auto bias = t.floats(s.n);
  auto exact = tg::kernels::reference::multiply(a, b, s.m, s.n, s.k);
  if (HasBias)
    for (std::size_t i = 0; i < exact.sum.size(); ++i) {
      exact.sum[i] += bias[i % s.n];
      exact.magnitude[i] += std::abs(bias[i % s.n]);
    }
  const auto launch = [&](const auto&... extra) {
    t.launch(tg::kernels::gemm_grid(Kernel, s.m, s.n), t.in(a, s.m, s.k, leading_of<T>),
             right_operand<IsTransposed>(t, b, s.k, s.n),
             t.template out<T>(rounded_sums<T>(exact, s.k), s.m, s.n, leading_of<T>), s.m, s.n, s.k, extra...);
  };
  if constexpr (HasBias) launch(t.in(bias));
  else launch();
};

/// Sums of `parts` matrices of `size` elements that lie below each other, for each of `products` of them.
inline expectation sums_of_parts(const std::vector<float>& x, std::size_t products, std::size_t parts, std::size_t size) {
  tg::kernels::reference::product exact{std::vector<double>(products * size), std::vector<double>(products * size)};
  for (std::size_t i = 0; i < x.size(); ++i) {
    const std::size_t own = i / (parts * size) * size + i % size;
    exact.sum[own] += x[i];
    exact.magnitude[own] += std::abs(x[i]);
  }
  return within(exact.sum, [&](std::size_t i) {
    return tg::kernels::reference::rounding<tg::bf16>(exact.sum[i]) + static_cast<double>(parts) * 0x1p-24 * exact.magnitude[i];
  });
}
/// k products of m x n, each in three parts.
inline constexpr auto try_gemm_join = [](auto& t, const shape& s) {
  constexpr unsigned parts = thirds_of_batch.split;
  const auto x = t.floats(std::size_t{s.k} * parts * s.m * s.n);
  t.launch(tg::kernels::gemm_join_grid(s.m, s.n, s.k), t.in(x, s.k * parts * s.m, s.n, 4),
           t.template out<tg::bf16>(sums_of_parts(x, s.k, parts, std::size_t{s.m} * s.n), s.k * s.m, s.n, 8), s.m, s.n);
};
/// One product of m x n in k parts.
inline constexpr auto try_gemm_join_parts = [](auto& t, const shape& s) {
  const auto x = t.floats(std::size_t{s.k} * s.m * s.n);
  t.launch(tg::kernels::gemm_join_grid(s.m, s.n), t.in(x, s.k * s.m, s.n, 4),
           t.template out<tg::bf16>(sums_of_parts(x, 1, s.k, std::size_t{s.m} * s.n), s.m, s.n, 8), s.m, s.n, s.k);
};
/// m x k times k x n by a block for each row of tiles: whole tiles alone, so that no part is written.
inline constexpr auto try_gemm_stream = [](auto& t, const shape& s) {
  const auto a = t.template floats<tg::bf16>(std::size_t{s.m} * s.k), b = t.template floats<tg::bf16>(std::size_t{s.k} * s.n);
  const auto exact = tg::kernels::reference::multiply(a, b, s.m, s.n, s.k);
  const unsigned blocks = (s.m + 127) / 128, rows = 256 * blocks;
  const auto untouched = exactly(std::vector<float>(std::size_t{rows} * 128, poison<float>()));
  t.launch(tg::grid(blocks), t.in(a, s.m, s.k, 8), t.in(b, s.k, s.n, 8),
           t.template out<tg::bf16>(rounded_sums<tg::bf16>(exact, s.k), s.m, s.n, 8),
           t.template out<float>(untouched, rows, 128, 4), s.m, s.n, s.k);
};
/// What five blocks left of m x n, whose depth of k they went in steps of 32. Tiles of one block stay as they are.
inline constexpr auto try_gemm_stream_join = [](auto& t, const shape& s) {
  constexpr unsigned blocks = 5, rows = 256 * blocks;
  const unsigned across = (s.n + 127) / 128, tiles = (s.m + 127) / 128 * across, left = tiles % blocks;
  const unsigned steps = (s.k + 31) / 32, all = left * steps;
  const auto begin_of = [&](unsigned b) { return b * (all / blocks) + std::min(b, all % blocks); };
  const auto parts = t.floats(std::size_t{rows} * 128);
  expectation wanted = exactly(std::vector<float>(std::size_t{s.m} * s.n, poison<float>()));
  for (unsigned tile = 0; tile < left; ++tile) {
    std::vector<unsigned> slots;
    for (unsigned b = 0; b < blocks; ++b)
      if (begin_of(b) < (tile + 1) * steps && begin_of(b + 1) > std::max(begin_of(b), tile * steps))
        slots.push_back(2 * b + tile - begin_of(b) / steps);
    const unsigned row = (tiles - left + tile) / across * 128, column = (tiles - left + tile) % across * 128;
    for (unsigned r = row; slots.size() > 1 && r < std::min(row + 128, s.m); ++r)
      for (unsigned c = column; c < std::min(column + 128, s.n); ++c) {
        double sum = 0, size = 0;
        for (const unsigned slot : slots) {
          const double one = parts[(std::size_t{slot} * 128 + r - row) * 128 + c - column];
          sum += one, size += std::abs(one);
        }
        wanted.value[std::size_t{r} * s.n + c] = sum;
        wanted.bound[std::size_t{r} * s.n + c] = tg::kernels::reference::rounding<tg::bf16>(sum) + blocks * 0x1p-24 * size;
      }
  }
  t.launch(tg::kernels::gemm_stream_join_grid(streamed_product, s.m, s.n, blocks), t.in(parts, rows, 128, 4),
           t.template out<tg::bf16>(wanted, s.m, s.n, 8), s.m, s.n, s.k, blocks);
};
inline std::vector<shape> shapes_of_parts() {
  return {{1, 1, 1}, {16, 128, 2}, {15, 129, 3}, {17, 127, 1}, {33, 257, 2}, {13, 97, 5}};
}

/// Four products of n columns and a depth of k whose rows add up to m.
inline constexpr auto try_gemm_grouped = [](auto& t, const shape& s) {
  constexpr unsigned products = 4, apart = leading_of<tg::bf16>;
  auto starts = t.template integers<unsigned>(products + 1, 0, s.m);
  starts.front() = 0;
  starts.back() = s.m;
  std::sort(starts.begin(), starts.end());
  const std::size_t size = std::size_t{s.k} * s.n;
  const auto a = t.template floats<tg::bf16>(std::size_t{s.m} * s.k), b = t.template floats<tg::bf16>(products * size);
  tg::kernels::reference::product exact;
  std::vector<tg::bf16> right;
  unsigned most = 0;
  for (unsigned p = 0; p < products; ++p) {
    const unsigned rows = starts[p + 1] - starts[p];
    most = std::max(most, rows);
    const auto own_b = std::span<const tg::bf16>(b).subspan(p * size, size);
    const auto own_a = std::span<const tg::bf16>(a).subspan(std::size_t{starts[p]} * s.k, std::size_t{rows} * s.k);
    const auto own = tg::kernels::reference::multiply(own_a, own_b, rows, s.n, s.k);
    exact.sum.insert(exact.sum.end(), own.sum.begin(), own.sum.end());
    exact.magnitude.insert(exact.magnitude.end(), own.magnitude.begin(), own.magnitude.end());
    const auto turned = tg::kernels::reference::transpose(own_b, s.k, s.n);
    right.insert(right.end(), turned.begin(), turned.end());
  }
  t.launch(tg::kernels::gemm_grid(grouped_products, most, s.n, products), t.in(a, s.m, s.k, apart),
           t.in(right, products * s.n, s.k, apart),
           t.template out<tg::bf16>(rounded_sums<tg::bf16>(exact, s.k), s.m, s.n, apart), t.in(starts), s.n, s.k);
};

/// alpha * A * B + beta * C.
template <int Columns>
inline constexpr auto try_sgemm = [](auto& t, const shape& s) {
  constexpr float alpha = 0.5f, beta = 2;
  const auto a = t.floats(std::size_t{s.m} * s.k), b = t.floats(std::size_t{s.k} * s.n), c = t.floats(std::size_t{s.m} * s.n);
  auto exact = tg::kernels::reference::multiply(a, b, s.m, s.n, s.k);
  for (std::size_t i = 0; i < c.size(); ++i) {
    exact.sum[i] = double{alpha} * exact.sum[i] + double{beta} * c[i];
    exact.magnitude[i] = double{alpha} * exact.magnitude[i] + double{beta} * std::abs(c[i]);
  }
  auto result = t.in(c, s.m, s.n);
  result.after = within(exact.sum, [&](std::size_t i) { return (s.k + 3) * 0x1p-24 * exact.magnitude[i]; });
  t.launch(tg::kernels::sgemm_grid(update_of<Columns>, s.m, s.n), t.in(a, s.m, s.k, 4), t.in(b, s.k, s.n, 4), result, s.m, s.n,
           s.k, alpha, beta);
};

constexpr facts of_product(shape large, twin other = {}, std::string_view name = {}) {
  return {.family = "products", .least_sm = 80, .other = other, .large = large, .name = name};
}

}  // namespace detail

inline constexpr row gemm_with_bias{detail::bias_product, detail::of_product({256, 256, 256}), products(128, 128, 32),
                                    detail::try_gemm<detail::bias_product, tg::bf16, false, true>};
inline constexpr row gemm_in_bands{detail::band_product, detail::of_product({256, 256, 256}), products(128, 128, 32),
                                   detail::try_gemm<detail::band_product, tg::bf16, true, false>};
inline constexpr row gemm_of_floats{detail::float_product, detail::of_product({256, 256, 256}), products(128, 128, 16),
                                    detail::try_gemm<detail::float_product, float, false, false>};
inline constexpr row gemm_grouped{
    detail::grouped_products,
    {.family = "products", .least_sm = 80, .writes = placing::by_data, .large = {512, 256, 128}, .is_explained = false},
    products(128, 128, 32),
    detail::try_gemm_grouped};
inline constexpr row gemm_stream{
    detail::streamed_product,
    {.family = "products", .least_sm = 80, .writes = placing::by_data, .large = {512, 512, 256}, .is_explained = false},
    products(128, 128, 32),
    detail::try_gemm_stream};
inline constexpr row gemm_stream_join{
    detail::joined_stream,
    {.family = "products", .least_sm = 80, .writes = placing::by_data, .large = {512, 512, 256}},
    [] {
      return std::vector<shape>{{1, 1, 160}, {257, 129, 97}, {128, 128, 31}, {385, 263, 509}, {640, 128, 64}, {127, 1009, 33}};
    },
    detail::try_gemm_stream_join};
inline constexpr row gemm_join{detail::joined_products, detail::of_product({256, 512, 2}), detail::shapes_of_parts,
                               detail::try_gemm_join};
inline constexpr row gemm_join_parts{detail::joined_parts, detail::of_product({256, 512, 5}), detail::shapes_of_parts,
                                     detail::try_gemm_join_parts};
inline constexpr row sgemm{detail::update_of<128>, detail::of_product({512, 512, 512}, {"sgemm.cu", "sgemm"}, "sgemm 128x128"),
                           products(128, 128, 8), detail::try_sgemm<128>};
inline constexpr row sgemm_wide{detail::update_of<256>,
                                detail::of_product({512, 512, 512}, {"sgemm.cu", "sgemm_wide"}, "sgemm 128x256"),
                                products(128, 256, 8), detail::try_sgemm<256>};

template <class Ask> void each_product(Ask ask) {
  ask(gemm_with_bias);
  ask(gemm_in_bands);
  ask(gemm_of_floats);
  ask(gemm_grouped);
  ask(gemm_stream);
  ask(gemm_stream_join);
  ask(gemm_join);
  ask(gemm_join_parts);
  ask(sgemm);
  ask(sgemm_wide);
}

}  // namespace registry
