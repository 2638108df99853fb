#include <tg/dsl/proof/tiles.hpp>

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>

#include <tg/dsl/block/block.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/memory/sized_tile.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/dsl/value/operators.hpp>
#include <tg/ptx/ir/module.hpp>

#include "../../random_seed.hpp"

using namespace tg::literals;
using tg::question;

namespace {

tg::ptx::module with_parts() {
  tg::ptx::module m;
  m.variables.push_back({.space = tg::ptx::token::shared, .align = 4, .count = 12});
  m.variables.push_back({.space = tg::ptx::token::shared, .align = 128, .count = -1, .external = true});
  m.tiles.resize(3);
  m.tiles[0].element_bytes = 100;  // the next one begins at 112
  m.tiles[1].element_bytes = 256;
  m.tiles[2].element_bytes = 4;
  m.tiles[2].extents.push_back({.size = {{tg::ptx::launch_step_kind::argument, 0}}});
  return m;
}

}  // namespace

TEST_CASE("a byte of dynamic shared memory is in one of its parts, a byte of a variable in the variable") {
  const tg::ptx::module m = with_parts();
  const tg::proof::tiles all(m);
  const auto found = [&](std::uint32_t variable, tg::proof::number offset) {
    const std::uint32_t tile = all.at(variable, offset);
    return std::to_string(tile) + " " + std::to_string(offset);
  };
  CHECK(found(0, 8) == "0 8");
  CHECK(found(1, 0) == "1 0");
  CHECK(found(1, 111) == "1 111");
  CHECK(found(1, 112) == "2 0");
  CHECK(found(1, 367) == "2 255");
  CHECK(found(1, 368) == "3 0");
  CHECK(all.bytes(0) == 12);
  CHECK(all.bytes(1) == 100);
  CHECK(all.bytes(2) == 256);
  CHECK(all.bytes(3) <= 0);
  CHECK(all.sized() == &m.tiles[2]);
  CHECK(all.is_aligned(1, 128));
  CHECK(all.is_aligned(2, 16));
  CHECK_FALSE(all.is_aligned(2, 32));
  CHECK_FALSE(all.is_aligned(0, 8));
}

TEST_CASE("of several tiles whose sizes the launch decides none is known") {
  tg::ptx::module m = with_parts();
  m.tiles.push_back(m.tiles[2]);
  CHECK(tg::proof::tiles(m).sized() == nullptr);
}

TEST_CASE("accesses outside of one of several tiles beyond 48 KB are refuted, those inside are proved") {
  const auto analyzed = [](unsigned first) {
    return tg::analyze(tg::kernel<"two">(tg::block<64>, [first](auto b, tg::out<float> x) {
      auto one = tg::shared<float>(tg::shape<10000>), two = tg::shared<float>(tg::shape<10000>);
      two(b.thread.x) = 5.0f;
      one(b.thread.x + first) = 1.0f;
      b.sync();
      x(b.global_index()) = two(b.thread.x) + one(b.thread.x + first);
    }));
  };
  const auto right = analyzed(10000 - 64), wrong = analyzed(10000 - 63);
  INFO(right.text());
  CHECK(right.is_proved(question::extents));
  CHECK(right.race_free());
  INFO(wrong.text());
  CHECK_FALSE(wrong.is_proved(question::extents));
  CHECK(wrong.refuted().size() == 2);
}

TEST_CASE("random accesses around the ends of tiles beyond 48 KB are judged as counting them says") {
  std::mt19937 random(random_seed());
  int outside = 0;
  for (int round = 0; round < 300; ++round) {
    constexpr int elements[] = {9001, 5000, 777};
    const auto which = static_cast<std::size_t>(random() % 3);
    const unsigned step = 1 + 2 * (random() % 3);                          // odd: no bank is met twice
    const int end = elements[which] + static_cast<int>(random() % 7) - 3;  // behind the last thread's element
    const auto first = static_cast<unsigned>(end) - 1 - 63 * step;
    const auto found = tg::analyze(tg::kernel<"around">(tg::block<64>, [=](auto b, tg::out<float> x) {
      auto one = tg::shared<float>(tg::shape<elements[0]>);
      auto two = tg::shared<float>(tg::shape<elements[1]>);
      auto three = tg::shared<float>(tg::shape<elements[2]>);
      const auto at = b.thread.x * step + first;
      if (which == 0) one(at) = 1.0f;
      else if (which == 1) two(at) = 1.0f;
      else three(at) = 1.0f;
      x(b.global_index()) = 2.0f;
    }));
    INFO("tile ", which, ", step ", step, ", end ", end, "\n", found.text());
    const bool is_inside = end <= elements[which];
    outside += !is_inside;
    REQUIRE(found.is_proved(question::extents) == is_inside);
    REQUIRE(found.refuted().empty() == is_inside);
  }
  CHECK(outside > 50);
}

