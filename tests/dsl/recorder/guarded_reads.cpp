#include <tg/dsl/recorder/guarded_reads.hpp>

#include <algorithm>
#include <vector>

#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/memory/atomic.hpp>
#include <tg/dsl/value/gather.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/runtime.hpp>

#include "../recording.hpp"

using namespace tg::literals;

namespace {

constexpr unsigned n = 100;

/// What `statements(i, x, y, n)` leaves in y, where x has n elements and 256 threads run: a read past the end is an error.
template <class Statements> std::vector<float> run(Statements statements) {
  const auto kernel =
      tg::kernel<"guarded">(tg::block<256>, [=](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<unsigned> n) {
        statements(tg::let(block.global_index()), x, y, n);
      });
  std::vector<float> hx(n);
  for (unsigned i = 0; i < n; ++i) hx[i] = i % 3 == 0 ? -1.0f - float(i) : 1.0f + float(i);
  tg::device gpu;
  auto x = gpu.upload(hx), y = gpu.upload(std::vector<float>(256, -5.0f));
  gpu.launch(kernel, tg::cover(256), x, y, n);
  return y.to_host();
}

template <class Expected> void check(const std::vector<float>& y, Expected expected) {
  for (unsigned i = 0; i < y.size(); ++i) {
    const float x = i >= n ? 0 : i % 3 == 0 ? -1.0f - float(i) : 1.0f + float(i);
    INFO(i);
    REQUIRE(y[i] == expected(i, x));
  }
}

/// How many loads stand in a branch, and how many do not.
template <class Statements> std::pair<int, int> loads(Statements statements) {
  const auto found = recording::of(statements);
  int depth = 0, inside = 0, outside = 0;
  for (const auto& i : found.module.functions[0].body) {
    if (i.op == tg::ptx::opcode::if_) ++depth;
    if (i.op == tg::ptx::opcode::endif) --depth;
    if (i.op == tg::ptx::opcode::ld && i.access != tg::ptx::no_index) ++(depth > 0 ? inside : outside);
  }
  return {inside, outside};
}

using counts = std::pair<int, int>;

}  // namespace

TEST_CASE("a read that has to stay keeps what its address is computed from") {
  check(run([](auto i, auto x, auto y, auto) {
          const auto own = tg::let(i + tg::cast<unsigned>(x(0_c) * 0.0f));
          const auto before = tg::let(y(tg::gather(own)));
          y(i) = 2.0f;  // the read of y stays in front of it, and so does the read of x
          y(i) = tg::select(i < 7u, before, 1.0f);
        }),
        [](unsigned i, float) { return i < 7 ? -5.0f : 1.0f; });
}

TEST_CASE("the right side of && is read where the left side holds") {
  check(run([](auto i, auto x, auto y, auto n) { tg::if_(i < n && x(i) > 0.0f, [&] { y(i) = 1.0f; }); }),
        [](unsigned i, float x) { return i < n && x > 0 ? 1.0f : -5.0f; });
  check(run([](auto i, auto x, auto y, auto n) { tg::if_(i < n && x(i) * 2.0f > 4.0f && x(i) < 90.0f, [&] { y(i) = 1.0f; }); }),
        [](unsigned i, float x) { return i < n && x > 2 && x < 90 ? 1.0f : -5.0f; });
  check(run([](auto i, auto x, auto y, auto n) { tg::if_(i < n && (i < 7u || x(i) < 0.0f), [&] { y(i) = 1.0f; }); }),
        [](unsigned i, float x) { return i < n && (i < 7 || x < 0) ? 1.0f : -5.0f; });
  check(run([](auto i, auto x, auto y, auto n) {
          const auto is_inside = tg::let(i < n);
          y(i) = tg::select(is_inside && !(x(i) > 0.0f), 1.0f, 0.0f);
        }),
        [](unsigned i, float x) { return i < n && !(x > 0) ? 1.0f : 0.0f; });
}

TEST_CASE("the right side of || is read where the left side does not hold") {
  check(run([](auto i, auto x, auto y, auto n) { tg::if_(i >= n || x(i) > 0.0f, [&] { y(i) = 1.0f; }); }),
        [](unsigned i, float x) { return i >= n || x > 0 ? 1.0f : -5.0f; });
}

