#include <kernels/arrays/histogram.hpp>

#include <cmath>

#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using refusals::code_of_error;

/// Counts of integers by their definition, without overflow.
template <class T> std::vector<int> counted(const std::vector<T>& x, int bins, T low, T width) {
  std::vector<int> out(static_cast<std::size_t>(bins));
  for (const T each : x) {
    const std::int64_t off = std::int64_t{each} - std::int64_t{low};
    if (off >= 0 && off / std::int64_t{width} < bins) ++out[static_cast<std::size_t>(off / std::int64_t{width})];
  }
  return out;
}

}  // namespace

TEST_CASE("bytes are counted") {
  tg::device gpu;
  inputs::generator random;
  for (const std::int64_t n : {0, 1, 15, 17, 4096, 20011}) {
    INFO("seed ", random.seed, ", n ", n);
    const auto host = random.bytes(static_cast<std::size_t>(n));
    std::vector<int> wanted(256);
    for (const auto each : host) ++wanted[each];
    CHECK(tg::histogram(tg::array<std::uint8_t, 1>(gpu, host)).to_host() == wanted);
  }
}

TEST_CASE("integers and floats are counted by range") {
  tg::device gpu;
  inputs::generator random;
  for (const std::int64_t n : {1, 257, 4099})
    for (const int bins : {0, 1, 100, 3001}) {
      INFO("seed ", random.seed, ", n ", n, ", bins ", bins);
      std::vector<int> host(static_cast<std::size_t>(3 * n));
      for (int& x : host) x = static_cast<int>(random.engine() % 2000) - 1000;
      const tg::array<int, 2> x(gpu, {3, n}, host);
      CHECK(tg::histogram(x, bins, -700, 7).to_host() == counted(host, bins, -700, 7));
      const std::vector<unsigned> large(host.begin(), host.end());
      CHECK(tg::histogram(tg::array<unsigned, 1>(gpu, large), bins, 100u, 3u).to_host() == counted(large, bins, 100u, 3u));
      // Quarters of integers are exact as floats, and so is what is computed of them.
      CHECK(tg::histogram(tg::cast<float>(x) * 0.25f, bins, -32.0f, 0.5f).to_host() == counted(host, bins, -128, 2));
    }
}

TEST_CASE("NaN and infinities are in no bin") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, std::vector<float>{NAN, INFINITY, -INFINITY, 0, 1, 0.999f, -0.001f});
  CHECK(tg::histogram(x, 2, 0.0f, 0.5f).to_host() == std::vector<int>{1, 1});
}

TEST_CASE("widths and bins that cannot be are refused") {
  tg::device gpu;
  const tg::array<float, 1> x(gpu, std::vector<float>{1});
  CHECK(code_of_error([&] { tg::histogram(x, 2, 0.0f, 0.0f); }) == 705);
  CHECK(code_of_error([&] { tg::histogram(x, 2, 0.0f, NAN); }) == 705);
  CHECK(code_of_error([&] { tg::histogram(x, -1, 0.0f, 1.0f); }) == 705);
  CHECK(code_of_error([&] { tg::histogram(x, 100000000, 0.0f, 1.0f); }) == 705);
  const auto most = static_cast<int>(gpu.limits().shared_bytes_opt_in / 4);
  CHECK(tg::histogram(x, most, 1.0f, 1.0f)(0).to_host() == std::vector<int>{1});
}
