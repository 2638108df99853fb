#include <tg/dsl/recorder/guarded_reads.hpp>

#include <algorithm>
#include <vector>

#include <tg/dsl/flow/break_.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/math/fmod.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/math/trigonometry.hpp>
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

/// How many loads whose result is needed stand in a branch, and how many do not.
template <class Statements> std::pair<int, int> loads(Statements statements) {
  const auto found = recording::of(statements);
  const auto uses = tg::ptx::count_uses(found.module.functions[0]);
  int depth = 0, inside = 0, outside = 0;
  for (const auto& i : found.module.functions[0].body) {
    if (i.op == tg::ptx::opcode::if_) ++depth;
    if (i.op == tg::ptx::opcode::endif) --depth;
    if (i.op == tg::ptx::opcode::ld && i.access != tg::ptx::no_index && uses[i[0].id].reads > 0)
      ++(depth > 0 ? inside : outside);
  }
  return {inside, outside};
}

using counts = std::pair<int, int>;

}  // namespace

TEST_CASE("a selection that nobody looks at takes no read from those who do") {
  const auto unused = [](auto i, auto& x, auto& y, auto& size) {
    const auto inside = tg::let(i % size);
    const auto first = tg::let(x(tg::gather(inside)));
    (void)tg::select(i < 3u, first, 1.0f);
    y(i) = first + 1.0f;
  };
  const auto y = run(unused);
  for (unsigned i = 0; i < n; ++i) REQUIRE(y[i] == (i % 3 == 0 ? -1.0f - float(i) : 1.0f + float(i)) + 1.0f);
}

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
          p.y(i) = tg::cast<float>(i < p.n && p.x(i) > 0.0f);
        }) == counts{1, 0});
  // the number is stored, so it is read in any case
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.global_index();
          const auto v = tg::let(p.x(i));
          p.y(i) = tg::cast<float>(i < p.n && v > 0.0f);
          p.y(i + 1u) = v;
        }) == counts{0, 1});
  // & asks for both sides
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.global_index();
          p.y(i) = tg::cast<float>((i < p.n) & (p.x(i) > 0.0f));
        }) == counts{0, 1});
  // the left side comes first
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.global_index();
          p.y(i) = tg::cast<float>(p.x(i) > 0.0f && i < p.n);
        }) == counts{0, 1});
}

TEST_CASE("a read does not pass a write, a branch or a loop") {
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.thread.x;
          const auto v = tg::let(p.u(i));
          p.u(i + 1u) = 0u;
          p.y(i) = tg::cast<float>(i < p.n && v > 0u);
        }).second >= 1);
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.thread.x;
          const auto v = tg::let(p.x(i));
          tg::var<float> sum = 0.0f;
          tg::for_(tg::range(p.n), [&](auto k) { sum += tg::select(k < 3u, v, 0.0f); });
          p.y(i) = sum;
        }) == counts{0, 1});
  // a loop between may write what is read
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.thread.x;
          const auto v = tg::let(p.y(i));
          tg::for_(tg::range(p.n), [&](auto k) { p.u(k) = 0u; });
          p.y(i) = tg::select(i < p.n, v, 0.0f);
        }) == counts{0, 1});
  // a read-only view is not written by the kernel
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.thread.x;
          const auto v = tg::let(p.x(i));
          p.u(i) = 0u;
          p.y(i) = tg::cast<float>(i < p.n && v > 0.0f);
        }).first == 1);
}

