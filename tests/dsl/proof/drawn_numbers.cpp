// Blocks that draw numbers at a counter, right and with one fault each. Two judges that share no code: the analysis, and the
// emulator's race checker, which looks at one launch.
#include <tg/dsl/proof/drawn_numbers.hpp>

#include <random>
#include <string>
#include <vector>

#include <tg/dsl/block/block_vote.hpp>
#include <tg/dsl/block/grid_reduce.hpp>
#include <tg/dsl/block/look_back.hpp>
#include <tg/dsl/kernel/lower.hpp>

#include "../../random_seed.hpp"
#include "../word.hpp"
#include "planted.hpp"

using namespace tg::literals;
using tg::order, tg::scope;

namespace {

/// What the two judges say.
struct verdicts {
  bool is_proved = false, assumes_counters = false;
  std::string analysis;
  std::string report;  // of the emulator; empty: none
};

/// Statements over y (an element for each thread of the grid), u (counters) and m (two results), for four blocks of 64.
template <class Statements> verdicts judged(Statements statements) {
  const auto kernel =
      tg::kernel<"drawn">(tg::block<64>, [&](auto block, tg::inout<float> y, tg::inout<unsigned> u, tg::inout<float> m,
                                             tg::scalar<unsigned> n) { statements(block, y, u, m, n); });
  const auto a = tg::analyze(kernel);
  verdicts out{a.refuted().empty() && a.unknown().empty(), a.assumed().counters_at_zero, a.text(), ""};
  std::vector<float> y(64 * 4), m(8);
  std::vector<unsigned> u(8);
  try {
    word::emulate(tg::lower(kernel).ptx, 4, y, u, m, 4u);
  } catch (const tg::error& e) { out.report = e.what(); }
  return out;
}

template <class Statements> void check_right(Statements statements) {
  const verdicts found = judged(statements);
  INFO(found.analysis);
  CHECK(found.is_proved);
  CHECK(found.assumes_counters);
  CHECK(found.report == "");
}
/// `is_seen`: the emulator sees the fault in this launch too.
template <class Statements> void check_wrong(bool is_seen, Statements statements) {
  const verdicts found = judged(statements);
  INFO(found.analysis);
  CHECK_FALSE(found.is_proved);
  INFO(found.report);
  CHECK(found.report.empty() == !is_seen);
}

/// Each thread leaves a number; all threads of the block that comes last read some of another block. What differs is planted.
struct last_block {
  bool is_met = true;     // before thread 0 draws
  bool is_voted = true;   // else only thread 0 reads
  unsigned less = 1;      // the last number is the number of blocks less this
  bool is_reset = false;  // by the block that comes last
  bool is_reset_early = false;
  bool is_conditional = false;

  template <order O = order::acq_rel, class Block, class Y, class U, class M, class N>
  void operator()(const Block& block, const Y& y, const U& u, const M& m, const N& n) const {
    if (is_reset_early) tg::if_(block.thread.x == 1u, [&] { u(0_c) = 0u; });
    y(block.global_index()) = 1.0f;
    if (is_met) block.sync();
    tg::var<bool> is_last(false);
    const auto draw = [&] { is_last = tg::atomic_add<O>(u(0_c), 1u) == block.grid.x - less; };
    tg::if_(block.thread.x == 0u, [&] {
      if (is_conditional) tg::if_(n > 3u, draw);
      else draw();
    });
    const auto read = [&] {
      tg::var<float> sum(0.0f);
      tg::for_(tg::range(0u, block.grid.x), [&](auto k) { sum += y(k * 64_c + block.thread.x); });
      tg::if_(block.thread.x == 0u, [&] {
        m(0_c) = sum;
        if (is_reset) u(0_c) = 0u;
      });
    };
    if (is_voted) tg::if_(tg::block_any(block, is_last), read);
    else tg::if_(is_last, read);
  }
};

}  // namespace

TEST_CASE("the block that draws the last number reads what all blocks have left") {
  check_right([](auto... p) { last_block{}(p...); });
  check_right([](auto... p) { last_block{.is_reset = true}(p...); });
}

