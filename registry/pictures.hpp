// Filters of grey pictures.
#pragma once

#include <kernels/bilateral.hpp>
#include <kernels/equalize.hpp>
#include <kernels/median.hpp>
#include <kernels/reference/equalize.hpp>
#include <kernels/reference/grey.hpp>
#include <kernels/resize.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// A picture of m rows of n samples: bytes, or floats.
template <class T, class Trial> std::vector<T> any_picture(Trial& t, const shape& s) {
  const std::size_t count = std::size_t{s.m} * s.n;
  if constexpr (std::is_same_v<T, std::uint8_t>) return t.template integers<T>(count);
  else return t.template floats<T>(count);
}

template <class T, int Size>
inline constexpr auto try_median = [](auto& t, const shape& s) {
  const auto x = any_picture<T>(t, s);
  const int height = static_cast<int>(s.m), width = static_cast<int>(s.n);
  auto after = exactly(tg::kernels::reference::median({x, width, height}, Size));
  t.launch(tg::kernels::median_grid<T>(s.n, s.m), t.in(x, s.m, s.n), t.template out<T>(std::move(after), s.m, s.n), width,
           height);
};

/// Bytes are rounded once more, to nearest.
template <class T, int Radius>
inline constexpr auto try_bilateral = [](auto& t, const shape& s) {
  const auto x = any_picture<T>(t, s);
  const int height = static_cast<int>(s.m), width = static_cast<int>(s.n);
  constexpr bool is_byte = sizeof(T) == 1;
  const float space = 1.5f, range = is_byte ? 60 : 0.4f;
  const auto wanted = tg::kernels::reference::bilateral({x, width, height}, Radius, space, range);
  auto after = within(wanted.value, [&](std::size_t i) { return wanted.bound[i] + (is_byte ? 0.5 : 0); });
  t.launch(tg::kernels::bilateral_grid(s.n, s.m), t.in(x, s.m, s.n), t.template out<T>(std::move(after), s.m, s.n), width,
           height, space, range);
};

/// To k rows, and as many columns more or less in proportion. Bytes are rounded once more, to nearest, and end at 0 and 255.
template <class T, tg::kernels::interpolation How>
inline constexpr auto try_resize = [](auto& t, const shape& s) {
  using tg::kernels::interpolation;
  const auto x = any_picture<T>(t, s);
  const unsigned rows = s.k, columns = s.n * s.k / s.m + 1;
  const int height = static_cast<int>(s.m), width = static_cast<int>(s.n);
  const int out_height = static_cast<int>(rows), out_width = static_cast<int>(columns);
  constexpr bool is_byte = sizeof(T) == 1;
  constexpr double cubic = How == interpolation::bilinear ? 0 : How == interpolation::bicubic ? -0.75 : -0.5;
  auto wanted = tg::kernels::reference::resize({x, width, height}, out_width, out_height, cubic);
  if (is_byte)
    for (double& v : wanted.value) v = std::clamp(v, 0.0, 255.0);
  auto after = within(wanted.value, [&](std::size_t i) { return wanted.bound[i] + (is_byte ? 0.5 : 0); });
  t.launch(tg::kernels::resize_grid(columns, rows), t.in(x, s.m, s.n), t.template out<T>(std::move(after), rows, columns),
           width, height, out_width, out_height);
};
inline std::vector<shape> resized_shapes() {
  return {{1, 1, 1}, {3, 5, 1}, {7, 31, 33}, {32, 32, 32}, {33, 40, 13}, {16, 64, 31}, {13, 97, 64}};
}

/// A picture of n bytes that are not all.
inline constexpr auto try_equalize_table = [](auto& t, const shape& s) {
  std::vector<unsigned> bins(256);
  for (const std::uint8_t v : t.template integers<std::uint8_t>(s.n, 17, 233)) ++bins[v];
  auto wanted = exactly(tg::kernels::reference::equalize_table(bins));
  t.launch(tg::grid(1), t.template in_out<unsigned>(bins, exactly(std::vector<unsigned>(256))),
           t.template out<std::uint8_t>(std::move(wanted)));
};
inline constexpr auto try_map_bytes = [](auto& t, const shape& s) {
  const auto x = t.template integers<std::uint8_t>(s.n), table = t.template integers<std::uint8_t>(256);
  std::vector<std::uint8_t> wanted;
  for (const std::uint8_t v : x) wanted.push_back(table[v]);
  t.launch(tg::grid(3), t.in(x), t.in(table), t.template out<std::uint8_t>(exactly(wanted)), s.n);
};

}  // namespace detail

inline constexpr row median_of_bytes{
    tg::kernels::median<std::uint8_t, 3>,
    {.family = "pictures", .least_sm = 80, .other = {"pictures.cu", "median_of_bytes"}, .large = {256, 1024}},
    matrices(16, 64),
    detail::try_median<std::uint8_t, 3>};
inline constexpr row median_of_floats{
    tg::kernels::median<float, 5>,
    {.family = "pictures", .other = {"pictures.cu", "median_of_floats"}, .large = {256, 1024}},
    matrices(16, 32),
    detail::try_median<float, 5>};
inline constexpr row bilateral_of_bytes{
    tg::kernels::bilateral<std::uint8_t, 3>,
    {.family = "pictures", .other = {"pictures.cu", "bilateral_of_bytes"}, .large = {256, 1024}},
    matrices(16, 32),
    detail::try_bilateral<std::uint8_t, 3>};
inline constexpr row bilateral_of_floats{
    tg::kernels::bilateral<float, 2>,
    {.family = "pictures", .other = {"pictures.cu", "bilateral_of_floats"}, .large = {256, 1024}},
    matrices(16, 32),
    detail::try_bilateral<float, 2>};
inline constexpr row resize_bilinear{
    tg::kernels::resize<float>,
    {.family = "pictures", .other = {"pictures.cu", "resize_bilinear"}, .large = {256, 256, 512}},
    detail::resized_shapes,
    detail::try_resize<float, tg::kernels::interpolation::bilinear>};
inline constexpr row resize_bicubic{
    tg::kernels::resize<std::uint8_t, tg::kernels::interpolation::bicubic>,
    {.family = "pictures", .other = {"pictures.cu", "resize_bicubic"}, .large = {256, 256, 512}},
    detail::resized_shapes,
    detail::try_resize<std::uint8_t, tg::kernels::interpolation::bicubic>};
inline constexpr row equalize_table{
    tg::kernels::equalize_table,
    {.family = "pictures", .other = {"histograms.cu", "equalize_table"}, .large = {1, 1u << 20}},
    lines(256),
    detail::try_equalize_table};
inline constexpr row map_bytes{tg::kernels::map_bytes,
                               {.family = "pictures", .other = {"histograms.cu", "map_bytes"}, .large = {1, 1u << 20}},
                               lines(4096),
                               detail::try_map_bytes};

template <class Ask> void each_of_pictures(Ask ask) {
  ask(bilateral_of_bytes);
  ask(bilateral_of_floats);
  ask(equalize_table);
  ask(map_bytes);
  ask(median_of_bytes);
  ask(median_of_floats);
  ask(resize_bilinear);
  ask(resize_bicubic);
}

}  // namespace registry
