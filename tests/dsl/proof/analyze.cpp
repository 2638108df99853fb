#include <tg/dsl/proof/analyze.hpp>

#include <type_traits>

#include "planted.hpp"

using planted::check_proved;
using planted::check_refuted;
using planted::check_unknown;
using tg::question;
using namespace tg::literals;

namespace {

auto tile_of_64() { return tg::shared<float>(tg::shape<64>); }

using warp = tg::block_t<32>;

}  // namespace

TEST_CASE("a barrier is missing between the store of a tile and its load") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 4, at + 3, [](auto b, auto x, auto y, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x) = x(b.thread.x);
    y(b.thread.x) = tile(63_c - b.thread.x);
  });
  check_proved([](auto b, auto x, auto y, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x) = x(b.thread.x);
    b.sync();
    y(b.thread.x) = tile(63_c - b.thread.x);
  });
}

TEST_CASE("neighbours are read too early; each thread's own element needs no barrier") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 4, at + 3, [](auto b, auto x, auto y, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x) = x(b.thread.x);
    tg::if_(b.thread.x < 63u, [&] { y(b.thread.x) = tile(b.thread.x + 1_c); });
  });
  check_proved([](auto b, auto x, auto y, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x) = x(b.thread.x);
    y(b.thread.x) = tile(b.thread.x);
  });
}

TEST_CASE("a barrier is missing before a tile is used again, across the back edge") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 5, at + 7, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    auto tile = tile_of_64();
    tg::var<float> sum = 0.0f;
    tg::for_(tg::range(n), [&](auto i) {
      tile(b.thread.x) = x(i * 64_c + b.thread.x);
      b.sync();
      sum += tile(63_c - b.thread.x);
    });
    y(b.thread.x) = sum;
  });
  check_proved([](auto b, auto x, auto y, auto, auto, auto n, auto) {
    auto tile = tile_of_64();
    tg::var<float> sum = 0.0f;
    tg::for_(tg::range(n), [&](auto i) {
      tile(b.thread.x) = x(i * 64_c + b.thread.x);
      b.sync();
      sum += tile(63_c - b.thread.x);
      b.sync();
    });
    y(b.thread.x) = sum;
  });
}

TEST_CASE("two tiles in turn need one barrier per iteration, one tile does not get by") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 4, at + 6, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    auto tile = tg::shared<float>(tg::shape<3, 64>);
    tg::for_(tg::range(n), [&](auto i) {
      tile(0_c, b.thread.x) = x(i * 64_c + b.thread.x);
      b.sync();
      y(b.thread.x) = tile(0_c, 63_c - b.thread.x);
    });
  });
  check_proved([](auto b, auto x, auto y, auto, auto, auto n, auto) {
    auto tile = tg::shared<float>(tg::shape<3, 64>);
    tg::for_(tg::range(n), [&](auto i) {
      tile(i % 2_c, b.thread.x) = x(i * 64_c + b.thread.x);
      b.sync();
      y(b.thread.x) = tile(i % 2_c, 63_c - b.thread.x);
    });
  });
}

TEST_CASE("a row is written by one thread too many") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 3, at + 3, [](auto b, auto x, auto, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x / 2_c) = x(b.thread.x);
  });
  check_proved([](auto b, auto x, auto, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x) = x(b.thread.x);
  });
}

TEST_CASE("every thread stores to one element") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 3, at + 3, [](auto b, auto x, auto, auto...) {
    auto tile = tile_of_64();
    tile(0_c) = x(b.thread.x);
  });
  check_proved([](auto b, auto x, auto, auto...) {
    auto tile = tile_of_64();
    tg::if_(b.thread.x == 0u, [&] { tile(0_c) = x(b.thread.x); });
  });
}

TEST_CASE("the last step of a tree without its barrier") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 7, at + 7, [](auto b, auto x, auto, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x) = x(b.thread.x);
    b.sync();
    tg::unroll<2>([&](auto l) {
      constexpr auto d = tg::constant<(32 >> l.value)>{};
      tg::if_(b.thread.x < d, [&] { tile(b.thread.x) += tile(b.thread.x + d); });
    });
  });
  check_proved([](auto b, auto x, auto, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x) = x(b.thread.x);
    tg::unroll<2>([&](auto l) {
      constexpr auto d = tg::constant<(32 >> l.value)>{};
      b.sync();
      tg::if_(b.thread.x < d, [&] { tile(b.thread.x) += tile(b.thread.x + d); });
    });
  });
}

