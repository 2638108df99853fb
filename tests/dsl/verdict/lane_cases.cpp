#include <tg/dsl/verdict/lane_cases.hpp>

#include <set>
#include <utility>
#include <vector>

#include <tg/dsl/flow/assume.hpp>
#include <tg/dsl/flow/break_.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"

using namespace tg::literals;

namespace {

struct seen {
  int cases = 0;
  std::size_t choices = 0;  // that lanes make for themselves
  tg::detail::lane_findings found;
  tg::analysis::lane_value last;
};

template <class Block = tg::block_t<64>, class F> seen cases_of(F f, int warp = 0) {
  seen out;
  recording::of<Block>([&](auto block, recording::parameters p) {
    const tg::ptx::operand root = f(block, p).get().operand;
    auto& t = tg::detail::tracer::current().recorded();
    tg::detail::recorded_flow flow(t);
    tg::detail::lane_cases cases(t, flow, warp);
    std::set<std::uint32_t> choices;
    out.found = cases(root, [&](const tg::detail::lane_case& one) {
      ++out.cases;
      choices.insert(one.choice);
      out.last = one.lanes;
    });
    out.choices = choices.size();
  });
  return out;
}

}  // namespace

TEST_CASE("a division has a case for each lane at which it may fall") {
  const seen any = cases_of([](auto block, auto p) { return block.global.x % p.n; });
  CHECK(any.found.is_known);
  CHECK(any.cases == 33);  // and one for a divisor of 1
  CHECK(any.found.has_small);
  CHECK_FALSE(any.found.may_divide_small);  // what is left is one run or two
  const seen both = cases_of([](auto block, auto p) { return block.global.x / p.n * 100_c + block.global.x % p.n; });
  CHECK(both.cases == 32);  // quotient and remainder fall at one lane
  CHECK(both.found.may_divide_small);
  CHECK(cases_of([](auto block, auto p) { return (block.global.x + p.n) % 1024_c; }).cases == 32);
  CHECK(cases_of([](auto block, auto p) { return (block.global.x + p.n) & 7_c; }).cases == 8);
}

TEST_CASE("a selection has a case for each number, and so have its lanes unless all select alike") {
  const auto by = [](auto condition) {
    return [condition](auto block, auto p) { return tg::select(condition(block, p), block.thread.x, p.n); };
  };
  const seen lanes = cases_of(by([](auto block, auto p) { return p.x(block.thread.x) > 0.0f; }));
  CHECK(lanes.cases == 2);
  CHECK(lanes.choices == 2);
  const seen warps = cases_of(by([](auto, auto p) { return p.n > 3u; }));
  CHECK(warps.cases == 2);
  CHECK(warps.choices == 1);
}

TEST_CASE("a variable is its start and a multiple of its steps") {
  const seen stepped = cases_of([](auto block, auto p) {
    tg::var<unsigned> j = block.thread.x * 2_c;
    tg::ptx::operand inside;
    tg::while_([&] { return j < p.n; },
               [&] {
                 inside = tg::let(j + 1u).operand;
                 j += 64u;
                 j += 96u;
               });
    return tg::value<unsigned>{inside};
  });
  REQUIRE(stepped.cases == 1);
  CHECK(stepped.last.divisor == 160);
  CHECK(stepped.last.offset[3] == 7);
}

TEST_CASE("a variable that lanes step differently is not known") {
  const auto stepped = [](auto by) {
    return [by](auto block, auto p) {
      tg::var<unsigned> j = block.thread.x;
      tg::ptx::operand inside;
      tg::while_([&] { return j < p.n; },
                 [&] {
                   inside = tg::let(j + 1u).operand;
                   j += by(block, p);
                 });
      return tg::value<unsigned>{inside};
    };
  };
  CHECK(cases_of(stepped([](auto block, auto p) { return p.u(block.index.x); })).found.is_known == false);
  CHECK(cases_of(stepped([](auto block, auto) { return block.thread.x; })).found.is_known == false);
  CHECK(cases_of(stepped([](auto, auto p) { return p.n; })).found.is_known);
  const seen in_branch = cases_of([](auto block, auto p) {
    tg::var<unsigned> j = block.thread.x;
    tg::ptx::operand inside;
    tg::while_([&] { return j < p.n; },
               [&] {
                 tg::if_(p.x(block.thread.x) > 0.0f, [&] { j += 32u; });
                 inside = tg::let(j + 1u).operand;
               });
    return tg::value<unsigned>{inside};
  });
  CHECK_FALSE(in_branch.found.is_known);
}

