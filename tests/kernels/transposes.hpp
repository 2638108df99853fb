// A transpose against the reference, and its counts against the compiler's.
#pragma once

#include <doctest/doctest.h>

#include <span>
#include <tg/base/dynamic_array.hpp>

#include <kernels/reference/transpose.hpp>
#include <kernels/transpose.hpp>

#include "inputs.hpp"
#include "ledger.hpp"

namespace transposes {

using namespace tg::kernels;

inline constexpr unsigned sizes[] = {1, 7, 31, 32, 33, 61, 64};

template <class K> void check(const K& kernel) {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned rows : sizes)
    for (const unsigned cols : sizes)
      for (const unsigned gap : {0u, 5u}) {
        INFO("seed ", random.seed, ", rows ", rows, ", cols ", cols, ", gap ", gap);
        const auto a = random.floats(rows * cols);
        inputs::rows<float> on_a(gpu, a, rows, cols, cols + gap), on_b(gpu, cols, rows, rows + 2 * gap);
        gpu.launch(kernel, transpose_grid(rows, cols), on_a.matrix(), on_b.matrix(), rows, cols);
        CHECK(on_b.to_host() == reference::transpose(std::span<const float>(a), rows, cols));
      }
}

/// Rows that begin at sectors and rows that do not, so that the cheapest and the dearest requests are there.
template <class K> tg::dynamic_array<ledger_row> count(const K& kernel) {
  tg::device gpu;
  ledger counted(kernel);
  for (const unsigned leading : {96u, 97u}) {
    auto a = gpu.zeros<float>(64 * leading), b = gpu.zeros<float>(96 * leading);
    if (gpu.is_emulated()) {
      counted.count([&] {
        gpu.launch(kernel, transpose_grid(64, 96), tg::matrix(a, 64, 96, leading), tg::matrix(b, 96, 64, leading), 64, 96);
      });
    }
  }
  if (gpu.is_emulated())
    for (const auto& mismatch : counted.mismatches()) FAIL_CHECK(mismatch);
  return counted.rows();
}

}  // namespace transposes
