#include <tg/dsl/recorder/recorded_flow.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/dsl/warp/warp.hpp>

#include "../recording.hpp"

using namespace tg::literals;

namespace {

/// Whether lanes of a warp may hold different numbers in what `f` computes.
template <class Block = tg::block_t<64>, class F> bool varies(F f) {
  bool out = false;
  recording::of<Block>([&](auto block, recording::parameters p) {
    const tg::ptx::operand found = f(block, p).get().operand;
    auto& t = tg::detail::tracer::current().recorded();
    out = tg::detail::recorded_flow(t).varies(found.id);
  });
  return out;
}

}  // namespace

TEST_CASE("what all lanes of a warp compute from one number is one number") {
  CHECK(varies([](auto block, auto) { return block.thread.x + 1_c; }));
  CHECK_FALSE(varies([](auto block, auto p) { return block.index.x * p.n; }));
  CHECK_FALSE(varies([](auto block, auto) { return block.thread.x / 32_c + block.index.x; }));
  CHECK(varies([](auto block, auto) { return block.thread.x / 16_c + block.index.x; }));
  CHECK_FALSE(varies<tg::block_t<32, 2>>([](auto block, auto) { return block.thread.y + 1_c; }));
  CHECK(varies<tg::block_t<16, 4>>([](auto block, auto) { return block.thread.y + 1_c; }));
}

TEST_CASE("what is read at one address is one number where nobody writes, and what a lane gives to all is") {
  CHECK_FALSE(varies([](auto block, auto p) { return p.x(block.index.x) + p.a; }));
  CHECK(varies([](auto block, auto p) { return p.x(block.thread.x) + p.a; }));
  CHECK(varies([](auto block, auto p) { return p.y(block.index.x) + p.a; }));
  CHECK_FALSE(varies([](auto block, auto p) { return block.warp().shuffle(p.x(block.thread.x), 0u) + p.a; }));
  CHECK(varies([](auto block, auto p) { return block.warp().shuffle_down(p.x(block.thread.x), 1u) + p.a; }));
  CHECK_FALSE(varies([](auto block, auto p) { return block.warp().ballot(block.thread.x < p.n) + 1u; }));
}

TEST_CASE("a variable is one number while all lanes give it the same") {
  const auto given_where = [](auto condition) {
    return [condition](auto block, auto p) {
      tg::var<unsigned> v = 0u;
      tg::if_(condition(block, p), [&] { v = p.n; });
      return tg::let(v + 1u);
    };
  };
  CHECK_FALSE(varies(given_where([](auto block, auto) { return block.index.x < 3u; })));
  CHECK(varies(given_where([](auto block, auto) { return block.thread.x < 3u; })));
}

TEST_CASE("a loop that lanes leave one by one counts alike inside, and not behind it") {
  const auto counted = [](bool is_inside) {
    return [is_inside](auto block, auto p) {
      tg::var<unsigned> v = 0u;
      tg::ptx::operand inside;
      tg::while_([&] { return v < block.thread.x; },
                 [&] {
                   v += p.n;
                   inside = tg::let(v + 1u).operand;
                 });
      return is_inside ? tg::value<unsigned>{inside} : tg::value<unsigned>{tg::let(v + 1u).operand};
    };
  };
  CHECK_FALSE(varies(counted(true)));
  CHECK(varies(counted(false)));
}

TEST_CASE("a loop that lanes leave one by one, inside of another, counts differently") {
  CHECK(varies([](auto block, auto p) {
    tg::var<unsigned> v = 0u;
    tg::ptx::operand inside;
    tg::for_(tg::range(4_c), [&](auto) {
      tg::var<unsigned> k = 0u;
      tg::while_([&] { return k < block.thread.x; },
                 [&] {
                   k += 1u;
                   v += p.n;
                   inside = tg::let(v + 1u).operand;
                 });
    });
    return tg::value<unsigned>{inside};
  }));
}

TEST_CASE("a line ends at a branch, a loop and a barrier") {
  recording::of([](auto block, recording::parameters p) {
    auto& t = tg::detail::tracer::current().recorded();
    const auto at = [&] { return t.fn().body.size() - 1; };
    (void)p.x(block.thread.x);
    const auto first = at();
    (void)p.x(block.thread.x + 1_c);
    const auto second = at();
    block.sync();
    (void)p.x(block.thread.x + 2_c);
    const auto third = at();
    const auto lines = tg::detail::recorded_flow(t).lines();
    CHECK(lines[first] == lines[second]);
    CHECK(lines[second] != lines[third]);
  });
}
