#include <tg/dsl/vector/packed.hpp>

#include <tg/dsl/vector/vec_cast.hpp>

#include "../triples.hpp"

using namespace tg::literals;
using tg::ptx::token;

static_assert(tg::scalar_type<tg::f16x2> && tg::scalar_type<tg::f8e4m3x2> && !tg::scalar_type<tg::packed<tg::tf32>> &&
              !tg::scalar_type<tg::packed<float>>);
static_assert(tg::is_arithmetic<tg::bf16x2> && !tg::is_ordered<tg::bf16x2> && !tg::is_arithmetic<tg::f8e5m2x2>);
static_assert(tg::memory_type<tg::f16x2> == token::b32 && tg::compute_type<tg::bf16x2> == token::bf16x2 &&
              tg::memory_type<tg::f8e4m3x2> == token::b16);
static_assert(tg::detail::has_cast<tg::f8e4m3x2, tg::bf16x2> && !tg::detail::has_cast<tg::f16x2, tg::f16> &&
              !tg::detail::has_cast<float, tg::f16x2>);

namespace {

// f of the pairs (a, b) and (c, d), and what its halves should be of a and c, and of b and d.
template <class T, class F, class Want> int differences(F f, Want want, const std::vector<T>& x, int sm, int shown = 3) {
  const auto y = triples::apply<T, tg::packed<T>>(
      [f](const auto& v) {
        const auto pairs = tg::bit_cast<tg::packed<T>>(v);
        return f(pairs(0), pairs(1));
      },
      x, sm);
  int wrong = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    const T low = want(x[4 * i], x[4 * i + 2]), high = want(x[4 * i + 1], x[4 * i + 3]);
    if (triples::is_same(y[i].low, low) && triples::is_same(y[i].high, high)) continue;
    if (++wrong <= shown) CHECK_MESSAGE(y[i].low.bits == low.bits, y[i].high.bits << " " << high.bits);
  }
  return wrong;
}

template <class T> void check_arithmetic(int sm) {
  const auto x = triples::samples<T>();
  CHECK(differences([](auto p, auto q) { return p + q; }, triples::plus<T>, x, sm) == 0);
  CHECK(differences([](auto p, auto q) { return p - q; }, triples::minus<T>, x, sm) == 0);
  CHECK(differences([](auto p, auto q) { return p * q; }, triples::times<T>, x, sm) == 0);
  CHECK(differences([](auto p, auto q) { return tg::min(p, q); }, triples::least<T>, x, 80) == 0);
  CHECK(differences([](auto p, auto q) { return tg::max(p, q); }, triples::largest<T>, x, 80) == 0);
  CHECK(differences([](auto p, auto q) { return tg::fma(p, q, tg::packed<T>{T(1), T(1)}); },
                    [](T a, T b) { return triples::fused(a, b, T(1)); }, x, sm) == 0);
  CHECK(differences([](auto p, auto) { return tg::abs(-p); },
                    [](T a, T) { return T::from_bits(static_cast<std::uint16_t>(a.bits & 0x7fff)); }, x, sm) == 0);
  const auto as_floats = [](auto compare) {
    return [compare](T a, T b) { return compare(static_cast<float>(a), static_cast<float>(b)) ? a : b; };
  };
  CHECK(differences([](auto p, auto q) { return tg::select(p < q, p, q); }, as_floats([](float a, float b) { return a < b; }),
                    x, sm) == 0);
  CHECK(differences([](auto p, auto q) { return tg::select(p >= q, p, q); }, as_floats([](float a, float b) { return a >= b; }),
                    x, sm) == 0);
  CHECK(differences([](auto p, auto q) { return tg::select(p != q, p, q); }, as_floats([](float a, float b) { return a != b; }),
                    x, sm) == 0);
  // Halves that change places are found.
  CHECK(differences([](auto p, auto q) { return tg::pack(tg::high(p), tg::low(p)) + q; }, triples::plus<T>, x, sm, 0) > 1000);
}

}  // namespace

TEST_CASE("f16x2 computes half by half") { check_arithmetic<tg::f16>(53); }
TEST_CASE("bf16x2 computes half by half") { check_arithmetic<tg::bf16>(80); }

TEST_CASE("two floats are rounded in one instruction") {
  const auto check = [](auto narrow, const char* instruction) {
    using T = decltype(narrow);
    const auto kernel = accuracy::lowered<float, tg::packed<T>>([](auto x) { return tg::pack<T>(x, x * 3.0f); });
    CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
    CHECK(kernel.ptx.find(instruction) != std::string::npos);
    const std::vector<float> x = {0.0f, -1.1f, 0.3f, 300.0f, 1e6f, 1e-7f, -HUGE_VALF};
    const auto y = accuracy::run<tg::packed<T>>(kernel.ptx, x);
    for (std::size_t i = 0; i < x.size(); ++i) {
      CHECK(y[i].low.bits == T(x[i]).bits);
      CHECK(y[i].high.bits == T(x[i] * 3.0f).bits);
    }
  };
  check(tg::f16(), "cvt.rn.f16x2.f32");
  check(tg::bf16(), "cvt.rn.bf16x2.f32");
  check(tg::f8e4m3(), "cvt.rn.satfinite.e4m3x2.f32");
  check(tg::f8e5m2(), "cvt.rn.satfinite.e5m2x2.f32");
}

