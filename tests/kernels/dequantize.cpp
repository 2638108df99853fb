#include <kernels/dequantize.hpp>

#include <cmath>
#include <string>

#include "blocks.hpp"

using namespace tg::kernels;

namespace {

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
  const auto bytes = blocks::any<Format>(name, n, random);
  const auto numbers = blocks::numbers(bytes);
  REQUIRE(numbers.size() == block_numbers<Format>(n));
  const auto x = gpu.upload(numbers);
  auto y = gpu.upload(std::vector<T>(n, inputs::poison<T>()));
  gpu.launch(dequantize<Format, T>, dequantize_grid(n), x, y, n);
  const auto found = y.to_host();
  double worst = 0;
  for (unsigned i = 0; i < n; ++i) {
    const auto w = blocks::weight<Format>(name, bytes, i);
    const double off = std::abs(static_cast<double>(static_cast<float>(found[i])) - w.value), bound = bound_of<T>(w);
    if (!(off <= bound)) worst = std::max(worst, bound == 0 || std::isnan(off) ? INFINITY : off / bound);
  }
  CHECK(worst == 0);
}

}  // namespace

TEST_CASE("weights of each format, at sizes around what a block takes") {
  blocks::each_format([]<class Format>(Format, std::string_view name) {
    inputs::generator random;
    INFO("seed ", random.seed);
    constexpr unsigned v = Format::values;
    for (const unsigned n : {v, 2048 - v, 2048u, 2048 + v, 2 * 2048u, 97 * v}) check<Format, float>(name, n, random);
    check<Format, tg::f16>(name, 97 * v, random);
    check<Format, tg::bf16>(name, 97 * v, random);
  });
}