TEST_CASE("a variable that a loop gives another number in some lanes is not known behind it") {
  const seen last = cases_of([](auto block, auto p) {
    tg::var<unsigned> at = block.thread.x;
    tg::for_(tg::range(p.n), [&](auto k) { tg::if_(p.x(block.thread.x) > 1.0f, [&] { at = k * 32u + block.thread.x; }); });
    return tg::let(at + 1u);
  });
  CHECK_FALSE(last.found.is_known);
}

TEST_CASE("warps whose leaves are alike have the same cases") {
  recording::of<tg::block_t<96>>([](auto block, recording::parameters p) {
    const auto alike = tg::let(block.global.x % p.n);
    const auto not_alike = tg::let(block.thread.x / p.n);
    auto& t = tg::detail::tracer::current().recorded();
    tg::detail::recorded_flow flow(t);
    for (const auto& [root, is_alike] : {std::pair{alike.operand, true}, std::pair{not_alike.operand, false}}) {
      tg::detail::lane_cases first(t, flow, 1), second(t, flow, 2);
      (void)first(root, [](const auto&) {});
      CHECK(second.is_like(first.leaves()) == is_alike);
    }
  });
}

TEST_CASE("a selection that compares places of threads has the lanes that choose each number") {
  recording::of<tg::block_t<64>>([](auto block, recording::parameters p) {
    const auto chosen = tg::let(tg::select(block.thread.x < 36_c, p.n, block.thread.x));
    auto& t = tg::detail::tracer::current().recorded();
    tg::detail::recorded_flow flow(t);
    for (const int warp : {0, 1}) {
      tg::detail::lane_cases cases(t, flow, warp);
      std::vector<tg::analysis::lane_mask> lanes;
      (void)cases(chosen.operand, [&](const auto& one) { lanes.push_back(one.chosen_by); });
      CHECK(lanes == (warp == 0 ? std::vector<tg::analysis::lane_mask>{0xffffffffu, 0}
                                : std::vector<tg::analysis::lane_mask>{0xf, 0xfffffff0u}));
    }
  });
}

TEST_CASE("a remainder of a remainder and a number is known, unless the sum may be below 0 or the divisor is another") {
  const auto of = [](auto neighbour) {
    return cases_of([neighbour](auto block, auto p) { return neighbour(tg::let(block.global.x % p.n), p); });
  };
  CHECK(of([](auto x, auto p) { return (x + 1u) % p.n; }).cases == 33);
  CHECK(of([](auto x, auto p) { return (x + p.n - 1u) % p.n; }).cases == 33);
  CHECK(of([](auto x, auto p) { return (x + (p.n - 3u)) % p.n; }).cases == 33);
  CHECK_FALSE(of([](auto x, auto p) { return (x - 1u) % p.n; }).found.is_known);
  CHECK_FALSE(of([](auto x, auto p) { return (x + 1u) % (p.n + 1u); }).found.is_known);
  CHECK_FALSE(of([](auto x, auto p) { return (x * 2u) % p.n; }).found.is_known);
}

TEST_CASE("tg::assume says that a divisor is not small, behind it and in the body where it stands") {
  const auto image = [](auto before, auto inside) {
    return cases_of([=](auto block, auto p) {
      before(p);
      tg::if_(block.index.x > 3u, [&] { inside(p); });
      return block.global.x / p.n * 100_c + block.global.x % p.n;
    });
  };
  const auto nothing = [](auto) {};
  const auto something = [](auto p) { p.y(0_c, tg::allow<tg::TG202>("one element")) = 1.0f; };
  CHECK(image(nothing, something).found.may_divide_small);
  CHECK_FALSE(image([](auto p) { tg::assume(p.n >= 32u); }, something).found.may_divide_small);
  CHECK_FALSE(image([](auto p) { tg::assume(p.n > 31u); }, something).found.may_divide_small);
  CHECK_FALSE(image([](auto p) { tg::assume(40u <= p.n); }, something).found.may_divide_small);
  CHECK(image([](auto p) { tg::assume(p.n >= 31u); }, something).found.may_divide_small);
  CHECK(image([](auto p) { tg::assume(p.n <= 32u); }, something).found.may_divide_small);
  CHECK(image(nothing, [](auto p) { tg::assume(p.n >= 32u); }).found.may_divide_small);
}

