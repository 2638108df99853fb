#include <kernels/dequantize.hpp>

#include <cmath>
#include <cstring>
#include <string>

#include <kernels/reference/dequantize.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

/// Blocks with any quants, and scales that are numbers.
template <class Format> std::vector<std::uint8_t> random_blocks(std::string_view name, unsigned n, inputs::generator& random) {
  std::vector<std::uint8_t> out(std::size_t{n} / Format::values * Format::bytes);
  for (std::uint8_t& b : out) b = static_cast<std::uint8_t>(random.engine());
  std::uniform_real_distribution<float> any(-0.1f, 0.1f);
  for (std::size_t at = 0; at < out.size(); at += Format::bytes) {
    if (name == "nf4") {
      const float scale = any(random.engine);
      std::memcpy(&out[at], &scale, 4);
      continue;
    }
    const std::size_t first = name == "q6_k" ? 208 : 0;
    for (std::size_t k = 0; k < (name == "q6_k" ? 1u : 2u); ++k) {
      if (k == 1 && (name == "q4_0" || name == "q5_0" || name == "q8_0")) break;
      const tg::f16 number(any(random.engine));
      std::memcpy(&out[at + first + 2 * k], &number, 2);
    }
  }
  return out;
}

/// Two roundings of the terms, and one to T, whose smallest numbers are equally far apart.
template <class T> double bound_of(const reference::weight& w) {
  double out = 2 * 0x1p-24 * w.size;
  if (std::is_same_v<T, tg::f16>) out += 0x1p-11 * std::abs(w.value) + 0x1p-25;
  if (std::is_same_v<T, tg::bf16>) out += 0x1p-8 * std::abs(w.value);
  return out;
}

template <class Format, class T> void check(std::string_view name, unsigned n, inputs::generator& random) {
  CAPTURE(std::string(name));
  CAPTURE(n);
  tg::device gpu;
  const auto bytes = random_blocks<Format>(name, n, random);
  std::vector<std::uint16_t> numbers(bytes.size() / 2);
  std::memcpy(numbers.data(), bytes.data(), bytes.size());
  REQUIRE(numbers.size() == block_numbers<Format>(n));
  const auto x = gpu.upload(numbers);
  auto y = gpu.upload(std::vector<T>(n, inputs::poison<T>()));
  gpu.launch(dequantize<Format, T>, dequantize_grid(n), x, y, n);
  const auto found = y.to_host();
  double worst = 0;
  for (unsigned i = 0; i < n; ++i) {
    const auto w = reference::weight_of(name, &bytes[std::size_t{i} / Format::values * Format::bytes], i % Format::values);
    const double off = std::abs(static_cast<double>(static_cast<float>(found[i])) - w.value), bound = bound_of<T>(w);
    if (!(off <= bound)) worst = std::max(worst, bound == 0 || std::isnan(off) ? INFINITY : off / bound);
  }
  CHECK(worst == 0);
}

template <class Format> void check_all(std::string_view name) {
  inputs::generator random;
  INFO("seed ", random.seed);
  constexpr unsigned v = Format::values;
  for (const unsigned n : {v, 2048 - v, 2048u, 2048 + v, 2 * 2048u, 97 * v}) check<Format, float>(name, n, random);
  check<Format, tg::f16>(name, 97 * v, random);
  check<Format, tg::bf16>(name, 97 * v, random);
}

}  // namespace

TEST_CASE("weights of each format, at sizes around what a block takes") {
  check_all<q4_0>("q4_0");
  check_all<q4_1>("q4_1");
  check_all<q5_0>("q5_0");
  check_all<q5_1>("q5_1");
  check_all<q8_0>("q8_0");
  check_all<q8_1>("q8_1");
  check_all<q4_k>("q4_k");
  check_all<q5_k>("q5_k");
  check_all<q6_k>("q6_k");
  check_all<nf4>("nf4");
}
