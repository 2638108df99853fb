// Elements of a tile that nobody has written, and elements beside it.
#include "planted.hpp"

using planted::check_proved;
using planted::check_refuted;
using planted::check_unknown;
using tg::question;
using namespace tg::literals;

namespace {

auto tile_of_64() { return tg::shared<float>(tg::shape<64>); }

}  // namespace

TEST_CASE("shared memory that nobody has written") {
  constexpr int at = __LINE__;
  check_refuted(question::initialized, at + 3, 0, [](auto b, auto, auto y, auto...) {
    auto tile = tile_of_64();
    y(b.thread.x) = tile(b.thread.x);
  });
  check_proved([](auto b, auto, auto y, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x) = 0.0f;
    y(b.thread.x) = tile(b.thread.x);
  });
}

TEST_CASE("the border of a tile that nobody has written") {
  constexpr int at = __LINE__;
  check_refuted(question::initialized, at + 5, 0, [](auto b, auto x, auto y, auto...) {
    auto tile = tg::shared<float>(tg::shape<66>);
    tile(b.thread.x + 1_c) = x(b.thread.x);
    b.sync();
    y(b.thread.x) = tile(b.thread.x) + tile(b.thread.x + 1_c);
  });
  check_proved([](auto b, auto x, auto y, auto...) {
    auto tile = tg::shared<float>(tg::shape<66>);
    tile(b.thread.x + 1_c) = x(b.thread.x);
    tg::if_(b.thread.x == 0u, [&] { tile(0_c) = 0.0f; });
    b.sync();
    y(b.thread.x) = tile(b.thread.x) + tile(b.thread.x + 1_c);
  });
}

TEST_CASE("what is written where a condition holds is read where it holds too") {
  check_proved([](auto b, auto x, auto y, auto, auto, auto n, auto) {
    auto tile = tile_of_64();
    tg::if_(b.global_index() < n, [&] { tile(b.thread.x) = x(b.global_index()); });
    tg::if_(b.global_index() < n, [&] { y(b.global_index()) = tile(b.thread.x); });
  });
  check_unknown(question::initialized, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    auto tile = tile_of_64();
    tg::if_(b.global_index() < n, [&] { tile(b.thread.x) = x(b.global_index()); });
    y(b.global_index()) = tile(b.thread.x);
  });
}

TEST_CASE("one element past the end of a tile") {
  constexpr int at = __LINE__;
  check_refuted(question::extents, at + 3, 0, [](auto b, auto x, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x + 1_c) = x(b.thread.x);
  });
  check_proved([](auto b, auto x, auto...) {
    auto tile = tile_of_64();
    tg::if_(b.thread.x < 63u, [&] { tile(b.thread.x + 1_c) = x(b.thread.x); });
  });
}

TEST_CASE("an element in front of a tile") {
  constexpr int at = __LINE__;
  check_refuted(question::extents, at + 3, 0, [](auto b, auto x, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x - 1_c) = x(b.thread.x);
  });
}

TEST_CASE("a counter that leaves the tile") {
  constexpr int at = __LINE__;
  check_refuted(question::extents, at + 3, 0, [](auto b, auto x, auto...) {
    auto tile = tg::shared<float>(tg::shape<4, 64>);
    tg::for_(tg::range(5_c), [&](auto row) { tile(row, b.thread.x) = x(row * 64_c + b.thread.x); });
  });
  check_proved([](auto b, auto x, auto...) {
    auto tile = tg::shared<float>(tg::shape<4, 64>);
    tg::for_(tg::range(4_c), [&](auto row) { tile(row, b.thread.x) = x(row * 64_c + b.thread.x); });
  });
}

TEST_CASE("a number of the launch as a row, with and without its limit") {
  constexpr int at = __LINE__;
  check_refuted(question::extents, at + 3, 0, [](auto b, auto x, auto, auto, auto, auto n, auto) {
    auto tile = tg::shared<float>(tg::shape<4, 64>);
    tile(n, b.thread.x) = x(b.thread.x);
  });
  check_proved([](auto b, auto x, auto, auto, auto, auto n, auto) {
    auto tile = tg::shared<float>(tg::shape<4, 64>);
    tg::if_(n < 4u, [&] { tile(n, b.thread.x) = x(b.thread.x); });
    b.sync();
    tile(tg::min(n.get(), 3_c), b.thread.x) = x(b.thread.x);
  });
}
