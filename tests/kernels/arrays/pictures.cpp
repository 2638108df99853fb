#include <kernels/arrays/pictures.hpp>

#include <cmath>

#include <kernels/reference/equalize.hpp>
#include <kernels/reference/grey.hpp>

#include "../../tile/tiles.hpp"
#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using refusals::code_of_error;
namespace reference = tg::kernels::reference;

template <class T> std::vector<T> samples(inputs::generator& random, std::int64_t count) {
  std::vector<T> out(static_cast<std::size_t>(count));
  for (T& x : out) x = std::is_same_v<T, float> ? static_cast<T>(random.between(0, 1)) : static_cast<T>(random.engine());
  return out;
}

/// Calls `f(picture)` for each picture of a stack and joins what it returns.
template <class T, class F> std::vector<double> of_each(const std::vector<T>& stack, int height, int width, F f) {
  std::vector<double> out;
  const auto pixels = static_cast<std::size_t>(height * width);
  for (std::size_t first = 0; first < stack.size(); first += pixels) {
    const auto begin = stack.begin() + static_cast<std::ptrdiff_t>(first);
    const auto own =
        f(reference::grey_picture(std::vector<T>(begin, begin + static_cast<std::ptrdiff_t>(pixels)), width, height));
    out.insert(out.end(), own.begin(), own.end());
  }
  return out;
}
/// The largest error relative to its bound; bytes have the rounding to bytes more.
template <class T> double worst_of(const std::vector<T>& found, std::vector<double> wanted, const std::vector<double>& bound) {
  REQUIRE(found.size() == wanted.size());
  tiles::excess excess;
  for (std::size_t i = 0; i < found.size(); ++i) {
    const bool is_byte = std::is_same_v<T, std::uint8_t>;
    excess(double(found[i]), is_byte ? std::clamp(wanted[i], 0.0, 255.0) : wanted[i], bound[i] + (is_byte ? 0.5 : 0) + 1e-9);
  }
  return excess.worst;
}

struct size { int pictures, height, width; };
constexpr size sizes[] = {{1, 1, 1}, {2, 17, 31}, {3, 33, 65}};

template <class T> void check_filters() {
  tg::device gpu;
  inputs::generator random;
  for (const size& of : sizes) {
    const int pictures = of.pictures, height = of.height, width = of.width;
    INFO("seed ", random.seed, ", height ", height, ", width ", width);
    const auto host = samples<T>(random, pictures * height * width);
    const tg::array<T, 3> x(gpu, {pictures, height, width}, host);
    const auto median = [&](int window) {
      return of_each(host, height, width, [&](const auto& p) { return reference::median(p, window); });
    };
    CHECK(tg::median_filter(x).template to<std::vector<double>>() == median(3));
    CHECK(tg::median_filter<5>(x).template to<std::vector<double>>() == median(5));
    const float range = std::is_same_v<T, float> ? 0.3f : 60.0f;
    std::vector<double> bound;
    const auto wanted = of_each(host, height, width, [&](const auto& p) {
      const auto own = reference::bilateral(p, 2, 1.5, double{range});
      bound.insert(bound.end(), own.bound.begin(), own.bound.end());
      return own.value;
    });
    CHECK(worst_of(tg::bilateral_filter<2>(x, 1.5f, range).to_host(), wanted, bound) <= 1);
  }
}

template <class T> void check_resize(tg::interpolation how, double cubic) {
  tg::device gpu;
  inputs::generator random;
  for (const size& of : sizes)
    for (const auto& to : {std::pair{5, 7}, std::pair{of.height, of.width}, std::pair{40, 99}}) {
      const int pictures = of.pictures, height = of.height, width = of.width, lines = to.first, columns = to.second;
      INFO("seed ", random.seed, ", height ", height, ", width ", width, ", to ", lines, " and ", columns);
      const auto host = samples<T>(random, pictures * height * width);
      const tg::array<T, 3> x(gpu, {pictures, height, width}, host);
      std::vector<double> bound;
      const auto wanted = of_each(host, height, width, [&](const auto& p) {
        const auto own = reference::resize(p, columns, lines, cubic);
        bound.insert(bound.end(), own.bound.begin(), own.bound.end());
        return own.value;
      });
      const auto y = tg::resize(x, {lines, columns}, how);
      CHECK(y.shape() == tg::array_shape<3>(pictures, lines, columns));
      CHECK(worst_of(y.to_host(), wanted, bound) <= 1);
    }
}

}  // namespace

TEST_CASE("medians and bilateral filters of stacks of pictures") {
  check_filters<float>();
  check_filters<std::uint8_t>();
}
TEST_CASE("pictures of another size") {
  check_resize<float>(tg::interpolation::bilinear, 0);
  check_resize<float>(tg::interpolation::bicubic, -0.75);
  check_resize<std::uint8_t>(tg::interpolation::catmull_rom, -0.5);
}

TEST_CASE("bytes are spread over all values") {
  tg::device gpu;
  inputs::generator random;
  for (const std::int64_t width : {1, 13, 1009}) {
    INFO("seed ", random.seed, ", width ", width);
    auto host = samples<std::uint8_t>(random, 7 * width);
    for (auto& each : host) each = static_cast<std::uint8_t>(each / 5 + 20);
    std::vector<unsigned> bins(256);
    for (const auto each : host) ++bins[each];
    const auto table = reference::equalize_table(bins);
    std::vector<std::uint8_t> wanted;
    for (const auto each : host) wanted.push_back(table[each]);
    CHECK(tg::equalize(tg::array<std::uint8_t, 2>(gpu, {7, width}, host)).to_host() == wanted);
  }
}

TEST_CASE("a slice of a picture, no pictures, and what is refused") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const tg::array<float, 2> x(gpu, {20, 30}, random.floats(600));
  const auto part = x(tg::range(3, 15), tg::range(5, 26));
  CHECK(tg::median_filter(part).to_host() == tg::median_filter(tg::eval(part * 1.0f)).to_host());
  const tg::array<float, 3> none(gpu, {0, 4, 4}), flat(gpu, {1, 0, 4});
  CHECK(tg::median_filter(none).size() == 0);
  CHECK(tg::resize(none, {2, 2}).shape() == tg::array_shape<3>(0, 2, 2));
  CHECK(tg::equalize(tg::array<std::uint8_t, 1>(gpu, {0})).size() == 0);
  CHECK(code_of_error([&] { tg::resize(x, {0, 5}); }) == 705);
  CHECK(code_of_error([&] { tg::resize(flat, {2, 5}); }) == 705);
  CHECK(code_of_error([&] { tg::resize(x, {1 << 30, 5}); }) == 705);
  CHECK(code_of_error([&] { tg::bilateral_filter(x, 0.0f, 1.0f); }) == 705);
}
