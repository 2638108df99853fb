#include <kernels/segmented.hpp>

#include <algorithm>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

/// Segments of 0 to `longest` elements, a few of them much longer.
std::vector<unsigned> offsets_of(inputs::generator& random, unsigned segments, unsigned longest) {
  std::vector<unsigned> out{0};
  for (unsigned s = 0; s < segments; ++s) {
    const unsigned most = random.engine() % 16 == 0 ? 20 * longest : longest;
    out.push_back(out.back() + random.engine() % (most + 1));
  }
  return out;
}

template <class T, class Op, unsigned Lanes>
std::vector<T> reduced(const std::vector<T>& x, const std::vector<unsigned>& offsets) {
  tg::device gpu;
  const auto segments = static_cast<unsigned>(offsets.size() - 1);
  auto on_x = gpu.upload(x.empty() ? std::vector<T>(1) : x);
  auto on_offsets = gpu.upload(offsets);
  auto y = gpu.upload(std::vector<T>(segments, inputs::poison<T>()));
  if constexpr (Lanes > 32) {
    gpu.launch(segmented_reduce_long<T, Op>, tg::grid(segments), on_x, on_offsets, y);
  } else {
    constexpr unsigned each = segments_of_block<Lanes>;
    gpu.launch(segmented_reduce<T, Op, Lanes>, tg::grid((segments + each - 1) / each), on_x, on_offsets, y, segments);
  }
  return y.to_host();
}

template <class T, unsigned Lanes> void check(unsigned longest) {
  inputs::generator random;
  for (const unsigned segments : {1u, 7u, 8u, 9u, 256u, 301u}) {
    INFO("seed ", random.seed, ", segments ", segments, ", lanes ", Lanes);
    const auto offsets = offsets_of(random, segments, longest);
    std::vector<T> x(offsets.back());
    for (T& v : x) v = static_cast<T>(static_cast<int>(random.engine() % 2001) - 1000);
    std::vector<T> sums(segments), largest(segments, maximum::identity<T>());
    for (unsigned s = 0; s < segments; ++s)
      for (unsigned i = offsets[s]; i < offsets[s + 1]; ++i) sums[s] += x[i], largest[s] = std::max(largest[s], x[i]);
    // Sums of few integers are exact in any order, also as floats.
    CHECK((reduced<T, addition, Lanes>(x, offsets) == sums));
    CHECK((reduced<T, maximum, Lanes>(x, offsets) == largest));
  }
}

}  // namespace

TEST_CASE("short segments, by one lane to a warp each") {
  check<float, 1>(5);
  check<int, 4>(9);
  check<float, 32>(70);
  check<double, 8>(20);
  check<std::int64_t, 32>(40);
}

TEST_CASE("long segments, by a block each") {
  check<float, 256>(300);
  check<std::uint64_t, 256>(257);
}

TEST_CASE("sums of floats in any order keep their bound; infinity and NaN stay in their segment") {
  inputs::generator random;
  INFO("seed ", random.seed);
  auto x = random.floats(5000);
  const std::vector<unsigned> offsets{0, 1000, 1001, 1001, 4000, 5000};
  x[1000] = std::numeric_limits<float>::quiet_NaN();
  x[4500] = std::numeric_limits<float>::infinity();
  const auto check_sums = [&](const std::vector<float>& y, double steps) {
    for (const std::size_t s : {0, 3}) {
      double sum = 0, size = 0;
      for (unsigned i = offsets[s]; i < offsets[s + 1]; ++i) sum += x[i], size += std::abs(x[i]);
      CHECK(std::abs(y[s] - sum) <= steps * inputs::unit_roundoff * size);
    }
    CHECK(std::isnan(y[1]));
    CHECK(y[2] == 0);
    CHECK(std::isinf(y[4]));
  };
  check_sums(reduced<float, addition, 32>(x, offsets), 3000.0 / 32 + 6);
  check_sums(reduced<float, addition, 256>(x, offsets), 3000.0 / 256 + 14);
}