TEST_CASE("a draw that orders nothing, or too little, is found") {
  check_wrong(true, [](auto... p) { last_block{}.operator()<order::relaxed>(p...); });
  check_wrong(true, [](auto... p) { last_block{}.operator()<order::release>(p...); });
  check_wrong(true, [](auto... p) { last_block{}.operator()<order::acquire>(p...); });
  check_wrong(true, [](auto... p) { last_block{.is_met = false}(p...); });
}

TEST_CASE("a block that is not the last one is found") {
  check_wrong(true, [](auto... p) { last_block{.less = 2}(p...); });
  check_wrong(false, [](auto... p) { last_block{.less = 0}(p...); });  // no block comes there
}

TEST_CASE("a counter that something else writes, or that not all blocks draw at, proves nothing") {
  check_wrong(true, [](auto... p) { last_block{.is_reset_early = true}(p...); });
  check_wrong(false, [](auto... p) { last_block{.is_conditional = true}(p...); });  // n is 4 in this launch
  // Twice at one counter.
  check_wrong(true, [](auto b, auto y, auto u, auto m, auto n) {
    tg::if_(b.thread.x == 0u, [&] { tg::atomic_add<order::acq_rel>(u(0_c), 1u); });
    last_block{}(b, y, u, m, n);
  });
  // As often as data says.
  check_wrong(false, [](auto b, auto y, auto u, auto m, auto n) {
    tg::for_(tg::range(n), [&](auto) {
      tg::if_(b.thread.x == 0u,
              [&] { tg::if_(tg::atomic_add<order::acq_rel>(u(0_c), 1u) == b.grid.x - 1u, [&] { m(0_c) = y(0_c); }); });
    });
  });
  check_wrong(false, [](auto b, auto y, auto u, auto m, auto) {
    tg::for_(tg::range(4_c), [&](auto) {
      tg::if_(b.thread.x == 0u,
              [&] { tg::if_(tg::atomic_add<order::acq_rel>(u(0_c), 1u) == b.grid.x - 1u, [&] { m(0_c) = y(0_c); }); });
    });
  });
}

TEST_CASE("what the last block writes is its own; what the others write is not") {
  check_right([](auto b, auto, auto u, auto m, auto) {
    tg::if_(b.thread.x == 0u, [&] {
      tg::if_(tg::atomic_increment(u(0_c), b.grid.x - 1u) == b.grid.x - 1u, [&] { m(0_c) = tg::cast<float>(b.index.x); });
    });
  });
  check_wrong(true, [](auto b, auto, auto u, auto m, auto) {
    tg::if_(b.thread.x == 0u, [&] {
      tg::if_(tg::atomic_increment(u(0_c), b.grid.x - 1u) != b.grid.x - 1u, [&] { m(0_c) = tg::cast<float>(b.index.x); });
    });
  });
  // A counter that starts again too early.
  check_wrong(true, [](auto b, auto, auto u, auto m, auto) {
    tg::if_(b.thread.x == 0u,
            [&] { tg::if_(tg::atomic_increment(u(0_c), 1u) == 1u, [&] { m(0_c) = tg::cast<float>(b.index.x); }); });
  });
  // Not the last block alone: any thread of it.
  check_wrong(true, [](auto b, auto, auto u, auto m, auto) {
    tg::var<bool> is_last(false);
    tg::if_(b.thread.x == 0u, [&] { is_last = tg::atomic_increment(u(0_c), b.grid.x - 1u) == b.grid.x - 1u; });
    tg::if_(tg::block_any(b, is_last), [&] { m(0_c) = tg::cast<float>(b.thread.x); });
  });
  // All threads but the one that knows it.
  check_wrong(true, [](auto b, auto, auto u, auto m, auto) {
    tg::var<bool> is_last(false);
    tg::if_(b.thread.x == 0u, [&] { is_last = tg::atomic_increment(u(0_c), b.grid.x - 1u) == b.grid.x - 1u; });
    tg::if_(!tg::block_all(b, is_last), [&] { tg::if_(b.thread.x == 1u, [&] { m(0_c) = tg::cast<float>(b.index.x); }); });
  });
}