TEST_CASE("pairs become pairs") {
  std::vector<tg::f16x2> x;
  for (std::uint32_t k = 0; k < 0x10000; ++k)
    x.push_back({tg::f16::from_bits(static_cast<std::uint16_t>(k)), tg::f16::from_bits(static_cast<std::uint16_t>(k * 7919))});
  const auto check = [&](auto narrow) {
    using T = decltype(narrow);
    const auto y = accuracy::apply<tg::f16x2, tg::packed<T>>([](auto p) { return tg::cast<tg::packed<T>>(p); }, x);
    const auto back = accuracy::apply<tg::packed<T>, tg::f16x2>([](auto p) { return tg::cast<tg::f16x2>(p); }, y);
    int wrong = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      wrong += y[i].low.bits != T(static_cast<float>(x[i].low)).bits || y[i].high.bits != T(static_cast<float>(x[i].high)).bits;
      wrong += !triples::is_same(back[i].low, tg::f16(static_cast<float>(y[i].low)));
      wrong += !triples::is_same(back[i].high, tg::f16(static_cast<float>(y[i].high)));
    }
    CHECK(wrong == 0);
  };
  check(tg::f8e4m3());
  check(tg::f8e5m2());
  check(tg::bf16());
}

TEST_CASE("pairs of bytes are put together and taken apart") {
  const auto swap = [](auto p) { return tg::pack(tg::high(p), tg::low(p)); };
  const std::vector<tg::f8e4m3x2> x = {{tg::f8e4m3(1), tg::f8e4m3(-448)}, {tg::f8e4m3(0.5), tg::f8e4m3(3)}};
  const auto y = accuracy::apply<tg::f8e4m3x2, tg::f8e4m3x2>(swap, x);
  for (std::size_t i = 0; i < x.size(); ++i) CHECK((y[i].low == x[i].high && y[i].high == x[i].low));
  const auto bits =
      accuracy::apply<tg::f8e4m3x2, std::uint16_t>([&](auto p) { return tg::bit_cast<std::uint16_t>(swap(p)); }, x);
  CHECK(bits[0] == std::bit_cast<std::uint16_t>(y[0]));
}

TEST_CASE("a condition for each half") {
  const auto f = [](auto p) {
    const auto c = p > tg::f16x2{tg::f16(0), tg::f16(0)};
    return tg::select(c.all(), tg::cast<unsigned>(c.any()) + 1u, tg::cast<unsigned>(c.any()));
  };
  const std::vector<tg::f16x2> x = {
      {tg::f16(1), tg::f16(1)}, {tg::f16(1), tg::f16(-1)}, {tg::f16(-1), tg::f16(1)}, {tg::f16(0), tg::f16(-0.0)}};
  CHECK(accuracy::apply<tg::f16x2, unsigned>(f, x) == std::vector<unsigned>{2, 1, 1, 0});
}

TEST_CASE("both halves of f16x2 are compared in one instruction, those of bf16x2 as floats from sm_80 on") {
  const auto less = [](auto zero) {
    using T = decltype(zero);
    return accuracy::lowered<tg::packed<T>, tg::packed<T>>([](auto p) { return tg::select(p < -p, p, -p); });
  };
  const auto pairs = less(tg::f16());
  CHECK(pairs.ptx.find("setp.lt.f16x2") != std::string::npos);
  CHECK(pairs.ptx.find("setp.lt.f16x2") == pairs.ptx.rfind("setp.lt"));
  CHECK(less(tg::bf16()).module.sm == 80);
}

TEST_CASE("every comparison of pairs is that of its halves, also with NaN") {
  const tg::f16 nan = tg::f16::from_bits(0x7e00), one(1), two(2);
  const std::vector<tg::f16x2> x = {{one, two}, {two, one}, {one, one}, {nan, one}, {two, nan}, {tg::f16(-0.0), tg::f16(0)}};
  const auto y = accuracy::apply<tg::f16x2, unsigned>(
      [](auto p) {
        const tg::f16x2 other{tg::f16(1), tg::f16(1)};
        const auto bits = [](const tg::condition_pair& c) {
          return tg::cast<unsigned>(c.low) + 2u * tg::cast<unsigned>(c.high);
        };
        return bits(p < other) + 4u * bits(p <= other) + 16u * bits(p > other) + 64u * bits(p >= other) +
               256u * bits(p == other) + 1024u * bits(p != other);
      },
      x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    unsigned want = 0;
    for (unsigned half = 0; half < 2; ++half) {
      const auto a = static_cast<float>(half == 0 ? x[i].low : x[i].high);
      const bool holds[] = {a < 1, a <= 1, a > 1, a >= 1, a == 1, a != 1};
      for (unsigned k = 0; k < 6; ++k) want |= static_cast<unsigned>(holds[k]) << (2 * k + half);
    }
    CHECK(y[i] == want);
  }
}