TEST_CASE("a selection reads what it chooses") {
  check(run([](auto i, auto x, auto y, auto n) { y(i) = tg::select(i < n, x(i), 0.0f); }), [](unsigned, float x) { return x; });
  check(run([](auto i, auto x, auto y, auto n) { y(i) = tg::select(i < n, x(i) * 2.0f + 1.0f, -1.0f); }),
        [](unsigned i, float x) { return i < n ? x * 2 + 1 : -1.0f; });
  check(run([](auto i, auto x, auto y, auto n) { y(i) = tg::select(i >= n, 3.0f, x(i)); }),
        [](unsigned i, float x) { return i < n ? x : 3.0f; });
  check(run([](auto i, auto x, auto y, auto n) { y(i) = tg::select(i < n, x(i), y(i) * 2.0f); }),
        [](unsigned i, float x) { return i < n ? x : -10.0f; });
  check(run([](auto i, auto x, auto y, auto n) { y(i) = tg::select(i >= n, y(i) - 1.0f, x(i) + 1.0f); }),
        [](unsigned i, float x) { return i < n ? x + 1 : -6.0f; });
  check(run([](auto i, auto x, auto y, auto n) { y(i) = tg::select(i < n, tg::select(x(i) > 0.0f, x(i), -x(i)), 0.0f); }),
        [](unsigned, float x) { return x < 0 ? -x : x; });
}

TEST_CASE("the condition of a loop is guarded too") {
  check(run([](auto i, auto x, auto y, auto n) {
          tg::var<unsigned> k = i;
          tg::while_([&] { return k < n && x(tg::gather(k)) > 0.0f; }, [&] { k += 1u; });
          y(i) = tg::cast<float>(k);
        }),
        [](unsigned i, float) {
          return float(i >= n ? i : i % 3 == 0 ? i : i + 3 - i % 3 > n ? n : i + 3 - i % 3);
        });
}

TEST_CASE("only what nothing else needs moves into the branch") {
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.global_index();
          [[maybe_unused]] tg::var<bool> both = i < p.n && p.x(i) > 0.0f;
        }) == counts{1, 0});
  // the number is stored, so it is read in any case
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.global_index();
          const auto v = tg::let(p.x(i));
          [[maybe_unused]] tg::var<bool> both = i < p.n && v > 0.0f;
          [[maybe_unused]] tg::var<float> kept = v;
        }) == counts{0, 1});
  // & asks for both sides
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.global_index();
          [[maybe_unused]] tg::var<bool> both = (i < p.n) & (p.x(i) > 0.0f);
        }) == counts{0, 1});
  // the left side comes first
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.global_index();
          [[maybe_unused]] tg::var<bool> both = p.x(i) > 0.0f && i < p.n;
        }) == counts{0, 1});
}

TEST_CASE("a read does not pass a write, a branch or a loop") {
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.thread.x;
          const auto v = tg::let(p.u(i));
          p.u(i + 1u) = 0u;
          [[maybe_unused]] tg::var<bool> both = i < p.n && v > 0u;
        }).second >= 1);
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.thread.x;
          const auto v = tg::let(p.x(i));
          tg::var<float> sum = 0.0f;
          tg::for_(tg::range(p.n), [&](auto k) { sum += tg::select(k < 3u, v, 0.0f); });
        }) == counts{0, 1});
  // a read-only view is not written by the kernel
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.thread.x;
          const auto v = tg::let(p.x(i));
          p.u(i) = 0u;
          [[maybe_unused]] tg::var<bool> both = i < p.n && v > 0.0f;
        }).first == 1);
}

TEST_CASE("a read is found however far behind a register it lies, and through every source") {
  using tg::ptx::opcode;
  using tg::ptx::operand;
  using tg::ptx::token;
  tg::ptx::module m;
  m.functions.emplace_back();
  tg::ptx::builder build(m, 0);
  auto& f = m.functions[0];
  const operand clean = build.compute(token::b32, opcode::mov, {token::u32}, {operand::special(tg::ptx::special::tid_x)});
  const operand read =
      build.compute(token::b32, opcode::ld, {token::global, token::u32}, {operand::address(operand::integer(64))});
  f.body.back().access = 0;
  operand far = read, apart = clean;
  for (int n = 0; n < 100; ++n) far = build.compute(token::b32, opcode::add, {token::u32}, {clean, far});
  for (int n = 0; n < 100; ++n) apart = build.compute(token::b32, opcode::add, {token::u32}, {apart, clean});
  const operand variable = operand::reg(f.new_register(token::b32));
  const operand sum = build.compute(token::b32, opcode::add, {token::u32}, {clean, variable});
  const auto finds = [&](const operand& from, bool is_counter = false) {
    tg::detail::read_search search(f, [&](std::uint32_t r) -> const tg::ptx::instruction* {
      for (const auto& i : f.body)
        if (i[0].id == r) return &i;
      return nullptr;
    });
    if (is_counter) search.pass(variable.id);
    return search(from.id);
  };
  CHECK(finds(far));
  CHECK_FALSE(finds(apart));
  CHECK(finds(sum));  // a variable may hold what was read
  CHECK_FALSE(finds(sum, true));
}
