// A saxpy against the reference, and its counts against the compiler's.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <span>

#include <kernels/reference/saxpy.hpp>

#include "inputs.hpp"
#include "ledger.hpp"

namespace saxpies {

using namespace tg::kernels;

inline constexpr unsigned sizes[] = {1, 2, 3, 4, 5, 31, 255, 256, 257, 509, 512, 1021, 1024, 1027, 4099};

template <class K, class Threads> void check(const K& kernel, Threads threads) {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned n : sizes) {
    INFO("seed ", random.seed, ", n ", n);
    const auto x = random.floats(n), y = random.floats(n + 8);
    const float a = random.between(-3, 3);
    auto on_x = gpu.upload(x), on_y = gpu.upload(y);
    gpu.launch(kernel, tg::cover(threads(n)), on_x, on_y, a, n);
    const auto got = on_y.to_host();
    const std::span mine(y.data(), n);
    // One product and one sum, or one fused operation.
    const auto bound = [&](std::size_t i) { return inputs::unit_roundoff * 1.01 * (2 * std::abs(a * x[i]) + std::abs(y[i])); };
    CHECK(inputs::largest_excess(std::span(got).first(n), std::span<const double>(reference::saxpy(a, x, mine)), bound) <= 0);
    CHECK(std::equal(got.begin() + n, got.end(), y.begin() + n));
  }
}

template <class K> void check_counts(const K& kernel, unsigned threads) {
  tg::device gpu;
  if (!gpu.is_emulated()) return;
  ledger counted(kernel);
  auto x = gpu.zeros<float>(4096), y = gpu.zeros<float>(4096);
  counted.count([&] { gpu.launch(kernel, tg::cover(threads), x, y, 1.0f, 4095u); });
  CHECK_FALSE(counted.mismatches().empty());  // the dearest requests come with the worst alignment only
  counted.count([&] { gpu.launch(kernel, tg::cover(threads), x.part(4, 4092), y.part(4, 4092), 1.0f, 4091u); });
  for (const auto& mismatch : counted.mismatches()) FAIL_CHECK(mismatch);
}

}  // namespace saxpies
