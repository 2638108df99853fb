#include <tg/dsl/verdict/chosen_lanes.hpp>

#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/let.hpp>

#include "../recording.hpp"

using namespace tg::literals;

namespace {

/// How often the first warp's lanes of what `f` computes are known, over all choices, and what was found.
struct seen {
  int cases = 0;
  std::size_t points = 0;
  tg::detail::lane_findings found;
};

template <class F> seen lanes_of(F f) {
  seen out;
  recording::of<tg::block_t<64>>([&](auto block, recording::parameters p) {
    const auto request = tg::detail::recorded_request::at(tg::let(f(block, p)).operand);
    auto& t = tg::detail::tracer::current().recorded();
    tg::detail::recorded_flow flow(t);
    tg::detail::chosen_lanes lanes(t, flow, 0);
    lanes.begin(request);
    do {
      out.cases += lanes(request).known;
      out.points = std::max(out.points, lanes.choices.size());
    } while (lanes.choices.next());
    out.found = lanes.findings;
  });
  return out;
}

}  // namespace

TEST_CASE("an index without choices has one pattern, a division one for each lane at which it may fall") {
  const seen plain = lanes_of([](auto block, auto) { return block.thread.x * 4_c; });
  CHECK(plain.cases == 1);
  CHECK(plain.points == 0);
  const seen divided = lanes_of([](auto block, auto p) { return block.global.x % p.n; });
  CHECK(divided.cases == 33);  // and one for a divisor of 1, as the lanes are a run
  CHECK(divided.points == 1);
  CHECK(lanes_of([](auto block, auto p) { return block.global.x % p.n * 2_c; }).cases == 32);
}

TEST_CASE("quotient and remainder by one divisor are one point") {
  const seen both = lanes_of([](auto block, auto p) { return block.global.x / p.n * 100_c + block.global.x % p.n; });
  CHECK(both.points == 1);
  CHECK(both.found.may_divide_small);
}

TEST_CASE("what memory holds is not known, and which operand that was is told") {
  const seen read = lanes_of([](auto block, auto p) { return p.u(block.thread.x); });
  CHECK(read.cases == 0);
  CHECK(read.found.unknown.is_reg());
}