TEST_CASE("a read moves with the branches and loops of the functions that it is given to") {
  const auto gives = [](auto f) {
    const auto with = [&](auto select) { return run([=](auto i, auto x, auto y, auto n) { y(i) = select(i, x, n); }); };
    const auto read = [](auto i, auto x) { return tg::let(x(tg::gather(tg::min(i, n - 1)))); };
    const auto expected = with([=](auto i, auto x, auto n) { return tg::select(i < n, f(read(i, x)), 0.5f); });
    CHECK(with([=](auto i, auto x, auto n) { return tg::select(i < n, f(x(i)), 0.5f); }) == expected);
    CHECK(with([=](auto i, auto x, auto n) { return tg::select(i >= n, 0.5f, f(x(i))); }) == expected);
    CHECK(with([=](auto i, auto x, auto n) {
            const auto value = tg::let(f(x(i)));  // the condition behind it, as a compiler may order two arguments
            return tg::select(i < n, value, 0.5f);
          }) == expected);
    const auto positive = with([=](auto i, auto x, auto n) { return tg::cast<float>((i < n) & (f(read(i, x)) > 0.0f)); });
    CHECK(with([=](auto i, auto x, auto n) { return tg::cast<float>(i < n && f(x(i)) > 0.0f); }) == positive);
    CHECK(with([=](auto i, auto x, auto n) { return tg::cast<float>(!(i >= n || !(f(x(i)) > 0.0f))); }) == positive);
  };
  gives([](const auto& v) { return tg::sin(v * 1e4f); });
  gives([](const auto& v) { return tg::cos(v); });
  gives([](const auto& v) { return tg::sincos(v).cos; });
  gives([](const auto& v) { return tg::fmod(v, 7.0f); });
  gives([](const auto& v) { return tg::sin(tg::fmod(tg::cos(v) * 40.0f, v)); });
  gives([](const auto& v) {  // a function of the program: two assignments before a read, a loop that is left
    const auto own = tg::let(v);
    tg::var<float> out = own;
    tg::if_(own > 20.0f, [&] { out = own * 2.0f; }).else_([&] { out -= 1.0f; });
    const auto half = tg::let(out * 0.5f);
    tg::for_(tg::range(5u), [&](auto k) {
      tg::if_(out > 100.0f, [&] { tg::break_(); });
      out += half + tg::cast<float>(k);
    });
    return out * half;
  });
}

TEST_CASE("a variable that others name too stays, and so does what depends on it") {
  check(run([](auto i, auto x, auto y, auto) {
          tg::var<float> v = x(0_c);
          tg::if_(v < 0.0f, [&] { v = v * 2.0f; });
          const auto chosen = tg::select(i < 7u, v + 1.0f, 0.0f);
          tg::if_(i > 3u, [&] { v = 5.0f; });
          y(i) = chosen + v;
        }),
        [](unsigned i, float) { return (i < 7 ? -1.0f : 0.0f) + (i > 3 ? 5.0f : -2.0f); });
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = block.thread.x;
          const auto v = tg::let(p.x(i));
          tg::var<float> out = 0.0f;
          tg::if_(v > 0.0f, [&] { out = v, p.u(i) = 1u; });  // the store happens in any case
          p.y(i) = tg::select(i < p.n, out, 0.0f);
        }) == counts{0, 1});
}

TEST_CASE("a read moves however far in front of the selection it was recorded") {
  constexpr int terms = 700;
  const auto kernel =
      tg::kernel<"long">(tg::block<64>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
        const auto i = tg::let(block.global_index());
        tg::var<float> sum = x(i);
        for (unsigned k = 1; k < terms; ++k) sum += x(i + k * 64);
        y(i) = tg::select(i < n, sum, -1.0f);
      });
  tg::device gpu;
  auto x = gpu.upload(std::vector<float>((terms - 1) * 64 + 40, 1.0f)), y = gpu.zeros<float>(64);
  gpu.launch(kernel, tg::grid(1), x, y, 40u);
  const auto sums = y.to_host();
  for (unsigned i = 0; i < 64; ++i) REQUIRE(sums[i] == (i < 40 ? float(terms) : -1.0f));
  CHECK(loads([](auto block, recording::parameters p) {
          const auto i = tg::let(block.global_index());
          tg::var<float> sum = 0.0f;
          for (unsigned k = unsigned(terms); k-- > 0;) sum += p.x(i + k * 64);
          p.y(i) = tg::select(i < p.n, sum, -1.0f);
        }) == counts{terms, 0});
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