TEST_CASE("a tile whose size the launch decides: a guard proves the access, nothing else is taken for granted") {
  const auto guarded = tg::analyze(tg::kernel<"guarded">(tg::block<64>, [](auto b, tg::out<float> x, tg::scalar<unsigned> n) {
    auto tile = tg::shared<float>(n + 1u);
    tg::if_(b.thread.x < n, [&] { tile(b.thread.x + 1u) = 1.0f; });
    b.sync();
    x(b.global_index()) = 2.0f;
  }));
  INFO(guarded.text());
  CHECK(guarded.is_proved(question::extents));
  const auto open = tg::analyze(tg::kernel<"open">(tg::block<64>, [](auto b, tg::out<float> x, tg::scalar<unsigned> n) {
    auto tile = tg::shared<float>(n);
    tile(b.thread.x) = 1.0f;
    b.sync();
    x(b.global_index()) = 2.0f;
  }));
  INFO(open.text());
  CHECK(open.refuted().empty());
  CHECK(open.unknown().size() == 1);
}

TEST_CASE("guarded accesses to tiles of n * scale + more elements are proved where the last one is inside, and only there") {
  std::mt19937 random(random_seed());
  for (int round = 0; round < 100; ++round) {
    const unsigned scale = 1 + 2 * (random() % 3), more = random() % 6, first = random() % 6;
    const auto found = tg::analyze(tg::kernel<"scaled">(tg::block<64>, [=](auto b, tg::out<float> x, tg::scalar<unsigned> n) {
      auto tile = tg::shared<float>(n * scale + more);
      tg::if_(b.thread.x < n, [&] { tile(b.thread.x * scale + first) = 1.0f; });
      x(b.global_index()) = 2.0f;
    }));
    INFO("scale ", scale, ", more ", more, ", first ", first, "\n", found.text());
    // The last thread, n - 1, touches element (n - 1) * scale + first.
    REQUIRE(found.is_proved(question::extents) == (first < scale + more));
    REQUIRE(found.refuted().empty());
  }
}

TEST_CASE("what is read from a tile whose size the launch decides has been written by somebody, or that is not claimed") {
  const auto asked = [](auto statements) {
    return tg::analyze(tg::kernel<"sized">(tg::block<64>, [=](auto b, tg::out<float> y, tg::scalar<unsigned> n) {
      auto tile = tg::shared<float>(n);
      tg::if_(n >= 64u, [&] { statements(b, tile, y, n); });
    }));
  };
  const auto q = question::initialized;
  const auto none = asked([](auto b, auto& tile, auto y, auto) { y(b.global_index()) = tile(b.thread.x); });
  CHECK(none.refuted().size() == 1);
  CHECK_FALSE(none.is_proved(q));
  const auto own = asked([](auto b, auto& tile, auto y, auto) {
    tile(b.thread.x) = 1.0f;
    y(b.global_index()) = tile(b.thread.x);
  });
  CHECK(own.is_proved(q));
  CHECK(own.refuted().empty());
  const auto turned = asked([](auto b, auto& tile, auto y, auto) {
    tile(b.thread.x) = 1.0f;
    b.sync();
    y(b.global_index()) = tile(63u - b.thread.x);
  });
  INFO(turned.text());
  CHECK(turned.is_proved(q));
  CHECK(turned.refuted().empty());
  const auto half = asked([](auto b, auto& tile, auto y, auto) {
    tg::if_(b.thread.x < 32u, [&] { tile(b.thread.x) = 1.0f; });
    b.sync();
    y(b.global_index()) = tile(63u - b.thread.x);
  });
  CHECK(half.refuted().size() == 1);
  const auto loop = asked([](auto b, auto& tile, auto y, auto n) {
    tg::for_(tg::range(b.thread.x, n, 64), [&](auto i) { tile(i) = 1.0f; });
    b.sync();
    y(b.global_index()) = tile(n - 1u);
  });
  INFO(loop.text());
  CHECK_FALSE(loop.is_proved(q));
  CHECK(loop.refuted().empty());
}
