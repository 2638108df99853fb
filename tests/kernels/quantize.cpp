#include <kernels/quantize.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include <kernels/dequantize.hpp>
#include <kernels/reference/quantize.hpp>

#include "blocks.hpp"

using namespace tg::kernels;

namespace {

/// Random numbers, among them blocks of zeros, of numbers on half a step of bytes, and with two of the largest magnitude.
std::vector<float> numbers_of_all_kinds(unsigned n, inputs::generator& random) {
  auto x = random.floats(n, -3, 3);
  for (unsigned i = 0; i < n; ++i) {
    const unsigned kind = i / 32 % 5, j = i % 32;
    if (kind == 1) x[i] = j == 3 ? 127 : static_cast<float>(static_cast<int>(random.engine() % 127)) - 63.5f;
    if (kind == 2) x[i] = 0;
    if (kind == 3 && j % 7 == 4) x[i] = j % 2 == 0 ? -4.0f : 4.0f;
    if (kind == 4) x[i] *= 1e-5f;
  }
  return x;
}

template <class Format> void check(std::string_view name) {
  CAPTURE(std::string(name));
  inputs::generator random;
  INFO("seed ", random.seed);
  tg::device gpu;
  for (const unsigned n : {32u, 2048u - 32, 2048u, 2048u + 32, 2 * 2048u, 97 * 32u}) {
    CAPTURE(n);
    const auto x = numbers_of_all_kinds(n, random);
    auto y = gpu.upload(std::vector<std::uint16_t>(block_numbers<Format>(n) + 2, inputs::poison<std::uint16_t>()));
    gpu.launch(quantize<Format>, quantize_grid(n), gpu.upload(x), y, n);
    const auto found = y.to_host();
    std::vector<std::uint8_t> wanted;
    for (unsigned first = 0; first < n; first += 32) {
      const auto block = reference::quantize(name, std::span(x).subspan(first, 32));
      wanted.insert(wanted.end(), block.begin(), block.end());
    }
    auto all = blocks::numbers(wanted);
    all.insert(all.end(), 2, inputs::poison<std::uint16_t>());
    CHECK(found == all);
  }
}

}  // namespace

TEST_CASE("blocks of each format, to the bit") {
  check<q4_0>("q4_0");
  check<q8_0>("q8_0");
  check<q8_1>("q8_1");
}

TEST_CASE("blocks of zeros of both signs have the scale that ggml gives them") {
  tg::device gpu;
  std::vector<float> x(64, -0.0f);
  std::fill_n(x.begin(), 32, 0.0f);
  auto y = gpu.zeros<std::uint16_t>(block_numbers<q4_0>(64));
  gpu.launch(quantize<q4_0>, quantize_grid(64), gpu.upload(x), y, 64u);
  const auto found = y.to_host();
  CHECK(found.front() == 0x8000);  // 0 / -8
  CHECK(found[block_numbers<q4_0>(32)] == 0x8000);
}

TEST_CASE("what is quantised and made floats again is within a step") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const unsigned n = 4096;
  const auto x = random.floats(n);
  auto blocks = gpu.zeros<std::uint16_t>(block_numbers<q8_0>(n));
  auto y = gpu.zeros<float>(n);
  gpu.launch(quantize<q8_0>, quantize_grid(n), gpu.upload(x), blocks, n);
  gpu.launch(dequantize<q8_0, float>, dequantize_grid(n), blocks, y, n);
  const auto found = y.to_host();
  // Half a step of at most 1 / 127, and 127 times the rounding of d to f16.
  for (unsigned i = 0; i < n; ++i) CHECK(std::abs(found[i] - x[i]) <= 0.5 / 127 + 0x1p-11 + 0x1p-20);
}
