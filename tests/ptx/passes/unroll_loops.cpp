#include <tg/ptx/passes/unroll_loops.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <functional>
#include <numeric>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/unroll_by.hpp>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/ptx/passes/optimize.hpp>
#include <tg/runtime/device.hpp>

#include "machine.hpp"
#include "sketch.hpp"

using namespace tg::literals;

namespace {

int count_of(const tg::ptx::function& f, tg::ptx::opcode op) {
  int n = 0;
  for (const auto& i : f.body) n += i.op == op;
  return n;
}

template <class K> const tg::ptx::function& lowered(const K& kernel) {
  static std::vector<tg::lowered_kernel> kept;
  kept.reserve(64);
  return kept.emplace_back(tg::lower(kernel)).module.functions[0];
}

/// z = the sum over a range of x, with the value before the last added once more where the loop ran at all.
template <class T, long long Step>
auto sum_over = tg::kernel<"sum_over">(tg::block<32>,
                                       [](auto block, tg::in<float> x, tg::out<float> z, tg::scalar<T> from, tg::scalar<T> to) {
                                         tg::var<float> sum = 0.0f;
                                         tg::var<float> last = 0.0f;
                                         tg::for_(tg::range(from, to, tg::constant<Step>{}), [&](auto j) {
                                           tg::var<float> here = x(j - from);
                                           tg::if_(x(j - from) > 50.0f, [&] { here = here * 2.0f; });
                                           sum += here;
                                           last = here;
                                         });
                                         z(block.thread.x) = sum + last;
                                       });

template <class T, long long Step> double expected(T from, T to) {
  double sum = 0, last = 0;
  for (T j = from; j < to; j = static_cast<T>(j + static_cast<T>(Step))) {
    const double x = static_cast<double>(j - from) + 1;
    last = x > 50 ? 2 * x : x;
    sum += last;
  }
  return sum + last;
}

}  // namespace

TEST_CASE("loops of every length give what they gave") {
  tg::device gpu("emulator");
  std::vector<float> numbers(300);
  std::iota(numbers.begin(), numbers.end(), 1.0f);
  const auto x = gpu.upload(numbers);
  auto z = gpu.zeros<float>(32);
  const auto check = [&]<class T, long long Step>(std::integral_constant<long long, Step>, T from, T to) {
    gpu.launch(sum_over<T, Step>, tg::grid(1), x, z, from, to);
    const auto out = z.to_host();
    CHECK(out[0] == static_cast<float>(expected<T, Step>(from, to)));
    CHECK(out[31] == out[0]);
  };
  for (unsigned n = 0; n < 19; ++n) {
    check(std::integral_constant<long long, 1>{}, 0u, n);
    check(std::integral_constant<long long, 3>{}, 5u, 5u + n);
    check(std::integral_constant<long long, 1>{}, -7, -7 + static_cast<int>(n));
    check(std::integral_constant<long long, 5>{}, -9ll, -9ll + static_cast<long long>(n));
    check(std::integral_constant<long long, 1>{}, INT32_MIN, INT32_MIN + static_cast<int>(n));
    check(std::integral_constant<long long, 2>{}, 0xfffffff0u - n, 0xfffffff0u);
  }
  for (const unsigned n : {100u, 101u, 102u, 103u, 257u}) check(std::integral_constant<long long, 1>{}, 0u, n);
  check(std::integral_constant<long long, 1>{}, 10u, 3u);
  check(std::integral_constant<long long, 1>{}, 3, -3);
}

TEST_CASE("a body may compute what the loop computes to go on") {
  tg::device gpu("emulator");
  const auto check = [&](auto stop, auto step, auto loop) {
    const auto kernel = tg::kernel<"next_of">(tg::block<1>, [=](auto block, tg::out<unsigned> z, tg::scalar<unsigned> n) {
      tg::var<unsigned> last = 0u;
      tg::var<unsigned> before_last = 0u;
      loop(tg::range(0u, stop(n), step), [&](auto j) {
        last = j + step;
        before_last += tg::select(j + step < stop(n), j + step, 0u);
      });
      z(block.thread.x) = last;
      z(block.thread.x + 1_c) = before_last;
    });
    for (const unsigned n : {1u, 3u, 4u, 5u, 9u}) {
      auto z = gpu.zeros<unsigned>(2);
      gpu.launch(kernel, tg::grid(1), z, n);
      unsigned last = 0, before_last = 0;
      for (unsigned j = 0; j < static_cast<unsigned>(stop(n)); j += step) {
        last = j + step;
        if (j + step < static_cast<unsigned>(stop(n))) before_last += j + step;
      }
      CHECK(z.to_host() == std::vector{last, before_last});
    }
  };
  const auto plain = [](auto range, auto body) { tg::for_(range, body); };
  check([](auto n) { return n; }, 1u, plain);
  check([](auto n) { return n; }, 1_c, plain);
  check([](auto n) { return n; }, 2_c, plain);
  check([](auto n) { return n; }, 1_c, [](auto range, auto body) { tg::unroll_by<3>(range, body); });
  check([](auto) { return 4_c; }, 1u, plain);
  check([](auto) { return 11u; }, 2u, plain);
  check([](auto) { return 4_c; }, 1_c, plain);
  check([](auto) { return 11_c; }, 1_c, plain);
  check([](auto) { return 12_c; }, 3_c, plain);
}