TEST_CASE("a tree with a loop at run time") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 8, at + 8, [](auto b, auto x, auto, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x) = x(b.thread.x);
    b.sync();
    tg::var<unsigned> d = 32u;
    tg::while_([&] { return d > 0u; },
               [&] {
                 tg::if_(b.thread.x < d, [&] { tile(b.thread.x) += tile(tg::gather(b.thread.x + d)); });
                 d >>= 1;
               });
  });
  check_proved([](auto b, auto x, auto, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x) = x(b.thread.x);
    tg::var<unsigned> d = 32u;
    tg::while_([&] { return d > 0u; },
               [&] {
                 b.sync();
                 tg::if_(b.thread.x < d, [&] { tile(b.thread.x) += tile(tg::gather(b.thread.x + d)); });
                 d >>= 1;
               });
  });
}

TEST_CASE("code of one warp without its barrier; a shuffle orders nothing") {
  constexpr int at = __LINE__;
  check_refuted<warp>(question::shared_race, at + 5, at + 3, [](auto b, auto x, auto y, auto...) {
    auto tile = tg::shared<float>(tg::shape<32>);
    tile(b.thread.x) = x(b.thread.x);
    const auto v = b.warp().shuffle_xor(x(b.thread.x), 1);
    y(b.thread.x) = tile(31_c - b.thread.x) + v;
  });
  check_proved<warp>([](auto b, auto x, auto y, auto...) {
    auto tile = tg::shared<float>(tg::shape<32>);
    tile(b.thread.x) = x(b.thread.x);
    b.warp().sync();
    y(b.thread.x) = tile(31_c - b.thread.x);
  });
}

TEST_CASE("a warp's barrier does not hold two warps together") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 5, at + 3, [](auto b, auto x, auto y, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x) = x(b.thread.x);
    b.warp().sync();
    y(b.thread.x) = tile(63_c - b.thread.x);
  });
  check_proved([](auto b, auto x, auto y, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x) = x(b.thread.x);
    b.warp().sync();
    y(b.thread.x) = tile(b.warp().index * 32_c + (31_c - b.warp().lane));
  });
}

TEST_CASE("a plain store beside an atomic") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 4, at + 3, [](auto b, auto, auto, auto u, auto...) {
    auto count = tg::shared<unsigned>(tg::shape<1>);
    tg::if_(b.thread.x == 0u, [&] { count(0_c) = 0u; });
    tg::atomic_add(count(0_c), 1u);
    b.sync();
    tg::if_(b.thread.x == 0u, [&] { u(0_c) = count(0_c); });
  });
  check_proved([](auto b, auto, auto, auto u, auto...) {
    auto count = tg::shared<unsigned>(tg::shape<1>);
    tg::if_(b.thread.x == 0u, [&] { count(0_c) = 0u; });
    b.sync();
    tg::atomic_add(count(0_c), 1u);
    b.sync();
    tg::if_(b.thread.x == 0u, [&] { u(0_c) = count(0_c); });
  });
}

TEST_CASE("an atomic's result is read before all have added") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 6, at + 5, [](auto b, auto, auto, auto u, auto...) {
    auto count = tg::shared<unsigned>(tg::shape<1>);
    tg::if_(b.thread.x == 0u, [&] { count(0_c) = 0u; });
    b.sync();
    tg::atomic_add(count(0_c), 1u);
    tg::if_(b.thread.x == 0u, [&] { u(0_c) = count(0_c); });
  });
}

TEST_CASE("under a condition that all threads share, and one that each has") {
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 4, at + 3, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    auto tile = tile_of_64();
    tile(b.thread.x) = x(b.thread.x);
    tg::if_(n > 4u, [&] { y(b.thread.x) = tile(63_c - b.thread.x); });
  });
  check_refuted(question::shared_race, at + 9, at + 8, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    auto tile = tile_of_64();
    tg::if_(b.global_index() < n, [&] { tile(b.thread.x) = x(b.global_index()); }).else_([&] { tile(b.thread.x) = 0.0f; });
    y(b.global_index()) = tile(63_c - b.thread.x);
  });
  check_proved([](auto b, auto x, auto y, auto, auto, auto n, auto) {
    auto tile = tile_of_64();
    tg::if_(b.global_index() < n, [&] { tile(b.thread.x) = x(b.global_index()); }).else_([&] { tile(b.thread.x) = 0.0f; });
    b.sync();
    y(b.global_index()) = tile(63_c - b.thread.x);
  });
}

TEST_CASE("the two ways of one condition never meet; those of two do") {
  check_proved([](auto b, auto x, auto y, auto, auto, auto n, auto) {
    auto tile = tile_of_64();
    tg::if_(n > 4u, [&] { tile(b.thread.x) = x(b.thread.x); }).else_([&] { tile(63_c - b.thread.x) = y(b.thread.x); });
  });
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 4, at + 3, [](auto b, auto x, auto y, auto, auto, auto n, auto) {
    auto tile = tile_of_64();
    tg::if_(n > 4u, [&] { tile(b.thread.x) = x(b.thread.x); });
    tg::if_(n > 9u, [&] { tile(63_c - b.thread.x) = y(b.thread.x); });
  });
}

