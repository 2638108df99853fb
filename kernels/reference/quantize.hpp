// Floats as blocks of Q4_0, Q8_0 and Q8_1 on the host, to the bit. Products are made in double and rounded to float, so that no
// compiler makes an fma of them.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include <tg/dsl/vector/narrow_float.hpp>

namespace tg::kernels::reference {

/// The bytes of a block of this format: "q4_0", "q8_0" or "q8_1". Requires: 32 numbers.
inline std::vector<std::uint8_t> quantize(std::string_view format, std::span<const float> x) {
  const auto product = [](float a, float b) { return static_cast<float>(double{a} * double{b}); };
  float most = 0;  // the first of the largest magnitude
  for (const float v : x)
    if (std::abs(v) > std::abs(most)) most = v;
  const float d = format == "q4_0" ? most / -8 : std::abs(most) / 127, inverse = d == 0 ? 0 : 1 / d;
  std::vector<std::uint8_t> out;
  const auto put = [&](float number) {
    const auto bits = std::bit_cast<std::uint16_t>(tg::f16(number));
    out.push_back(static_cast<std::uint8_t>(bits & 255));
    out.push_back(static_cast<std::uint8_t>(bits >> 8));
  };
  put(d);
  if (format == "q4_0") {
    const auto q = [&](std::size_t j) {
      return std::min(15, static_cast<int>(static_cast<float>(double{product(x[j], inverse)} + 8.5)));
    };
    for (std::size_t j = 0; j < 16; ++j) out.push_back(static_cast<std::uint8_t>(q(j) | q(j + 16) << 4));
    return out;
  }
  std::vector<std::int8_t> q;
  int sum = 0;
  for (const float v : x) {
    q.push_back(static_cast<std::int8_t>(std::round(product(v, inverse))));
    sum += q.back();
  }
  if (format == "q8_1") put(product(static_cast<float>(sum), d));
  for (const std::int8_t byte : q) out.push_back(static_cast<std::uint8_t>(byte));
  return out;
}

}  // namespace tg::kernels::reference
