#include <tg/dsl/flow/lazy.hpp>

#include <tg/dsl/value/let.hpp>

#include <vector>

#include <tg/dsl/math/fmod.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/memory/atomic.hpp>
#include <tg/dsl/memory/atomic_access.hpp>
#include <tg/runtime.hpp>

#include "../recording.hpp"

using namespace tg::literals;

namespace {

/// 256 threads run `statements(i, count, y)`; y(0) is returned last, after the numbers of y.
template <class Statements> std::vector<unsigned> run(Statements statements) {
  const auto kernel = tg::kernel<"lazy">(tg::block<256>, [=](auto block, tg::inout<unsigned> count, tg::out<unsigned> y) {
    statements(tg::let(block.global_index()), count, y);
  });
  tg::device gpu;
  auto count = gpu.upload(std::vector<unsigned>(1, 0u)), y = gpu.upload(std::vector<unsigned>(256, 0u));
  gpu.launch(kernel, tg::cover(256), count, y);
  std::vector<unsigned> out = y.to_host();
  out.push_back(count.to_host()[0]);
  return out;
}

}  // namespace

TEST_CASE("what the right side does happens where the left side leaves the answer open") {
  const auto both = run([](auto i, auto count, auto y) {
    tg::if_(i < 10u && [&] { return tg::atomic_add(count(0_c), 1u) < 4u; }, [&] { y(i) = 1u; });
  });
  CHECK(both.back() == 10);
  unsigned taken = 0;
  for (unsigned i = 0; i < 256; ++i) taken += both[i];
  CHECK(taken == 4);
  const auto either = run([](auto i, auto count, auto y) {
    tg::if_(i >= 10u || [&] { return tg::atomic_add(count(0_c), 1u) < 4u; }, [&] { y(i) = 1u; });
  });
  CHECK(either.back() == 10);
  taken = 0;
  for (unsigned i = 0; i < 256; ++i) taken += either[i];
  CHECK(taken == 250);
}

TEST_CASE("a selection records the chosen side in a branch") {
  const auto first = run([](auto i, auto count, auto y) {
    y(i) = tg::select(i < 10u, [&] { return tg::atomic_add(count(0_c), 1u) * 0u + 7u; }, 3u);
  });
  CHECK(first.back() == 10);
  CHECK(first[9] == 7);
  CHECK(first[10] == 3);
  const auto second = run([](auto i, auto count, auto y) {
    y(i) = tg::select(i < 10u, i, [&] { return tg::atomic_add(count(0_c), 1u) * 0u + 7u; });
  });
  CHECK(second.back() == 246);
  CHECK(second[9] == 9);
  CHECK(second[10] == 7);
  const auto both = run([](auto i, auto count, auto y) {
    y(i) = tg::select(i < 10u, [&] { return i; }, [&] { return tg::atomic_add(count(0_c), 2u) * 0u + 7u; });
  });
  CHECK(both.back() == 492);
  CHECK(both[9] == 9);
  CHECK(both[10] == 7);
}

TEST_CASE("a plain operand beside a lambda is read where it is chosen") {
  constexpr unsigned n = 100;
  const auto reads = [&](auto choose) {
    const auto kernel =
        tg::kernel<"read">(tg::block<256>, [=](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
          const auto i = tg::let(block.global_index());
          y(i) = choose(i, x, n);
        });
    tg::device gpu;
    auto x = gpu.upload(std::vector<float>(n, 3.0f)), y = gpu.zeros<float>(256);
    gpu.launch(kernel, tg::cover(256), x, y, n);
    return y.to_host();
  };
  const auto check = [&](auto f, float expected) {
    const auto other = [](auto i) { return [=] { return tg::cast<float>(i); }; };
    const auto first = reads([=](auto i, auto x, auto n) { return tg::select(i < n, f(x, i), other(i)); });
    const auto second = reads([=](auto i, auto x, auto n) { return tg::select(i >= n, other(i), f(x, i)); });
    for (unsigned i = 0; i < 256; ++i) REQUIRE(first[i] == (i < n ? expected : float(i)));
    CHECK(first == second);
  };
  check([](auto x, auto i) { return x(i); }, 3.0f);
  check([](auto x, auto i) { return x(i) * 2.0f + 1.0f; }, 7.0f);
  check([](auto x, auto i) { return tg::fmod(x(i), 2.0f); }, 1.0f);
  check([](auto, auto) { return 5.0f; }, 5.0f);
  const auto bits =
      reads([](auto i, auto x, auto n) { return tg::cast<float>(tg::select(i < n, x(i) > 2.0f, [&] { return i > 200u; })); });
  for (unsigned i = 0; i < 256; ++i) REQUIRE(bits[i] == (i < n || i > 200 ? 1.0f : 0.0f));
}

TEST_CASE("TG137: an atomic behind && happens in any case") {
  constexpr int at = __LINE__;
  const std::string message = recording::error_of([](auto block, recording::parameters p) {
    tg::if_(block.thread.x < p.n && tg::atomic_add(p.u(0_c), 1u) < 4u, [&] { p.y(block.thread.x) = 1.0f; });
  });
  CHECK(message == recording::at(137, at + 2));
  CHECK(recording::error_of([](auto block, recording::parameters p) {
          tg::if_(block.thread.x >= p.n || tg::atomic_load(p.u(block.thread.x)) < 4u, [&] { p.y(block.thread.x) = 1.0f; });
        }).starts_with("137"));
  CHECK(recording::error_of([](auto block, recording::parameters p) {
          tg::if_(block.thread.x < p.n && (p.n > 3u || [&] { return tg::atomic_add(p.u(0_c), 1u) < 4u; }),
                  [&] { p.y(block.thread.x) = 1.0f; });
        }).starts_with("137"));
}

TEST_CASE("an atomic of a statement before, or on the left side, is as it reads") {
  CHECK(recording::error_of([](auto block, recording::parameters p) {
          const auto is_inside = block.thread.x < p.n;
          const auto ticket = tg::atomic_add(p.u(0_c), 1u);
          tg::if_(is_inside && ticket < 4u, [&] { p.y(block.thread.x) = 1.0f; });
          tg::if_(block.thread.x < p.n && ticket < 4u, [&] { p.y(block.thread.x) = 1.0f; });
          tg::if_(tg::atomic_add(p.u(1_c), 1u) < 4u && block.thread.x < p.n, [&] { p.y(block.thread.x) = 1.0f; });
          tg::if_(block.thread.x < p.n && block.warp().any(ticket > 2u), [&] { p.y(block.thread.x) = 1.0f; });
        }) == "none");
}
