// The k nearest of many points to each query, by all distances. Coordinates lie apart: row d has coordinate d of all points.
//
// A thread has one query, and the K best points so far in registers, the nearest first. Points come through shared memory in
// tiles that all threads of a block read together, four points at a time.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/memory/vec_at.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

namespace detail {

/// The K smallest distances that were offered, with the points they belong to, in ascending order.
template <int K> class nearest_list {
 public:
  /// Takes a point in, if it is nearer than the last one here. Among equal distances those offered first stay in front.
  void offer(const value<float>& distance, const value<unsigned>& point) {
    tg::if_(distance < distances_(constant<K - 1>{}), [&] {
      for (int i = K - 1; i > 0; --i) {
        // Those behind move on by one, from the last to the first.
        const auto is_behind = tg::let(distance < distances_(i - 1));
        const auto is_before = tg::let(distance < distances_(i));
        distances_(i) = tg::select(is_behind, distances_(i - 1), tg::select(is_before, distance, distances_(i)));
        points_(i) = tg::select(is_behind, points_(i - 1), tg::select(is_before, point, points_(i)));
      }
      const auto is_first = tg::let(distance < distances_(0_c));
      distances_(0_c) = tg::select(is_first, distance, distances_(0_c));
      points_(0_c) = tg::select(is_first, point, points_(0_c));
    });
  }
  value<float> last() const { return distances_(constant<K - 1>{}).get(); }
  template <class I> value<float> distance(const I& i) const { return distances_(i).get(); }
  template <class I> value<unsigned> point(const I& i) const { return points_(i).get(); }

 private:
  tg::regs<float, K> distances_ = tg::infinity<float>;
  tg::regs<unsigned, K> points_ = ~0u;
};

}  // namespace detail

/// distance(i, q): the square of the distance of query q from the point that is i-th nearest to it, point(i, q): the number of
/// that point, for i < K; of equal distances the lower number comes first. points(d, p) is coordinate d of point p of n,
/// queries(d, q) that of query q of `count`. Where there are no K points the rest is infinity and 2^32 - 1. K: 1 to 32.
/// Dimensions: 1 to 32. Launch with `nearest_grid(count)`.
/// Requires: n and count, each with 128 more, below 2^32. Points at infinite or NaN distances are not found.
/// Units: a distance is a sum of squares of differences in float, in the order of coordinates, each with one rounding.
/// Cost: two operations for each coordinate of each pair, a read of shared memory for each four of them; each block reads all
/// points once.
template <int K, int Dimensions>
inline constexpr auto nearest = tg::kernel<"nearest">(
    tg::block<128>, [](auto block, tg::in2<float> points, tg::in2<float> queries, tg::out2<float> distance,
                       tg::out2<unsigned> point, tg::scalar<unsigned> n, tg::scalar<unsigned> count) {
      static_assert(K >= 1 && K <= 32, "nearest<K, Dimensions> requires K from 1 to 32");
      static_assert(Dimensions >= 1 && Dimensions <= 32, "nearest<K, Dimensions> requires 1 to 32 dimensions");
      const auto tile = tg::shared<float>(tg::shape<Dimensions, 128>);
      const auto lane = block.thread.x;
      const auto query = tg::let(block.global_index());
      tg::regs<float, Dimensions> own = 0.0f;
      tg::unroll<Dimensions>([&](auto d) { own(d) = queries(d, tg::min(query, count - 1_c)); });
      detail::nearest_list<K> best;

      tg::for_(tg::range(0u, n, 128_c), [&](auto first) {
        block.sync();  // all have read the tile before
        tg::unroll<Dimensions>([&](auto d) {
          tg::var<float> coordinate = tg::infinity<float>;  // of no point: infinitely far away
          tg::if_(first + lane < n, [&] { coordinate = points(d, first + lane); });
          tile(d, lane) = coordinate;
        });
        block.sync();
        tg::for_(tg::range(0u, 128_c, 4_c), [&](auto p) {
          tg::regs<float, 4> sum = 0.0f;
          tg::unroll<Dimensions>([&](auto d) {
            const auto four = tg::vec_at<4>(tile, d, p).get();
            tg::unroll<4>([&](auto j) {
              const auto difference = tg::let(own(d) - four(j));
              sum(j) = tg::fma(difference, difference, sum(j));
            });
          });
          tg::if_(tg::min(tg::min(sum(0_c), sum(1_c)), tg::min(sum(2_c), sum(3_c))) < best.last(),
                  [&] { tg::unroll<4>([&](auto j) { best.offer(sum(j).get(), tg::let(first + p + j)); }); });
        });
      });
      tg::if_(query < count, [&] {
        tg::unroll<K>([&](auto i) {
          distance(i, query) = best.distance(i);
          point(i, query) = best.point(i);
        });
      });
    });

/// Blocks for `nearest`.
constexpr auto nearest_grid(unsigned count, source_location where = source_location::current()) {
  return tg::grid((count + 127) / 128, where);
}

}  // namespace tg::kernels
