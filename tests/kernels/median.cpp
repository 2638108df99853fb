#include <kernels/median.hpp>

#include <doctest/doctest.h>

#include <algorithm>

#include <kernels/reference/grey.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

template <class T> std::vector<T> samples(inputs::generator& random, std::size_t count) {
  if constexpr (std::is_same_v<T, std::uint8_t>) return random.bytes(count);
  else return random.floats(count, -100, 100);
}

template <class T, int Size> std::vector<T> filtered(const std::vector<T>& x, int width, int height) {
  tg::device gpu;
  const auto w = static_cast<std::size_t>(width), h = static_cast<std::size_t>(height);
  inputs::rows<T> from(gpu, x, h, w, w + 3), to(gpu, h, w, w + 5);
  gpu.launch(median<T, Size>, median_grid<T>(unsigned(width), unsigned(height)), from.matrix(), to.matrix(), width, height);
  return to.to_host();
}

template <class T, int Size> void check() {
  inputs::generator random;
  for (const int width : {1, 2, 31, 32, 33, 63, 64, 65, 97, 128})
    for (const int height : {1, 2, 15, 16, 17, 37}) {
      INFO("seed ", random.seed, ", width ", width, ", height ", height, ", size ", Size);
      auto x = samples<T>(random, static_cast<std::size_t>(width * height));
      for (std::size_t i = 0; i < x.size(); i += 3) x[i] = x[i / 2];  // equal samples
      const auto wanted = reference::median({x, width, height}, Size);
      const auto found = filtered<T, Size>(x, width, height);
      CHECK((std::vector<double>(found.begin(), found.end()) == wanted));
    }
}

/// Whether a network finds the middle of all numbers 0 and 1, and so, since it compares and exchanges only, of any.
template <int Size> bool selects_middle() {
  constexpr auto first = detail::median_of_shared_rows<Size>;
  constexpr auto second = detail::median_of_rest<Size>;
  const auto run = [](const auto& network, std::vector<int>& r) {
    for (int i = 0; i < network.count; ++i) {
      auto& low = r[static_cast<std::size_t>(network.steps[static_cast<std::size_t>(i)].low)];
      auto& high = r[static_cast<std::size_t>(network.steps[static_cast<std::size_t>(i)].high)];
      if (low > high) std::swap(low, high);
    }
  };
  constexpr int count = Size * Size;
  for (unsigned bits = 0; bits < 1u << count; ++bits) {
    std::vector<int> shared, rest;
    for (int i = 0; i < count - Size; ++i) shared.push_back(int(bits >> i & 1));
    run(first, shared);
    for (int i = 0; i < first.left_count; ++i) rest.push_back(shared[static_cast<std::size_t>(first.at(i))]);
    for (int i = count - Size; i < count; ++i) rest.push_back(int(bits >> i & 1));
    run(second, rest);
    int ones = 0;
    for (int i = 0; i < count; ++i) ones += int(bits >> i & 1);
    if (rest[static_cast<std::size_t>(second.at(0))] != (ones > count / 2)) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("medians of bytes and floats") {
  check<std::uint8_t, 3>();
  check<std::uint8_t, 5>();
  check<float, 3>();
  check<float, 5>();
}

TEST_CASE("infinities, zeros and the smallest numbers have their place") {
  constexpr float infinite = std::numeric_limits<float>::infinity(), least = std::numeric_limits<float>::denorm_min();
  const std::vector<float> x{infinite, -infinite, least, 0, -least, infinite, infinite, -infinite, 3};
  const auto found = filtered<float, 3>(x, 3, 3);
  const auto wanted = reference::median({x, 3, 3}, 3);
  CHECK((std::vector<double>(found.begin(), found.end()) == wanted));
}

TEST_CASE("the network of nine finds the middle of all numbers") {
  static_assert(detail::median_of_rest<3>.left_count == 1 && detail::median_of_rest<5>.left_count == 1);
  static_assert(detail::median_of_shared_rows<3>.count == 7 && detail::median_of_rest<3>.count == 13);
  static_assert(detail::median_of_shared_rows<5>.count == 103 && detail::median_of_rest<5>.count == 29);
  CHECK(selects_middle<3>());
}
