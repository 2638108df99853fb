// Random weights in quantised blocks.
#pragma once

#include <cstring>
#include <string_view>

#include <kernels/block_parts.hpp>
#include <kernels/reference/dequantize.hpp>

#include "inputs.hpp"

namespace blocks {

/// Bytes of n weights: any quants, and scales that are numbers.
template <class Format> std::vector<std::uint8_t> any(std::string_view name, std::size_t n, inputs::generator& random) {
  auto out = random.bytes(n / Format::values * Format::bytes);
  for (std::size_t at = 0; at < out.size(); at += Format::bytes) {
    if (name == "nf4") {
      const float scale = random.between(-0.1f, 0.1f);
      std::memcpy(&out[at], &scale, 4);
      continue;
    }
    const std::size_t first = name == "q6_k" ? 208 : 0;
    for (std::size_t k = 0; k < (name == "q6_k" ? 1u : 2u); ++k) {
      if (k == 1 && (name == "q4_0" || name == "q5_0" || name == "q8_0")) break;
      const tg::f16 number(random.between(-0.1f, 0.1f));
      std::memcpy(&out[at + first + 2 * k], &number, 2);
    }
  }
  return out;
}

/// The bytes as 16-bit numbers, which kernels read.
inline std::vector<std::uint16_t> numbers(const std::vector<std::uint8_t>& bytes) {
  std::vector<std::uint16_t> out(bytes.size() / 2);
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

/// Weight i of these bytes.
template <class Format>
tg::kernels::reference::weight weight(std::string_view name, const std::vector<std::uint8_t>& bytes, std::size_t i) {
  return tg::kernels::reference::weight_of(name, &bytes[i / Format::values * Format::bytes],
                                           static_cast<unsigned>(i % Format::values));
}

/// Calls `check(format, name)` for each format.
template <class Check> void each_format(Check check) {
  using namespace tg::kernels;
  check(q4_0{}, "q4_0");
  check(q4_1{}, "q4_1");
  check(q5_0{}, "q5_0");
  check(q5_1{}, "q5_1");
  check(q8_0{}, "q8_0");
  check(q8_1{}, "q8_1");
  check(q4_k{}, "q4_k");
  check(q5_k{}, "q5_k");
  check(q6_k{}, "q6_k");
  check(nf4{}, "nf4");
}

}  // namespace blocks
