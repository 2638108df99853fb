// Inputs of sums, and their counts against the compiler's.
#pragma once

#include <doctest/doctest.h>

#include <cmath>
#include <vector>

#include <kernels/reference/reduction.hpp>

#include "inputs.hpp"
#include "ledger.hpp"

namespace sums {

inline constexpr unsigned sizes[] = {1, 3, 31, 255, 256, 257, 511, 512, 513, 1009, 2048, 66049};

inline double absolute_sum(const std::vector<float>& x) {
  double out = 0;
  for (const double v : x) out += std::abs(v);
  return out;
}

template <class K> tg::dynamic_array<ledger_row> count(const K& kernel) {
  tg::device gpu;
  ledger counted(kernel);
  if (!gpu.is_emulated()) return counted.rows();
  auto x = gpu.zeros<float>(5000), out = gpu.zeros<float>(64);
  counted.count([&] { gpu.launch(kernel, tg::grid(4), x, out, 4095u); });
  counted.count([&] { gpu.launch(kernel, tg::grid(4), x.part(4, 4096), out, 4090u); });
  for (const auto& mismatch : counted.mismatches()) FAIL_CHECK(mismatch);
  return counted.rows();
}

}  // namespace sums
