// Filters of RGB pictures: blurs, edges, and both in one.
#pragma once

#include <algorithm>
#include <type_traits>

#include <kernels/blur.hpp>
#include <kernels/blur_sobel.hpp>
#include <kernels/reference/blur.hpp>
#include <kernels/reference/sobel.hpp>
#include <kernels/sobel.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// The samples of a picture within `bound`: floats; or bytes, which end at 255 and are rounded once more.
template <class Sample> expectation samples_of(tg::kernels::reference::rgb_picture picture, double bound) {
  if constexpr (!std::is_same_v<Sample, float>) {
    for (double& v : picture.samples) v = std::min(v, 1.0) * 255;
    bound = 0.5 + 255 * bound;
  }
  return within(std::move(picture.samples), [&](std::size_t) { return bound; });
}
/// A block for each 4 rows of 32 pixels.
inline auto grid_of_pixels(const shape& s) { return tg::grid((s.n + 31) / 32, (s.m + 3) / 4); }

/// A picture of m rows of n pixels.
template <int Radius>
inline constexpr auto try_blur_horizontal = [](auto& t, const shape& s) {
  namespace reference = tg::kernels::reference;
  constexpr float sigma = 1;
  const int width = static_cast<int>(s.n), height = static_cast<int>(s.m);
  const auto x = t.template integers<std::uint8_t>(std::size_t{s.m} * 3 * s.n);
  const auto wanted = reference::blur_horizontal(reference::to_picture(x, width, height), Radius, double{sigma});
  t.launch(grid_of_pixels(s), t.in(x, s.m, 3 * s.n),
           t.template out<float>(samples_of<float>(wanted, reference::blur_bound(Radius)), s.m, 3 * s.n), width, height, sigma);
};
template <int Radius>
inline constexpr auto try_blur_vertical = [](auto& t, const shape& s) {
  namespace reference = tg::kernels::reference;
  constexpr float sigma = 1;
  const int width = static_cast<int>(s.n), height = static_cast<int>(s.m);
  const auto x = t.floats(std::size_t{s.m} * 3 * s.n, 0, 1);
  const auto wanted = reference::blur_vertical({width, height, {x.begin(), x.end()}}, Radius, double{sigma});
  t.launch(grid_of_pixels(s), t.in(x, s.m, 3 * s.n),
           t.template out<float>(samples_of<float>(wanted, reference::blur_bound(Radius)), s.m, 3 * s.n), width, height, sigma);
};
template <class Sample>
inline constexpr auto try_sobel = [](auto& t, const shape& s) {
  namespace reference = tg::kernels::reference;
  const int width = static_cast<int>(s.n), height = static_cast<int>(s.m);
  const auto x = t.floats(std::size_t{s.m} * 3 * s.n, 0, 1);
  const auto wanted = reference::sobel({width, height, {x.begin(), x.end()}});
  t.launch(grid_of_pixels(s), t.in(x, s.m, 3 * s.n),
           t.template out<Sample>(samples_of<Sample>(wanted, reference::sobel_bound), s.m, 3 * s.n), width, height);
};
template <int Radius, class Sample>
inline constexpr auto try_blur_sobel = [](auto& t, const shape& s) {
  namespace reference = tg::kernels::reference;
  constexpr float sigma = 1.5f;
  constexpr double bound = 1e-5;  // what the kernel promises
  const int width = static_cast<int>(s.n), height = static_cast<int>(s.m);
  const auto x = t.template integers<std::uint8_t>(std::size_t{s.m} * 3 * s.n);
  const auto along = reference::blur_horizontal(reference::to_picture(x, width, height), Radius, double{sigma});
  const auto wanted = reference::sobel(reference::blur_vertical(along, Radius, double{sigma}));
  t.launch(tg::kernels::blur_sobel_grid(width, height), t.in(x, s.m, 3 * s.n),
           t.template out<Sample>(samples_of<Sample>(wanted, bound), s.m, 3 * s.n), width, height, sigma);
};

constexpr facts of_rgb(shape large, twin other = {}) { return {.family = "pictures", .other = other, .large = large}; }

}  // namespace detail

inline constexpr row blur_horizontal{tg::kernels::blur_horizontal<2>, detail::of_rgb({128, 512}), matrices(4, 32),
                                     detail::try_blur_horizontal<2>};
inline constexpr row blur_vertical{tg::kernels::blur_vertical<2>, detail::of_rgb({128, 512}), matrices(4, 32),
                                   detail::try_blur_vertical<2>};
inline constexpr row blur_sobel_of_floats{tg::kernels::blur_sobel<2, float>, detail::of_rgb({160, 240}), matrices(16, 30),
                                          detail::try_blur_sobel<2, float>};
inline constexpr row blur_sobel_of_bytes{tg::kernels::blur_sobel<1, std::uint8_t>, detail::of_rgb({160, 240}), matrices(16, 30),
                                         detail::try_blur_sobel<1, std::uint8_t>};
inline constexpr row blur_sobel_wide{tg::kernels::blur_sobel<3, std::uint8_t>,
                                     detail::of_rgb({320, 480}, {"blur_sobel.cu", "blur_sobel"}), matrices(16, 30),
                                     detail::try_blur_sobel<3, std::uint8_t>};
inline constexpr row sobel_of_floats{tg::kernels::sobel<float>, detail::of_rgb({128, 512}), matrices(4, 32),
                                     detail::try_sobel<float>};
inline constexpr row sobel_of_bytes{tg::kernels::sobel<std::uint8_t>, detail::of_rgb({128, 512}), matrices(4, 32),
                                    detail::try_sobel<std::uint8_t>};

template <class Ask> void each_of_rgb_pictures(Ask ask) {
  ask(blur_horizontal);
  ask(blur_vertical);
  ask(blur_sobel_of_floats);
  ask(blur_sobel_of_bytes);
  ask(blur_sobel_wide);
  ask(sobel_of_floats);
  ask(sobel_of_bytes);
}

}  // namespace registry
