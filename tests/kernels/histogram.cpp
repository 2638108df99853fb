#include <kernels/histogram.hpp>

#include <cmath>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

std::vector<unsigned> counted(tg::device& gpu, const std::vector<std::uint8_t>& x, unsigned blocks) {
  auto on_x = gpu.upload(x);
  auto bins = gpu.upload(std::vector<unsigned>(256, 3));
  gpu.launch(byte_histogram, tg::grid(blocks), on_x, bins, static_cast<unsigned>(x.size()));
  return bins.to_host();
}

template <class T> void check_range(const std::vector<T>& x, T low, T width, unsigned count) {
  tg::device gpu;
  std::vector<unsigned> wanted(count, 5);
  for (const T v : x) {
    if constexpr (std::is_floating_point_v<T>) {
      const float at = std::floor((v - low) / width);
      if (at >= 0 && at < static_cast<float>(count)) ++wanted[static_cast<std::size_t>(at)];
    } else {
      const auto at = (std::int64_t{v} - low) / std::int64_t{width};
      if (v >= low && at < count) ++wanted[static_cast<std::size_t>(at)];
    }
  }
  for (const unsigned blocks : {1u, 3u}) {
    auto on_x = gpu.upload(x);
    auto bins = gpu.upload(std::vector<unsigned>(count, 5));
    gpu.launch(range_histogram<T>, tg::grid(blocks), on_x, bins, low, width, count, static_cast<unsigned>(x.size()));
    CHECK((bins.to_host() == wanted));
  }
}

}  // namespace

TEST_CASE("a histogram of bytes") {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned n : {1u, 15u, 16u, 17u, 4095u, 4096u, 4097u, 8192u, 40009u}) {
    INFO("seed ", random.seed, ", n ", n);
    const auto x = random.bytes(n);
    std::vector<unsigned> wanted(256, 3);
    for (const auto v : x) ++wanted[v];
    for (const unsigned blocks : {1u, 2u, 5u}) CHECK((counted(gpu, x, blocks) == wanted));
    std::vector<unsigned> of_one(256, 3);
    of_one[7] += n;
    CHECK((counted(gpu, std::vector<std::uint8_t>(n, 7), 2) == of_one));
  }
}

TEST_CASE("a histogram of integers by range") {
  inputs::generator random;
  for (const unsigned n : {1u, 255u, 256u, 257u, 512u, 10007u}) {
    INFO("seed ", random.seed, ", n ", n);
    std::vector<int> x(n);
    std::vector<unsigned> u(n);
    for (int& v : x) v = static_cast<int>(random.engine()) / 1000000;
    for (unsigned& v : u) v = random.engine();
    for (const unsigned count : {1u, 100u, 257u, 1000u}) {
      check_range<int>(x, -1000, 3, count);
      check_range<int>(x, std::numeric_limits<int>::min(), 4000000, count);
      check_range<unsigned>(u, 5, 4194304, count);
    }
  }
}

TEST_CASE("a histogram of floats by range: infinities and NaN are in no bin") {
  inputs::generator random;
  auto x = random.floats(5003, -2, 2);
  x[0] = std::numeric_limits<float>::quiet_NaN();
  x[1] = std::numeric_limits<float>::infinity();
  x[2] = -x[1];
  check_range<float>(x, -1, 0.01f, 200);
  check_range<float>(x, -2, 1, 4);
  check_range<float>(std::vector<float>(1000, 0.25f), 0, 0.5f, 1);
}
