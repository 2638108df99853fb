#include <tg/tile/pipeline_body.hpp>

#include <tuple>

#include "tiles.hpp"

namespace {

using tg::detail::body_parts, tg::detail::takes_stage;
using view = tg::in2<tg::bf16, tg::multiple_of<8>>;
using part = tg::memory_tile<view, 64, 32, tg::constant<0>, tg::detail::step_number>;
using ring = tg::detail::operand_ring<tg::block_t<128>, 2, part>;
using two_rings = tg::detail::tuple<ring, ring>;
using steps = tg::steps_t<tg::value<unsigned>, 32>;

struct takes_tiles {
  template <class L, class R> void operator()(const L&, const R&) const {}
};
struct takes_tiles_and_step {
  template <class L, class R> void operator()(const L&, const R&, const tg::value<unsigned>&) const {}
};
struct takes_one_tile {
  template <class L> void operator()(const L&) const {}
};

}  // namespace

TEST_CASE("a body takes the tiles of a stage, and the step where it wants it; so do both of its parts") {
  CHECK(takes_stage<steps, takes_tiles, two_rings>);
  CHECK(takes_stage<steps, takes_tiles_and_step, two_rings>);
  CHECK(!takes_stage<steps, takes_one_tile, two_rings>);
  CHECK(takes_stage<steps, takes_one_tile, tg::detail::tuple<ring>>);
  CHECK(takes_stage<steps, body_parts<takes_tiles, takes_tiles_and_step>, two_rings>);
  CHECK(!takes_stage<steps, body_parts<takes_tiles, takes_one_tile>, two_rings>);
  CHECK(!takes_stage<steps, body_parts<takes_one_tile, takes_tiles>, two_rings>);
  // A lambda that takes any number of arguments is compiled with the step alone.
  const auto any = [](const auto&... all) { return std::get<2>(std::tie(all...)); };
  CHECK(takes_stage<steps, decltype(any), two_rings>);
}

TEST_CASE("a body in two parts is called part by part") {
  int order = 0, first = 0, rest = 0;
  auto begin = [&](int tile, int) { first = ++order * 10 + tile; };
  auto end = [&](int tile, int, int step) { rest = ++order * 100 + tile * 10 + step; };
  body_parts<decltype(begin), decltype(end)> body{begin, end};
  tg::detail::call_with_tiles(body, tg::detail::to_tuple(3, 4), [] { return 5; });
  CHECK(first == 13);
  CHECK(rest == 235);
}

TEST_CASE("rectangles are joined to a stage") {
  const auto one = tg::stage(1, 2);
  const auto more = tg::stage(one, 3);
  int sum = 0;
  tg::detail::apply([&](int a, int b, int c) { sum = a * 100 + b * 10 + c; }, more);
  CHECK(sum == 123);
}
