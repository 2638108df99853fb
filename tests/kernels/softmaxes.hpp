// A softmax against the reference, and its counts against the compiler's.
#pragma once

#include <doctest/doctest.h>

#include <limits>
#include <span>
#include <vector>

#include <kernels/reference/softmax.hpp>

#include "inputs.hpp"
#include "ledger.hpp"

namespace softmaxes {

using namespace tg::kernels;

inline constexpr unsigned short_rows[] = {1, 2, 31, 255, 256, 257, 509, 512, 1021};

template <class K> void check(const K& kernel, float low, float high, std::span<const unsigned> widths = short_rows) {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned cols : widths)
    for (const unsigned gap : {0u, 3u}) {
      constexpr unsigned rows = 3;
      INFO("seed ", random.seed, ", cols ", cols, ", gap ", gap);
      const auto x = random.floats(rows * cols, low, high);
      inputs::rows<float> on_x(gpu, x, rows, cols, cols + gap), on_y(gpu, rows, cols, cols + 2 * gap);
      gpu.launch(kernel, tg::grid(rows), on_x.matrix(), on_y.matrix(), cols);
      const auto got = on_y.to_host();
      const auto wanted = reference::softmax(x, cols);
      // An exponential of -t is off by the rounding of t, of its product with log2 e, and by two units of ex2.approx;
      // one for the element, one per element that a thread adds, then eight additions, a reciprocal and a product.
      const double exponential = 3 * (double(high) - low) + 4;
      const double steps = cols / 256 + 2;
      const double relative = inputs::unit_roundoff * ((steps + 1) * exponential + steps + 8 + 4);
      CHECK(inputs::largest_excess(std::span<const float>(got), std::span<const double>(wanted),
                                   [&](std::size_t i) { return relative * wanted[i] + 1e-37; }) <= 0);
    }
}

/// Requires: rows of `cols` elements keep all warps whole.
template <class K> void check_counts(const K& kernel, unsigned cols = 512) {
  tg::device gpu;
  if (!gpu.is_emulated()) return;
  ledger counted(kernel);
  for (const unsigned leading : {cols, cols + 1}) {
    auto x = gpu.zeros<float>(4 * leading), y = gpu.zeros<float>(4 * leading);
    counted.count(
        [&] { gpu.launch(kernel, tg::grid(4), tg::matrix(x, 4, cols, leading), tg::matrix(y, 4, cols, leading), cols); });
  }
  for (const auto& row : counted.rows()) CHECK(row.access.verdict == tg::verdict::proved);
  for (const auto& mismatch : counted.mismatches()) FAIL_CHECK(mismatch);
}

template <class K> void check_minus_infinity(const K& kernel) {
  tg::device gpu;
  const float infinity = std::numeric_limits<float>::infinity();
  const std::vector<float> x{-infinity, 0, -infinity, 0};
  inputs::rows<float> on_x(gpu, x, 1, 4, 4), on_y(gpu, 1, 4, 4);
  gpu.launch(kernel, tg::grid(1), on_x.matrix(), on_y.matrix(), 4);
  CHECK(on_y.to_host() == std::vector<float>{0, 0.5f, 0, 0.5f});
}

}  // namespace softmaxes
