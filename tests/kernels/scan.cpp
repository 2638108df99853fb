#include <kernels/scan.hpp>

#include <numeric>
#include <type_traits>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

template <class T, class Op, scan_kind Kind> std::vector<T> scanned(tg::device& gpu, const std::vector<T>& x) {
  const auto n = static_cast<unsigned>(x.size());
  auto on_x = gpu.upload(x), y = gpu.upload(std::vector<T>(n, inputs::poison<T>()));
  auto scratch = gpu.zeros<std::uint64_t>(scan_scratch<T>(n));
  gpu.launch(scan<T, Op, Kind>, tg::grid(scan_blocks<T>(n)), on_x, y, scratch, n);
  CHECK(scratch.to_host() == std::vector<std::uint64_t>(scratch.size()));
  return y.to_host();
}

template <class T> std::vector<T> integers(inputs::generator& random, unsigned n) {
  std::vector<T> x(n);
  for (T& v : x) v = static_cast<T>(random.engine()) * static_cast<T>(sizeof(T) == 8 ? 0x100000001 : 1);
  return x;
}

template <class T> std::vector<unsigned> sizes() {
  constexpr unsigned part = scan_part<T>;
  return {1, 2, 3, 5, 127, part - 1, part, part + 1, 2 * part, 2 * part + 3, 40009};
}

template <class T> void check_integers() {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned n : sizes<T>()) {
    INFO("seed ", random.seed, ", n ", n);
    const auto x = integers<T>(random, n);
    std::vector<T> sums(n), earlier(n), largest(n);
    using word = std::make_unsigned_t<T>;  // sums that overflow wrap around
    const auto add = [](T a, T b) { return static_cast<T>(word(a) + word(b)); };
    std::inclusive_scan(x.begin(), x.end(), sums.begin(), add);
    std::exclusive_scan(x.begin(), x.end(), earlier.begin(), T{0}, add);
    std::inclusive_scan(x.begin(), x.end(), largest.begin(), [](T a, T b) { return std::max(a, b); });
    CHECK((scanned<T, addition, scan_kind::inclusive>(gpu, x) == sums));
    CHECK((scanned<T, addition, scan_kind::exclusive>(gpu, x) == earlier));
    CHECK((scanned<T, maximum, scan_kind::inclusive>(gpu, x) == largest));
  }
}

template <class T> void check_floats() {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned n : sizes<T>()) {
    INFO("seed ", random.seed, ", n ", n);
    std::vector<T> x(n);
    for (T& v : x) v = random.between(-1, 1);
    const auto y = scanned<T, addition, scan_kind::inclusive>(gpu, x);
    const double roundoff = std::numeric_limits<T>::epsilon() / 2;
    long double sum = 0, size = 0;
    double worst = 0;
    for (unsigned i = 0; i < n; ++i) {
      sum += x[i];
      size += std::abs(x[i]);
      // Additions on the way of an element: in its thread, its warp, its block, and one for each part.
      const double bound = (30 + scan_blocks<T>(n)) * roundoff * static_cast<double>(size);
      worst = std::max(worst, static_cast<double>(std::abs(y[i] - sum)) / bound);
    }
    CHECK(worst <= 1);
  }
}

/// x -> a * x + b as one 32-bit word: an operator that is associative and not commutative.
struct composition {
  template <class A, class B> auto operator()(const A& first, const B& then) const {
    const auto slope = (first & 0xffffu) * (then & 0xffffu) & 0xffffu;
    return slope | ((first >> 16u) * (then & 0xffffu) + (then >> 16u)) << 16u;
  }
  template <class T> static constexpr T identity() { return 1; }
};

}  // namespace

TEST_CASE("scans of integers of 32 and 64 bits") {
  check_integers<int>();
  check_integers<unsigned>();
  check_integers<std::int64_t>();
  check_integers<std::uint64_t>();
}

TEST_CASE("scans of floats and doubles") {
  check_floats<float>();
  check_floats<double>();
}

TEST_CASE("a scan keeps the order of operands that do not commute") {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned n : {5u, 4097u, 30011u}) {
    INFO("seed ", random.seed, ", n ", n);
    const auto x = integers<unsigned>(random, n);
    std::vector<unsigned> wanted(n);
    std::inclusive_scan(x.begin(), x.end(), wanted.begin(), composition{});
    CHECK((scanned<unsigned, composition, scan_kind::inclusive>(gpu, x) == wanted));
  }
}

TEST_CASE("infinities and NaN stay in the sums after them") {
  tg::device gpu;
  std::vector<float> x(9001, 1.0f);
  x[5000] = std::numeric_limits<float>::infinity();
  x[7000] = -std::numeric_limits<float>::infinity();
  const auto y = scanned<float, addition, scan_kind::inclusive>(gpu, x);
  CHECK(y[4999] == 5000);
  CHECK(std::isinf(y[6999]));
  CHECK(std::isnan(y[9000]));
}
