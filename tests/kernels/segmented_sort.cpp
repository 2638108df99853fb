#include <kernels/segmented_sort.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

template <class Key> struct sorted_line {
  std::vector<Key> keys;
  std::vector<unsigned> places;
};

template <class Key, unsigned Most>
sorted_line<Key> sorted(const std::vector<Key>& keys, const std::vector<unsigned>& offsets) {
  tg::device gpu;
  const auto segments = static_cast<unsigned>(offsets.size() - 1);
  const auto on_keys = gpu.upload(keys.empty() ? std::vector<Key>(1) : keys);
  const auto on_offsets = gpu.upload(offsets);
  const std::size_t size = std::max<std::size_t>(keys.size(), 1);
  auto out = gpu.upload(std::vector<Key>(size, inputs::poison<Key>()));
  auto places = gpu.upload(std::vector<unsigned>(size, inputs::poison<unsigned>()));
  gpu.launch(sort_segments<Key, Most>, sort_segments_grid<Most>(segments), on_offsets, on_keys, out, places, segments);
  return {out.to_host(), places.to_host()};
}

template <class Key> bool is_before(Key a, Key b) {
  if constexpr (std::is_floating_point_v<Key>) return a < b || (a == b && std::signbit(a) && !std::signbit(b));
  else return a < b;
}

template <class Key, unsigned Most> void check(unsigned segments, std::int64_t low, std::int64_t high) {
  inputs::generator random;
  INFO("seed ", random.seed, ", most ", Most);
  std::vector<unsigned> offsets{0};
  for (unsigned s = 0; s < segments; ++s) {
    const unsigned lengths[] = {0, 1, 2, 31, 32, Most / 2, Most / 2 + 1, Most - 1, Most};
    const unsigned length = random.engine() % 2 == 0 ? lengths[random.engine() % 9] : random.engine() % (Most + 1);
    offsets.push_back(offsets.back() + length);
  }
  std::vector<Key> keys(offsets.back());
  std::uniform_int_distribution<std::int64_t> any(low, high);
  for (Key& key : keys) key = static_cast<Key>(any(random.engine));
  const auto found = sorted<Key, Most>(keys, offsets);
  for (unsigned s = 0; s < segments; ++s) {
    const unsigned begin = offsets[s], count = offsets[s + 1] - begin;
    std::vector<unsigned> order(count);
    for (unsigned i = 0; i < count; ++i) order[i] = i;
    std::stable_sort(order.begin(), order.end(),
                     [&](unsigned a, unsigned b) { return is_before(keys[begin + a], keys[begin + b]); });
    bool is_right = true;
    for (unsigned i = 0; i < count; ++i)
      is_right = is_right && found.places[begin + i] == order[i] && found.keys[begin + i] == keys[begin + order[i]];
    CHECK(is_right);
  }
}

}  // namespace

TEST_CASE("segments that a warp sorts") {
  check<unsigned, 32>(37, 0, 0xffffffff);
  check<int, 64>(19, std::numeric_limits<int>::min(), std::numeric_limits<int>::max());
  check<float, 32>(8, -20, 20);
  check<int, 256>(9, -3, 3);
}

TEST_CASE("segments that a block sorts") {
  check<unsigned, 512>(7, 0, 0xffffffff);
  check<float, 2048>(4, -1000, 1000);
}

TEST_CASE("signs of zeros, infinities and numbers that are none have their places") {
  const float none = std::numeric_limits<float>::quiet_NaN(), large = std::numeric_limits<float>::infinity();
  const std::vector<float> keys{none, 0.0f, -0.0f, large, -1.0f, -large, 0.0f, -none};
  const auto found = sorted<float, 32>(keys, {0, 8});
  CHECK(found.places == std::vector<unsigned>{7, 5, 4, 2, 1, 6, 3, 0});
}

TEST_CASE("a single segment, and the largest keys") {
  const auto found = sorted<unsigned, 32>({0xffffffff, 0xffffffff, 0}, {0, 3});
  CHECK(found.places == std::vector<unsigned>{2, 0, 1});
  CHECK(sorted<unsigned, 512>({5}, {0, 0, 1, 1}).keys.front() == 5);
}
