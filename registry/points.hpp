// Points in space: who is near to whom, and what pulls on them.
#pragma once

#include <kernels/n_body.hpp>
#include <kernels/nearest.hpp>
#include <kernels/reference/n_body.hpp>
#include <kernels/reference/nearest.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// m queries, n points. Coordinates are small integers, so that distances are exact and many are equal.
template <int K, int Dimensions>
inline constexpr auto try_nearest = [](auto& t, const shape& s) {
  constexpr std::size_t dimensions = Dimensions;
  std::vector<float> points, queries;
  for (const int x : t.template integers<int>(dimensions * s.n, -20, 20)) points.push_back(static_cast<float>(x));
  for (const int x : t.template integers<int>(dimensions * s.m, -20, 20)) queries.push_back(static_cast<float>(x));
  std::vector<double> distances(std::size_t{K} * s.m);
  std::vector<unsigned> found(distances.size());
  for (std::size_t q = 0; q < s.m; ++q) {
    std::vector<float> query;
    for (std::size_t d = 0; d < dimensions; ++d) query.push_back(queries[d * s.m + q]);
    std::size_t at = q;
    for (const auto& [distance, point] : tg::kernels::reference::nearest(points, s.n, query, K)) {
      distances[at] = distance, found[at] = point;
      at += s.m;
    }
  }
  t.launch(tg::kernels::nearest_grid(s.m), t.in(points, Dimensions, s.n), t.in(queries, Dimensions, s.m),
           t.template out<float>(exactly(distances), K, s.m), t.template out<unsigned>(exactly(found), K, s.m), s.n, s.m);
};

/// n bodies in a cube. A term is off by 24 units, and each is added to a sum.
inline constexpr auto try_n_body = [](auto& t, const shape& s) {
  auto bodies = t.floats(std::size_t{4} * s.n);
  for (std::size_t i = 3; i < bodies.size(); i += 4) bodies[i] = 1 + bodies[i] / 2;
  constexpr float softening = 0.05f, g = 0.5f;
  auto wanted = tg::kernels::reference::n_body(bodies, softening, g);
  auto after = within(wanted.value, [&](std::size_t i) { return (24 + s.n) * 0x1p-24 * wanted.size[i]; });
  t.launch(tg::kernels::n_body_grid(s.n), t.in(bodies), t.template out<float>(std::move(after)), s.n, softening, g);
};

}  // namespace detail

inline constexpr row nearest{
    tg::kernels::nearest<8, 3>,
    {.family = "points", .other = {"points.cu", "nearest"}, .large = {1024, 4096}},
    [] { return std::vector<shape>{{1, 1}, {127, 127}, {128, 128}, {129, 129}, {256, 7}, {5, 1009}, {97, 8}}; },
    detail::try_nearest<8, 3>};

inline constexpr row n_body{
    tg::kernels::n_body,
    {.family = "points", .other = {"points.cu", "n_body"}, .large = {1, 4096}},
    [] { return std::vector<shape>{{1, 1}, {1, 2}, {1, 255}, {1, 256}, {1, 257}, {1, 512}, {1, 1009}}; },
    detail::try_n_body};

template <class Ask> void each_of_points(Ask ask) {
  ask(nearest);
  ask(n_body);
}

}  // namespace registry