TEST_CASE("counters of rows of blocks, and one that rows share") {
  const auto rows = [](bool have_their_own) {
    return tg::analyze(tg::kernel<"rows">(tg::block<32>, [&](auto block, tg::inout<unsigned> u, tg::inout<float> m) {
      tg::if_(block.thread.x == 0u, [&] {
        const auto last = block.grid.x - 1u;
        const auto draw = [&](const auto& counter) {
          tg::if_(tg::atomic_increment(counter, last) == last, [&] { m(block.index.y) = 1.0f; });
        };
        if (have_their_own) draw(u(block.index.y));
        else draw(u(0_c));
      });
    }));
  };
  CHECK(rows(true).race_free());
  CHECK_FALSE(rows(false).race_free());
}

TEST_CASE("what blocks write at numbers that they have drawn is apart") {
  const auto part = [](const auto& b, const auto& u) {
    auto own = tg::shared<unsigned>(tg::shape<1>);
    tg::if_(b.thread.x == 0u, [&] { own(0_c) = tg::atomic_add(u(0_c), 1u); });
    b.sync();
    return tg::let(own(0_c));
  };
  check_right([&](auto b, auto y, auto u, auto, auto) {
    y(tg::assume_uniform(part(b, u)) * 64_c + b.thread.x) = tg::cast<float>(b.index.x);
  });
  check_right([&](auto b, auto y, auto u, auto, auto) {
    y((b.grid.x - 1u - tg::assume_uniform(part(b, u))) * 64_c + b.thread.x) = tg::cast<float>(b.index.x);
  });
  // Two blocks in one place.
  check_wrong(true, [&](auto b, auto y, auto u, auto, auto) {
    y((tg::assume_uniform(part(b, u)) / 2u) * 64_c + b.thread.x) = tg::cast<float>(b.index.x);
  });
  check_wrong(true, [&](auto b, auto y, auto u, auto, auto) {
    y(tg::assume_uniform(part(b, u)) * 32_c + b.thread.x) = tg::cast<float>(b.index.x);
  });
  // Another number than the drawn one: two threads leave theirs.
  check_wrong(true, [](auto b, auto y, auto u, auto, auto) {
    auto own = tg::shared<unsigned>(tg::shape<1>);
    tg::if_(b.thread.x == 0u, [&] { own(0_c) = tg::atomic_add(u(0_c), 1u); });
    b.sync();
    tg::if_(b.thread.x == 0u, [&] { own(0_c) = 0u; });
    b.sync();
    y(tg::assume_uniform(own(0_c).get()) * 64_c + b.thread.x) = tg::cast<float>(b.index.x);
  });
  // A tile that is read before thread 0 has come to it.
  check_wrong(true, [](auto b, auto y, auto u, auto, auto) {
    auto own = tg::shared<unsigned>(tg::shape<1>);
    tg::if_(b.thread.x == 0u, [&] { own(0_c) = tg::atomic_add(u(0_c), 1u); });
    y(tg::assume_uniform(own(0_c).get()) * 64_c + b.thread.x) = tg::cast<float>(b.index.x);
    b.sync();
  });
}

namespace {

/// Blocks draw at `counter(block, u, n)` and write the part of y whose number they have drawn.
template <class Counter> auto parts_drawn_at(Counter counter) {
  return [counter](auto b, auto y, auto u, auto, auto n) {
    auto own = tg::shared<unsigned>(tg::shape<1>);
    tg::if_(b.thread.x == 0u, [&] { own(0_c) = tg::atomic_add(counter(b, u, n), 1u); });
    b.sync();
    y(tg::scatter(own(0_c) * 64u + b.thread.x)) = tg::cast<float>(b.index.x);
  };
}

}  // namespace