TEST_CASE("a variable stepped behind break_ is known where lanes that come back have stepped it, and nowhere else") {
  const auto walked = [](auto body) {
    return cases_of([body](auto block, auto p) {
             tg::var<unsigned> j = block.thread.x;
             tg::ptx::operand read;
             const auto see = [&] { read = tg::let(j + 1u).operand; };
             body(block, p, j, see);
             return tg::value<unsigned>{read};
           })
        .found.is_known;
  };
  const auto leaves = [](auto block, auto p) { return p.x(block.thread.x) > 1.0f; };
  CHECK(walked([=](auto block, auto p, auto& j, auto see) {
    tg::while_([&] { return j < p.n; },
               [&] {
                 see();
                 tg::if_(leaves(block, p), [&] { tg::break_(); });
                 j += 64u;
               });
  }));
  CHECK(walked([=](auto block, auto p, auto& j, auto see) {
    tg::for_(tg::range(p.n), [&](auto) {
      tg::if_(leaves(block, p), [&] { tg::break_(); });
      j += 64u;
      see();
    });
  }));
  CHECK_FALSE(walked([=](auto block, auto p, auto& j, auto see) {  // lanes that go on with the next round have not stepped it
    tg::for_(tg::range(p.n), [&](auto) {
      see();
      tg::if_(leaves(block, p), [&] { tg::continue_(); });
      j += 64u;
    });
  }));
  CHECK_FALSE(walked([=](auto block, auto p, auto& j, auto see) {  // behind the loop
    tg::for_(tg::range(p.n), [&](auto) {
      tg::if_(leaves(block, p), [&] { tg::break_(); });
      j += 64u;
    });
    see();
  }));
  CHECK_FALSE(walked([=](auto block, auto p, auto& j, auto see) {  // a loop around it brings lanes back that had left
    tg::for_(tg::range(3_c), [&](auto) {
      tg::for_(tg::range(p.n), [&](auto) {
        see();
        tg::if_(leaves(block, p), [&] { tg::break_(); });
        j += 64u;
      });
    });
  }));
  CHECK_FALSE(walked([=](auto block, auto p, auto& j, auto see) {  // some lanes only break
    tg::for_(tg::range(p.n), [&](auto) {
      see();
      tg::if_(leaves(block, p), [&] { tg::if_(p.x(block.thread.x) > 2.0f, [&] { tg::break_(); }); });
      tg::if_(leaves(block, p), [&] { j += 64u; });
    });
  }));
  CHECK_FALSE(walked([=](auto block, auto p, auto& j, auto see) {  // the condition of the loop is looked at by all
    tg::while_(
        [&] {
          see();
          return j < p.n;
        },
        [&] {
          tg::if_(leaves(block, p), [&] { tg::continue_(); });
          j += 64u;
        });
  }));
}

TEST_CASE("patterns that have some of the lanes each make the number of every lane, where each is known") {
  using tg::analysis::constant;
  constexpr tg::analysis::lane_mask low = 0xffff, high = 0xffff0000;
  const auto joined = [](tg::analysis::lane_mask second, const tg::detail::lane_case& one) {
    tg::detail::joined_lanes out;
    out.add(low, {constant(3)});
    out.add(second, one);
    const tg::analysis::lane_value* const all = out.of(tg::analysis::all_lanes);
    return all == nullptr ? -1 : static_cast<int>(all->offset[0] * 100 + all->offset[31]);
  };
  CHECK(joined(high, {constant(5)}) == 305);
  CHECK(joined(tg::analysis::all_lanes, {constant(5)}) == -1);  // some lanes have two
  CHECK(joined(0xff000000, {constant(5)}) == -1);               // some have none
  CHECK(joined(high, {tg::analysis::uniform()}) == -1);
  CHECK(joined(high, {.lanes = constant(5), .falls = 1}) == -1);
}