TEST_CASE("four iterations have one test and one branch") {
  const auto& f =
      lowered(tg::kernel<"plain_sum">(tg::block<32>, [](auto block, tg::in<float> x, tg::out<float> z, tg::scalar<unsigned> n) {
        tg::var<float> s = 0.0f;
        tg::for_(tg::range(n), [&](auto j) { s += x(j); });
        z(block.thread.x) = s;
      }));
  CHECK(count_of(f, tg::ptx::opcode::ld) == 3 + 4 + 1);  // parameters, four at once, the rest
}

TEST_CASE("a known number of iterations leaves no second loop") {
  const auto loads = [](auto stop) {
    const auto& f = lowered(tg::kernel<"known">(tg::block<32>, [stop](auto block, tg::in<float> x, tg::out<float> z) {
      tg::var<float> s = 0.0f;
      tg::for_(tg::range(stop), [&](auto j) { s += x(j); });
      z(block.thread.x) = s;
    }));
    return std::pair(count_of(f, tg::ptx::opcode::ld) - 2, count_of(f, tg::ptx::opcode::bra));
  };
  CHECK(loads(3_c) == std::pair(3, 0));
  CHECK(loads(7_c) == std::pair(7, 0));
  CHECK(loads(8_c) == std::pair(4, 1));
  CHECK(loads(16_c) == std::pair(4, 1));
  CHECK(loads(13_c) == std::pair(5, 1));
}

TEST_CASE("so does one that is the same in all threads") {
  const auto branches = [](auto stop) {
    const auto& f = lowered(tg::kernel<"block_stride">(tg::block<32>, [stop](auto block, tg::in<float> x, tg::out<float> z) {
      tg::var<float> s = 0.0f;
      tg::for_(tg::range(block.thread.x, stop, 32_c), [&](auto j) { s += x(j); });
      z(block.thread.x) = s;
    }));
    return count_of(f, tg::ptx::opcode::bra);
  };
  CHECK(branches(320_c) == 1);
  CHECK(branches(330_c) == 1);  // not unrolled: some threads have ten iterations, some eleven
}

TEST_CASE("large bodies, barriers and outer loops stay as they are") {
  const auto stores = [](auto body) {
    const auto& f = lowered(tg::kernel<"kept">(tg::block<32>, [body](auto block, tg::inout<float> x, tg::scalar<unsigned> n) {
      tg::for_(tg::range(n), [&](auto j) { body(block, x, n, j); });
    }));
    return count_of(f, tg::ptx::opcode::st);
  };
  CHECK(stores([](auto block, auto x, auto, auto j) { x(block.thread.x + 32_c * j) = 1.0f; }) == 5);
  CHECK(stores([](auto block, auto x, auto, auto j) {
          x(block.thread.x + 32_c * j) = 1.0f;
          block.sync();
        }) == 1);
  CHECK(stores([](auto block, auto x, auto, auto j) {
          tg::var<float> v = x(block.thread.x + 32_c * j);
          for (int k = 0; k < 50; ++k) v = v * v + 1.5f;
          x(block.thread.x + 32_c * j) = v;
        }) == 1);
  CHECK(stores([](auto block, auto x, auto n, auto j) {
          tg::for_(tg::range(n), [&](auto k) { x(block.thread.x + 32_c * k) = 1.0f; });
          x(block.thread.x + 32_c * j) = 2.0f;
        }) == 6);
}

namespace {

using namespace tg::ptx;
using tg::ptx::test::machine;
using tg::ptx::test::sketch;
using stores = std::vector<std::pair<std::uint64_t, std::uint32_t>>;

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
std::vector<range_of_launch> ranges(token type, std::int64_t factor, std::int64_t step) {
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
  std::vector<range_of_launch> out;
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

TEST_CASE("a step of the launch is unrolled when it is asked for") {
  const auto loads = [](auto body) {
    const auto& f = lowered(
        tg::kernel<"strided">(tg::block<32>, [body](auto block, tg::in<float> x, tg::out<float> z, tg::scalar<unsigned> n) {
          tg::var<float> s = 0.0f;
          body(tg::range(block.global_index(), n, block.grid.x * 32_c), [&](auto j) { s += x(j); });
          z(block.thread.x) = s;
        }));
    return count_of(f, opcode::ld) - 3;
  };
  CHECK(loads([](const auto& range, const auto& body) { tg::for_(range, body); }) == 1);
  CHECK(loads([](const auto& range, const auto& body) { tg::unroll_by<4>(range, body); }) == 5);
}

TEST_CASE("bodies that load much are repeated twice, and ptxas is told to leave them") {
  const auto lowered_with = [](auto body) -> const tg::ptx::function& {
    return lowered(
        tg::kernel<"loading">(tg::block<32>, [body](auto block, tg::in<float> x, tg::out<float> z, tg::scalar<unsigned> n) {
          tg::var<float> s = 0.0f;
          tg::for_(tg::range(n), [&](auto j) { body(x, s, j); });
          z(block.thread.x) = s;
        }));
  };
  const auto& few = lowered_with([](auto x, auto& s, auto j) { s += x(j) + x(j + 7_c); });
  CHECK(count_of(few, opcode::ld) - 3 == 2 * 4 + 2);
  const auto& many = lowered_with([](auto x, auto& s, auto j) { s += x(j) + x(j + 7_c) + x(j + 19_c); });
  CHECK(count_of(many, opcode::ld) - 3 == 3 * 2 + 3);
  CHECK(many.pragmas.size() == 2);
}