TEST_CASE("halves of a block that work on their own halves, and one that goes too far") {
  check_proved([](auto b, auto x, auto y, auto...) {
    auto tile = tile_of_64();
    tg::if_(b.thread.x < 32u, [&] { tile(b.thread.x) = x(b.thread.x); }).else_([&] { tile(b.thread.x) = y(b.thread.x); });
  });
  constexpr int at = __LINE__;
  check_refuted(question::shared_race, at + 3, at + 3, [](auto b, auto x, auto y, auto...) {
    auto tile = tile_of_64();
    tg::if_(b.thread.x < 32u, [&] { tile(b.thread.x) = x(b.thread.x); }).else_([&] { tile(b.thread.x - 1_c) = y(b.thread.x); });
  });
}

TEST_CASE("data as an index is unknown, never refuted") {
  check_unknown(question::shared_race, [](auto b, auto x, auto, auto u, auto...) {
    auto tile = tile_of_64();
    tile(tg::scatter(u(b.thread.x) % 64u)) = x(b.thread.x);
  });
  check_proved([](auto b, auto, auto, auto u, auto...) {
    auto bins = tg::shared<unsigned>(tg::shape<64>);
    bins(b.thread.x) = 0u;
    b.sync();
    tg::atomic_add(bins(tg::scatter(u(b.thread.x) % 64u)), 1u);
  });
}

TEST_CASE("what is refuted is thrown with both lines; what is not, is not") {
  using block = tg::block_t<64>;
  const auto race = planted::analyze<block>([](auto b, auto x, auto y, auto...) {
    auto tile = tile_of_64();
    tile(b.thread.x) = x(b.thread.x);
    y(b.thread.x) = tile(63_c - b.thread.x);
  });
  CHECK_FALSE(race.race_free());
  CHECK(race.barriers_met());
  CHECK(planted::thrown(race) == 230);
  const auto barrier = planted::analyze<block>([](auto b, auto...) { tg::if_(b.thread.x < 48u, [&] { b.sync(); }); });
  CHECK(barrier.race_free());
  CHECK_FALSE(barrier.barriers_met());
  CHECK(planted::thrown(barrier) == 232);
  const auto unwritten =
      planted::analyze<block>([](auto b, auto, auto y, auto...) { y(b.thread.x) = tile_of_64()(b.thread.x); });
  CHECK(planted::thrown(unwritten) == 233);
  const auto outside = planted::analyze<block>([](auto b, auto x, auto...) { tile_of_64()(b.thread.x + 1_c) = x(b.thread.x); });
  CHECK(planted::thrown(outside) == 235);
  const auto clean = planted::analyze<block>([](auto b, auto x, auto y, auto...) { y(b.thread.x) = x(b.thread.x); });
  CHECK(clean.race_free());
  CHECK(planted::thrown(clean) == 0);
}

TEST_CASE("a large number subtracted from an argument is no sum that stays in its type") {
  const auto reads_at = [](auto number) {
    return tg::analyze(tg::kernel<"reads_at">(tg::block<64>, [number](auto block, tg::out<float> y, tg::scalar<unsigned> n) {
      auto tile = tg::shared<float>(tg::shape<300>);
      tile(block.thread.x) = 1.0f;
      y(block.thread.x) = tile(tg::gather(number(n)));
    }));
  };
  CHECK_FALSE(reads_at([](auto n) { return n - 4022331894u; }).is_proved(tg::question::shared_race));
  CHECK(reads_at([](auto n) { return n + 272635402u; }).is_proved(tg::question::shared_race));
}

TEST_CASE("reads that nobody uses are no accesses") {
  const auto a = planted::analyze<tg::block_t<64>>([](auto b, auto x, auto...) {
    auto tile = tg::shared<float>(tg::shape<64>);
    tile(b.thread.x) = x(b.thread.x);
  });
  CHECK(a.text() == "planted: 2 proved, 0 refuted, 0 unknown\n");
  CHECK(a.race_free());
}

TEST_CASE("a loop over the answers of a temporary analysis keeps them") {
  const auto analyzed = [] {
    return planted::analyze<tg::block_t<64>>([](auto b, auto x, auto y, auto...) {
      y(b.thread.x) = x(b.thread.x);
      b.sync();
    });
  };
  static_assert(!std::is_reference_v<decltype(analyzed().verdicts())>);
  static_assert(!std::is_reference_v<decltype(analyzed().redundant_barriers())>);
  std::size_t proved = 0;
  for (const tg::finding& f : analyzed().verdicts()) proved += f.answer == tg::answer::proved;
  const auto kept = analyzed();
  CHECK(proved == kept.verdicts().size());
  CHECK(proved > 0);
}
