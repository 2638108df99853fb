// What the tests of picture filters share: samples beside the wanted ones, costs beside the compiled ones.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "inputs.hpp"
#include "ledger.hpp"

namespace inputs {

/// Floats differ from `wanted` by at most `bound`; bytes, which end at 255, by the rounding to bytes more.
inline void check_samples(const rows<float>& floats, const rows<std::uint8_t>& bytes, const std::vector<double>& wanted,
                          double bound) {
  const auto got = floats.to_host();
  CHECK(largest_excess(std::span<const float>(got), std::span<const double>(wanted), [&](std::size_t) { return bound; }) <= 0);
  std::vector<double> wanted_bytes;
  for (const double v : wanted) wanted_bytes.push_back(std::min(v, 1.0) * 255);
  const auto got_bytes = bytes.to_host();
  CHECK(largest_excess(std::span<const std::uint8_t>(got_bytes), std::span<const double>(wanted_bytes),
                       [&](std::size_t) { return 0.5 + 255 * bound; }) <= 0);
}

/// Counted over pictures of 128 pixels by `height` whose rows begin at every residue, the dearest request of each
/// access is what the compiler says, without an excuse.
template <class From, class To, class K, class Grid, class... Rest>
void check_counts(const K& kernel, const Grid& grid, int height, Rest... rest) {
  tg::device gpu;
  if (!gpu.is_emulated()) return;
  ledger counted(kernel);
  for (const unsigned leading : {384u, 385u, 387u}) {
    auto from = gpu.zeros<From>(height * leading);
    auto to = gpu.zeros<To>(height * leading);
    counted.count([&] {
      gpu.launch(kernel, grid, tg::matrix(from, height, 384, leading), tg::matrix(to, height, 384, leading), 128, height,
                 rest...);
    });
  }
  for (const auto& row : counted.rows()) CHECK(row.access.verdict == tg::verdict::proved);
  for (const auto& mismatch : counted.mismatches(edges::clamped)) FAIL_CHECK(mismatch);
}

}  // namespace inputs
