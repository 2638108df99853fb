#include <tg/dsl/structs/struct_memory.hpp>

#include "../structs.hpp"

#include <tg/dsl/block/block.hpp>

#include "../accuracy.hpp"

namespace {

using namespace structs;

template <class T, std::size_t Piece, int Align = 16> inline constexpr auto& words = tg::detail::words_of<T, Align, Piece>;
using tg::ptx::token;

static_assert(words<particle, 0>.count == 4 && words<particle, 0>.memory == token::f32 && words<particle, 0>.is_plain);
static_assert(words<rgb8, 2>.count == 1 && words<rgb8, 2>.memory == token::u8 && words<rgb8, 2>.reg == token::b32);
static_assert(words<complex<float>, 0>.count == 2 && words<complex<float>, 0>.memory == token::f32);
static_assert(words<wide, 1>.count == 4 && !words<wide, 1>.is_plain);
static_assert(words<pair64, 0>.count == 2 && words<pair64, 0>.bytes == 8 && words<pair64, 0>.reg == token::b64);
static_assert(words<split64, 0>.count == 4 && words<split64, 0>.memory == token::b32);

/// y(i) = x(i), by way of registers: each number is taken out of its word and put into another. `change`: what the kernel
/// does with a struct.
template <class T, class F> std::vector<T> run(const std::vector<T>& x, F change) {
  const auto kernel = accuracy::lowered<T>(change);
  CHECK(accuracy::complaints_about(kernel.ptx) == "");
  return accuracy::run<T>(kernel.ptx, x);
}

template <class T> void check_copy(std::vector<T> x) {
  const auto same = run(x, [](const auto& s) { return s; });
  CHECK(same == x);
}

float number(int i) { return static_cast<float>(i) * 0.75f - 3.0f; }

}  // namespace

TEST_CASE("structs of all kinds of pieces through registers") {
  std::vector<particle> p;
  std::vector<point> q;
  std::vector<rgb8> c;
  std::vector<complex<float>> z;
  std::vector<mixed> m;
  std::vector<nested> n;
  std::vector<wide> w;
  std::vector<pair64> u;
  std::vector<split64> s;
  for (int i = 0; i < 300; ++i) {
    const auto byte = [&](int by) { return static_cast<std::uint8_t>(i * by); };
    p.push_back({number(i), number(i + 1), number(i + 2), number(i + 3)});
    q.push_back({number(i), number(i + 1), number(i + 2)});
    c.push_back({byte(1), byte(3), byte(7)});
    z.push_back({number(i), number(-i)});
    m.push_back({number(i), byte(5), i % 3 == 0, static_cast<std::int16_t>(-i * 100), number(i) * 1e100, tg::f16(number(i)),
                 tg::f16(number(-i)), static_cast<std::int8_t>(-i)});
    n.push_back({z.back(), {number(i), number(2 * i)}, q.back(), -i});
    w.push_back({number(i), number(i + 1), number(i + 2)});
    u.push_back({number(i), 0x123456789abcdefull * static_cast<unsigned>(i)});
    s.push_back({number(i), number(-i), 0xdeadbeefu * static_cast<unsigned>(i)});
  }
  check_copy(p);
  check_copy(q);
  check_copy(c);
  check_copy(z);
  check_copy(m);
  check_copy(n);
  check_copy(w);
  check_copy(u);
  check_copy(s);
  std::vector<std::array<float, 3>> rows;
  std::vector<std::array<rgb8, 2>> pairs;
  for (int i = 0; i < 300; ++i) {
    rows.push_back({number(i), number(2 * i), number(3 * i)});
    pairs.push_back({c[static_cast<std::size_t>(i)], c[static_cast<std::size_t>(299 - i)]});
  }
  check_copy(rows);
  check_copy(pairs);
}

TEST_CASE("one number of a struct changes, and the others stay") {
  std::vector<mixed> m;
  std::vector<split64> s;
  for (int i = 0; i < 300; ++i) {
    m.push_back({number(i), 1, true, -2, 3.0, tg::f16(4.0f), tg::f16(5.0f), -6});
    s.push_back({number(i), 1.0f, 2});
  }
  auto want = m;
  for (mixed& x : want) x.d = 77, x.c = false, x.g = tg::f16(9.0f), x.h = -100;
  CHECK(run(m, [](const auto& x) {
          return x.with(&mixed::d, 77).with(&mixed::c, false).with(&mixed::g, tg::f16(9.0f)).with(&mixed::h, -100);
        }) == want);
  auto other = s;
  for (split64& x : other) x.a = x.a * 2 + x.b;
  CHECK(run(s, [](const auto& x) { return x.with(&split64::a, x(&split64::a) * 2.0 + tg::cast<double>(x(&split64::b))); }) ==
        other);
}
