// Points in space: who is near to whom.
#pragma once

#include <kernels/nearest.hpp>
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

}  // namespace detail

inline constexpr row nearest{
    tg::kernels::nearest<8, 3>,
    {.family = "points", .large = {1024, 4096}},
    [] { return std::vector<shape>{{1, 1}, {127, 127}, {128, 128}, {129, 129}, {256, 7}, {5, 1009}, {97, 8}}; },
    detail::try_nearest<8, 3>};

template <class Ask> void each_of_points(Ask ask) { ask(nearest); }

}  // namespace registry
