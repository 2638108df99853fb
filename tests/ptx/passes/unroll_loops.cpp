#include <tg/ptx/passes/unroll_loops.hpp>

#include <doctest/doctest.h>

#include <numeric>
#include <tg/base/dynamic_array.hpp>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/unroll_by.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/kernel/kernel.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/runtime/device.hpp>

using namespace tg::literals;

namespace {

int count_of(const tg::ptx::function& f, tg::ptx::opcode op) {
  int n = 0;
  for (const auto& i : f.body) n += i.op == op;
  return n;
}

template <class K> const tg::ptx::function& lowered(const K& kernel) {
  static tg::dynamic_array<tg::lowered_kernel> kept;
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
  tg::dynamic_array<float> numbers(300);
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

namespace {

/// A loop from `from` up to `stop` in a loop of `turns` iterations. Its counter starts again in each, or only once.
template <class T> struct nested_counts {
  T from, stop, step;
  int turns;
  bool starts_again;

  /// The counter behind the loops, and how often the body ran.
  std::pair<T, int> on_host() const {
    T at = from;
    int runs = 0;
    for (int turn = 0; turn < turns; ++turn)
      for (at = starts_again ? from : at; at < stop; at = static_cast<T>(at + step)) ++runs;
    return {at, runs};
  }

  std::pair<T, int> on(tg::device& gpu) const {
    auto counter = gpu.zeros<T>(32);
    auto runs = gpu.zeros<int>(32);
    const auto kernel = tg::kernel<"nested_counts">(tg::block<32>, [own = *this](auto block, tg::out<T> z, tg::out<int> w) {
      tg::var<T> at = own.from;
      tg::var<int> ran = 0;
      const auto count = [&] { tg::while_([&] { return at < own.stop; }, [&] { ++ran, at += own.step; }); };
      if (own.turns == 1) count();
      else
        tg::for_(tg::range(0, own.turns), [&](auto) {
          if (own.starts_again) at = own.from;
          count();
        });
      z(block.thread.x) = at;
      w(block.thread.x) = ran;
    });
    gpu.launch(kernel, tg::grid(1), counter, runs);
    return {counter.to_host()[31], runs.to_host()[31]};
  }
};

template <class T> int count_wrong(tg::device& gpu) {
  int wrong = 0;
  for (int stop = 1; stop < 19; ++stop)
    for (int step = 1; step < 4; ++step)
      for (int kind = 0; kind < 3; ++kind) {
        const nested_counts<T> one{static_cast<T>(stop % 3), static_cast<T>(stop), static_cast<T>(step), kind == 0 ? 1 : 3,
                                   kind == 2};
        if (one.on(gpu) != one.on_host()) ++wrong;
      }
  return wrong;
}

}  // namespace

TEST_CASE("a counter that is read behind its loop, or goes on in a second one, has its number") {
  tg::device gpu("emulator");
  CHECK(count_wrong<int>(gpu) == 0);
  CHECK(count_wrong<unsigned>(gpu) == 0);
  CHECK(count_wrong<long long>(gpu) == 0);
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

TEST_CASE("a step of the launch is unrolled when it is asked for") {
  const auto loads = [](auto body) {
    const auto& f = lowered(
        tg::kernel<"strided">(tg::block<32>, [body](auto block, tg::in<float> x, tg::out<float> z, tg::scalar<unsigned> n) {
          tg::var<float> s = 0.0f;
          body(tg::range(block.global_index(), n, block.grid.x * 32_c), [&](auto j) { s += x(j); });
          z(block.thread.x) = s;
        }));
    return count_of(f, tg::ptx::opcode::ld) - 3;
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
  CHECK(count_of(few, tg::ptx::opcode::ld) - 3 == 2 * 4 + 2);
  const auto& many = lowered_with([](auto x, auto& s, auto j) { s += x(j) + x(j + 7_c) + x(j + 19_c); });
  CHECK(count_of(many, tg::ptx::opcode::ld) - 3 == 3 * 2 + 3);
  CHECK(many.pragmas.size() == 2);
}

TEST_CASE("the uses are those of the function that it leaves") {
  tg::ptx::module m = tg::trace(sum_over<int, 1>).module;
  tg::ptx::function& f = m.functions[0];
  const std::size_t before = f.body.size();
  const auto uses = tg::ptx::unroll_loops(f), counted = tg::ptx::count_uses(f);
  CHECK(f.body.size() > before);
  REQUIRE(uses.size() == counted.size());
  for (std::size_t r = 0; r < uses.size(); ++r) {
    CHECK(uses[r].definition == counted[r].definition);
    CHECK(uses[r].definitions == counted[r].definitions);
    CHECK(uses[r].reads == counted[r].reads);
  }
}