TEST_CASE("blocks that draw at one of several counters draw the same numbers") {
  check_right(parts_drawn_at([](auto, auto u, auto) { return u(0_c); }));
  check_right(parts_drawn_at([](auto, auto u, auto n) { return u(n - 4u); }));
  check_wrong(true, parts_drawn_at([](auto b, auto u, auto) { return u(tg::scatter(b.index.x & 1u)); }));
  check_wrong(true, parts_drawn_at([](auto b, auto u, auto) { return u(tg::scatter(b.index.x / 2u)); }));
  check_wrong(true, parts_drawn_at([](auto b, auto u, auto) { return u(tg::scatter(b.index.x % 3u)); }));
  check_wrong(true, parts_drawn_at([](auto b, auto u, auto) { return u(tg::scatter(b.index.x ^ 1u)); }));
  check_wrong(true, parts_drawn_at([](auto b, auto u, auto) { return u(tg::scatter(tg::min(b.index.x, 1u))); }));
  check_wrong(
      true, parts_drawn_at([](auto b, auto u, auto n) { return u(tg::scatter(tg::select(b.index.x == 0u, n - 4u, n - 3u))); }));
  check_wrong(false, parts_drawn_at([](auto b, auto u, auto n) { return u(tg::scatter(b.index.x * (n - 4u))); }));
}

TEST_CASE("numbers drawn at random counters are proved only where all blocks have the same counter") {
  struct step { unsigned kind, by; };
  const auto applied = [](const step& s, auto x) {
    switch (s.kind) {
      case 0: return decltype(x)(x & s.by);
      case 1: return decltype(x)(x >> s.by);
      case 2: return decltype(x)(x / (s.by + 1));
      case 3: return decltype(x)(x % (s.by + 1));
      case 4: return decltype(x)(x ^ s.by);
      default: return decltype(x)(x * s.by);
    }
  };
  std::mt19937 random(random_seed());
  int proved = 0, apart = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<step> steps(1 + random() % 3);
    for (step& s : steps) s = {static_cast<unsigned>(random() % 6), static_cast<unsigned>(random() % 4)};
    const auto counter = [&](auto x) {
      for (const step& s : steps) x = applied(s, x);
      return x;
    };
    bool is_one = true;
    for (unsigned block = 0; block < 1024; ++block) is_one = is_one && counter(block) == counter(0u);
    const auto found = tg::analyze(tg::kernel<"random">(tg::block<64>, [=](auto b, tg::inout<float> y, tg::inout<unsigned> u) {
      auto own = tg::shared<unsigned>(tg::shape<1>);
      tg::value<unsigned> chosen{b.index.x.get().operand};
      for (const step& s : steps) chosen.operand = applied(s, chosen).operand;
      tg::if_(b.thread.x == 0u, [&] { own(0_c) = tg::atomic_add(u(tg::scatter(chosen)), 1u); });
      b.sync();
      y(tg::scatter(own(0_c) * 64u + b.thread.x)) = tg::cast<float>(b.index.x);
    }));
    INFO(found.text());
    if (found.race_free()) REQUIRE(is_one);
    proved += found.race_free();
    apart += !is_one;
  }
  CHECK(proved > 10);
  CHECK(apart > 100);
}

TEST_CASE("the words of the language that draw are proved") {
  check_right([](auto b, auto y, auto u, auto m, auto) {
    tg::grid_combine(
        b, tg::cast<float>(b.thread.x), 0.0f, [](auto a, auto c) { return a + c; }, y, u(0_c),
        [&](auto all) { tg::if_(b.thread.x == 0u, [&] { m(0_c) = all; }); });
  });
  const auto a =
      tg::analyze(tg::kernel<"looks_back">(tg::block<64>, [](auto b, tg::inout<std::uint64_t> scratch, tg::inout<double> y) {
        const auto part = tg::take_part(b, scratch);
        auto before = tg::shared<double>(tg::shape<1>);
        tg::if_(b.thread.x < 32u, [&] {
          const auto sum =
              tg::look_back<double>(b, scratch, part, tg::cast<double>(b.thread.x), 0.0, [](auto p, auto q) { return p + q; });
          tg::if_(b.thread.x == 0u, [&] { before(0_c) = sum; });
        });
        b.sync();
        y(part * 64_c + b.thread.x) = before(0_c);
        tg::end_part<double>(b, scratch);
      }));
  INFO(a.text());
  CHECK(a.refuted().empty());
  CHECK(a.unknown().empty());
  CHECK(a.assumed().counters_at_zero);
}
