// Random loops, unrolled and run: at both ends of every type and with every step they do what C++ loops do.
#include <tg/ptx/passes/unroll_loops.hpp>

#include <doctest/doctest.h>

#include <functional>
#include <optional>
#include <random>
#include <tg/base/dynamic_array.hpp>

#include <tg/ptx/passes/optimize.hpp>

#include "machine.hpp"
#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::machine;
using tg::ptx::test::sketch;
using stores = tg::dynamic_array<std::pair<std::uint64_t, std::uint32_t>>;

/// The loop as tg::for_ records it, around a body that stores the counter: `for (c = start; c < stop; c += step)`. A step of
/// 0 is a parameter of the function.
sketch counting_loop(token type, std::int64_t factor, std::int64_t step) {
  sketch s;
  const operand start = s.parameter(type), stop = s.parameter(type), run_time_step = s.parameter(type);
  const operand by = step == 0 ? run_time_step : operand::integer(step);
  const operand counter = s.variable(type), sum = s.variable(type);
  s.move(sum, operand::integer(7));
  s.move(counter, start);
  s.if_(s.set(token::lt, type, start, stop));
  s.b.emit(opcode::loop, {}, {operand::integer(factor)});
  const operand own = s.read(counter);
  s.use(own);
  s.move(sum, s.op(opcode::add, type, {s.read(sum), own}));
  const operand next = s.op(opcode::add, type, {s.read(counter), by});
  s.move(counter, next);
  s.endloop(s.set(token::lt, type, next, stop));
  s.endif();
  s.use(s.read(sum));
  s.b.emit(opcode::ret, {}, {});
  return s;
}

struct range_of_launch { std::uint64_t start = 0, stop = 0, step = 0; };

/// What the C++ loop stores, where it ends soon.
std::optional<stores> expected_stores(token type, const range_of_launch& r) {
  const int bits = width_bits(type);
  stores out;
  std::uint64_t c = machine::cut(r.start, bits), sum = 7;
  const auto is_below = [&] { return machine::compare(token::lt, c, machine::cut(r.stop, bits), type); };
  for (; is_below(); c = machine::cut(c + r.step, bits)) {
    if (out.size() > 60) return {};
    out.emplace_back(0x100, static_cast<std::uint32_t>(c));
    sum += c;
  }
  out.emplace_back(0x100, static_cast<std::uint32_t>(sum));
  return out;
}

/// Ranges near everything that can go wrong: both ends of the type, the middle, steps that nearly reach around.
tg::dynamic_array<range_of_launch> ranges(token type, std::int64_t factor, std::int64_t step) {
  const int bits = width_bits(type);
  const std::uint64_t all = machine::cut(~std::uint64_t{0}, bits), half = all / 2,
                      third = all / static_cast<std::uint64_t>(factor - 1);
  std::mt19937_64 random(static_cast<std::uint64_t>(factor) * 64 + static_cast<std::uint64_t>(bits));
  const auto near = [&](std::uint64_t x) { return machine::cut(x + random() % 9 - 4, bits); };
  const auto any = [&] {
    switch (random() % 6) {
      case 0: return near(0);
      case 1: return near(half);
      case 2: return near(third);
      case 3: return near(third / 2);
      case 4: return random() % 100;
      default: return machine::cut(random(), bits);
    }
  };
  tg::dynamic_array<range_of_launch> out;
  for (int n = 0; n < 4000; ++n) {
    range_of_launch r{any(), any(), step == 0 ? any() : static_cast<std::uint64_t>(step)};
    if (n % 2 == 0) r.stop = machine::cut(r.start + random() % 20 * r.step + random() % 3 - 1, bits);
    out.push_back(r);
  }
  return out;
}

/// The first range for which a function stores something else than the loop; none where all is well.
std::optional<range_of_launch> first_difference(const tg::ptx::function& f, token type, std::int64_t factor,
                                                std::int64_t step) {
  for (const range_of_launch& r : ranges(type, factor, step)) {
    const auto expected = expected_stores(type, r);
    if (!expected) continue;
    machine m{f, 0, {r.start, r.stop, r.step}};
    m.step_limit = 20000;
    try {
      m.run();
    } catch (const std::runtime_error&) {  // it does not end
      return r;
    }
    if (m.stores != *expected) return r;
  }
  return {};
}

}  // namespace

TEST_CASE("unrolled loops do what C++ loops do, at both ends of every type and with every step") {
  for (const token type : {token::u32, token::s32, token::u64, token::s64})
    for (const std::int64_t factor : {2, 3, 4, 7})
      for (const std::int64_t step : {0, 1, 3, 1000, 1 << 24}) {
        sketch s = counting_loop(type, factor, step);
        const auto before = s.count(opcode::loop);
        unroll_loops(s.f());
        CHECK(s.count(opcode::loop) == before + 1);
        CAPTURE(name(type));
        CAPTURE(factor);
        CAPTURE(step);
        const range_of_launch found = first_difference(s.f(), type, factor, step).value_or(range_of_launch{1, 1, 1});
        CAPTURE(found.start);
        CAPTURE(found.stop);
        CAPTURE(found.step);
        CHECK(!first_difference(s.f(), type, factor, step));
        optimize(s.f());
        CHECK(!first_difference(s.f(), type, factor, step));
      }
}

TEST_CASE("each wrong unrolling is found") {
  using defect = std::function<bool(instruction&)>;  // whether it broke the instruction
  const auto weaken = [](instruction& i) {
    if (i.op != opcode::setp || i.tokens()[0] != token::lt) return false;
    i.token_array[0] = token::le;
    return true;
  };
  const auto drop_bound = [](instruction& i) {
    if (i.op != opcode::max) return false;
    i = instruction(opcode::mov, {i.type()}, {i[0], i[1]});
    return true;
  };
  const auto trust_step = [](instruction& i) {
    if (i.op != opcode::selp) return false;
    i = instruction(opcode::mov, {i.type()}, {i[0], i[1]});
    return true;
  };
  const auto shorten_lead = [](instruction& i) {
    if (i.op == opcode::mul) return i[2].value -= 1, true;
    if (i.op != opcode::sub || !i[2].is(operand_kind::integer)) return false;
    return i[2].value -= 1, true;
  };
  const auto miss_step = [](instruction& i) {  // a copy has the counter of the one before it
    if (i.op != opcode::add || !i[1].is_reg()) return false;
    i = instruction(opcode::mov, {i.type()}, {i[0], i[1]});
    return true;
  };
  for (const token type : {token::u32, token::s32, token::u64, token::s64})
    for (const std::int64_t step : {0, 1, 1000}) {
      int broken = 0;
      for (const defect& breaks :
           {defect(weaken), defect(drop_bound), defect(trust_step), defect(shorten_lead), defect(miss_step)}) {
        sketch whole = counting_loop(type, 4, step);
        unroll_loops(whole.f());
        std::size_t guard = 0;  // is not the pass's own, and the two tests behind it make it superfluous
        while (whole.f().body[guard].op != opcode::setp) ++guard;
        REQUIRE(whole.f().body[guard][2] == whole.f().body[1][0]);
        for (std::size_t n = 0; n < whole.f().body.size(); ++n) {
          sketch s = whole;
          if (whole.f().body[n][0] == whole.f().body[guard][0] || !breaks(s.f().body[n])) continue;
          ++broken;
          CAPTURE(name(type));
          CAPTURE(step);
          CAPTURE(n);
          CAPTURE(s.text());
          CHECK(first_difference(s.f(), type, 4, step));
        }
      }
      CHECK(broken >= 10);
    }
}
