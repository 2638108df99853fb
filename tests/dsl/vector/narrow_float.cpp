#include <tg/dsl/vector/narrow_float.hpp>

#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/vector/regs.hpp>

#include "../recording.hpp"
#include "../triples.hpp"

using namespace tg::literals;
using tg::ptx::token;

static_assert(tg::scalar_type<tg::f16> && tg::scalar_type<tg::f8e5m2> && tg::is_arithmetic<tg::bf16> &&
              tg::is_ordered<tg::f16>);
static_assert(!tg::is_arithmetic<tg::tf32> && !tg::is_ordered<tg::f8e4m3> && !tg::is_float<tg::f16> &&
              !tg::is_integer<tg::bf16>);
static_assert(tg::memory_type<tg::f16> == token::b16 && tg::register_type<tg::f16> == token::b16 &&
              tg::compute_type<tg::f16> == token::f16);
static_assert(tg::memory_type<tg::f8e4m3> == token::b8 && tg::register_type<tg::f8e4m3> == token::b32);
static_assert(tg::detail::has_cast<tg::f16, double> && !tg::detail::has_cast<tg::f8e4m3, double> &&
              !tg::detail::has_cast<tg::tf32, int>);
static_assert(tg::detail::has_cast<int, tg::f8e4m3> && tg::detail::has_cast<tg::tf32, tg::f16>);

namespace {

template <class T> void check_arithmetic(int sm, int sm_of_extrema) {
  const auto x = triples::samples<T>();
  CHECK(triples::differences([](auto a, auto b, auto) { return a + b; }, [](T a, T b, T) { return triples::plus(a, b); }, x,
                             sm) == 0);
  CHECK(triples::differences([](auto a, auto b, auto) { return a - b; }, [](T a, T b, T) { return triples::minus(a, b); }, x,
                             sm) == 0);
  CHECK(triples::differences([](auto a, auto b, auto) { return a * b; }, [](T a, T b, T) { return triples::times(a, b); }, x,
                             sm) == 0);
  CHECK(triples::differences([](auto a, auto b, auto c) { return tg::fma(a, b, c); }, triples::fused<T>, x, sm) == 0);
  CHECK(triples::differences([](auto a, auto b, auto c) { return c + a * b; }, triples::fused<T>, x, sm) == 0);
  CHECK(triples::differences([](auto a, auto b, auto) { return tg::min(a, b); },
                             [](T a, T b, T) { return triples::least(a, b); }, x, sm_of_extrema) == 0);
  CHECK(triples::differences([](auto a, auto b, auto) { return tg::max(a, b); },
                             [](T a, T b, T) { return triples::largest(a, b); }, x, sm_of_extrema) == 0);
  CHECK(triples::differences([](auto a, auto, auto) { return tg::abs(-a); },
                             [](T a, T, T) { return T::from_bits(static_cast<std::uint16_t>(a.bits & 0x7fff)); }, x, sm) == 0);
  CHECK(triples::differences([](auto a, auto b, auto c) { return tg::select(a < b, a, tg::select(b != c, c, T(2))); },
                             [](T a, T b, T c) {
                               const float p = static_cast<float>(a), q = static_cast<float>(b), r = static_cast<float>(c);
                               return p < q ? a : q != r ? c : T(2);
                             },
                             x, sm) == 0);
  // A defect is found: an fma is no product and sum.
  const auto fused = triples::apply<T, T>([](const auto& v) { return tg::fma(v(0), v(1), v(2)); }, x, sm);
  int seen = 0;
  for (std::size_t i = 0; i < fused.size(); ++i)
    seen += !triples::is_same(fused[i], triples::plus(triples::times(x[4 * i], x[4 * i + 1]), x[4 * i + 2]));
  CHECK(seen > 100);
}

/// cast<To>(x) is To(x) of the host, bit for bit but for NaN.
template <class To, class From> void check_cast(const std::vector<From>& x) {
  const auto kernel = accuracy::lowered<From, To>([](auto v) { return tg::cast<To>(v); });
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  const auto y = accuracy::run<To>(kernel.ptx, x);
  int wrong = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const To want(static_cast<double>(x[i]));
    // A NaN of the host is one here, or in tf32 on an H100 an infinity.
    const bool are_nan = std::isnan(static_cast<float>(want)) && !std::isfinite(static_cast<float>(y[i]));
    if (!are_nan && y[i].bits != want.bits && ++wrong <= 3) CHECK_MESSAGE(y[i].bits == want.bits, static_cast<double>(x[i]));
  }
  CHECK(wrong == 0);
}

/// Every number of T widened.
template <class T> void check_widening() {
  std::vector<T> x;
  for (std::uint32_t k = 0; k < (sizeof(T) == 1 ? 0x100u : 0x10000u); ++k)
    x.push_back(T::from_bits(static_cast<decltype(T::bits)>(sizeof(T) == 4 ? k << 16 | (k & 0xe000) : k)));
  const auto y = accuracy::apply<T, float>([](auto v) { return tg::cast<float>(v); }, x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const auto want = static_cast<float>(x[i]);
    if (std::isnan(want) ? !std::isnan(y[i]) : std::bit_cast<unsigned>(y[i]) != std::bit_cast<unsigned>(want)) FAIL(x[i].bits);
  }
}

std::vector<float> floats() {
  auto out = accuracy::samples<float>(-70000, 70000);
  for (std::uint32_t k = 0; k < 0x10000; ++k)  // the middles between neighbours
    for (const double x : {static_cast<double>(tg::f16::from_bits(static_cast<std::uint16_t>(k))),
                           static_cast<double>(tg::bf16::from_bits(static_cast<std::uint16_t>(k)))})
      if (std::isfinite(x))
        out.push_back(static_cast<float>(x * (1 + 0x1p-11))), out.push_back(static_cast<float>(x * (1 + 0x1p-4)));
  return out;
}

template <class T, class F> std::string text_of(F f) {
  const auto traced =
      tg::trace(tg::kernel<"texts">(tg::block<64>, [f](auto block, tg::inout<T> x, tg::scalar<T> s) { f(block, x, s); }));
  std::string text;
  for (const auto& i : traced.module.functions[0].body) text += recording::text_of(i) + " ";
  return text;
}

}  // namespace

TEST_CASE("f16 computes in sm_53, its minimum in sm_80") { check_arithmetic<tg::f16>(53, 80); }
TEST_CASE("bf16 computes in sm_80") { check_arithmetic<tg::bf16>(80, 80); }

TEST_CASE("a number becomes narrow on the device as on the host") {
  const auto x = floats();
  check_cast<tg::f16>(x);
  check_cast<tg::bf16>(x);
  check_cast<tg::tf32>(x);
  check_cast<tg::f8e4m3>(x);
  check_cast<tg::f8e5m2>(x);
  check_cast<tg::f16>(accuracy::samples<double>(-70000, 70000));
  check_cast<tg::bf16>(accuracy::samples<double>(-1e30, 1e30));
  check_cast<tg::f16>(std::vector<int>{0, 1, -1, 2049, 2051, 65519, 65520, -70000});
  check_cast<tg::bf16>(std::vector<unsigned char>{0, 1, 255});
  check_cast<tg::f8e4m3>(std::vector<tg::bf16>{tg::bf16(0.3), tg::bf16(-500.0), tg::bf16(std::nan(""))});
}

TEST_CASE("every narrow number is a float") {
  check_widening<tg::f16>();
  check_widening<tg::bf16>();
  check_widening<tg::tf32>();
  check_widening<tg::f8e4m3>();
  check_widening<tg::f8e5m2>();
}

TEST_CASE("to integers and conditions") {
  const std::vector<tg::bf16> x = {tg::bf16(2.75), tg::bf16(-2.75), tg::bf16(1e30), tg::bf16(std::nan("")), tg::bf16(0.0)};
  CHECK(accuracy::apply<tg::bf16, int>([](auto v) { return tg::cast<int>(v); }, x) == std::vector<int>{2, -2, INT32_MAX, 0, 0});
  const auto set = [](auto v) { return tg::cast<unsigned>(tg::cast<bool>(v)); };
  CHECK(accuracy::apply<tg::bf16, unsigned>(set, x) == std::vector<unsigned>{1, 1, 1, 1, 0});
  const auto ones =
      accuracy::apply<unsigned, tg::f16>([](auto v) { return tg::cast<tg::f16>(v > 3u); }, std::vector<unsigned>{3, 4});
  CHECK((ones[0] == tg::f16(0) && ones[1] == tg::f16(1)));
}

TEST_CASE("bits, constants, variables, registers") {
  const std::vector<tg::f16> x = {tg::f16(1.5), tg::f16(-0.0)};
  const auto kernel = accuracy::lowered<tg::f16, std::uint16_t>([](auto v) { return tg::bit_cast<std::uint16_t>(v); });
  CHECK(accuracy::run<std::uint16_t>(kernel.ptx, x) == std::vector<std::uint16_t>{0x3e00, 0x8000});
  const auto sums = accuracy::apply<tg::f16, tg::f16>(
      [](auto v) {
        tg::var<tg::f16> sum = v;
        tg::regs<tg::f16, 2> two = tg::f16(-2);
        two(0_c) += v;
        sum += tg::f16(0.25);
        return sum * two(0_c) + two(1);
      },
      x);
  CHECK(sums[0] == tg::f16(1.75 * -0.5 - 2));
  CHECK(sums[1] == tg::f16(-2.5));
}

TEST_CASE("memory is .b16 and .b8, moves name bits") {
  const std::string scaled = text_of<tg::f16>([](auto block, auto& x, auto& s) { x(block.thread.x) = x(block.thread.x) * s; });
  CHECK(scaled.find("ld.global.b16 mul.f16 ") != std::string::npos);
  CHECK(scaled.find("st.global.b16 ret") != std::string::npos);
  CHECK(text_of<tg::f16>([](auto, auto&, auto&) {}).find("ld.param.b16") != std::string::npos);
  CHECK(text_of<tg::f8e4m3>([](auto block, auto& x, auto& s) { x(block.thread.x) = s; }).find("st.global.b8") !=
        std::string::npos);
  CHECK(text_of<tg::bf16>([](auto, auto&, auto& s) {
          tg::var<tg::bf16> v = s;
          tg::while_([&] { return v < s; }, [&] { v = v + s; });
        }).find("mov.b16") != std::string::npos);
}

TEST_CASE("lanes exchange halves as words") {
  const auto kernel =
      tg::lower(tg::kernel<"sum">(tg::block<32>, [](auto block, tg::in<tg::f16> x, tg::out<tg::f16> y, tg::scalar<unsigned>) {
        y(block.thread.x) = block.warp().sum(x(block.thread.x));
      }));
  CHECK(accuracy::complaints_from_its_sm_on(kernel.ptx) == "");
  std::vector<tg::f16> x;
  for (int k = 0; k < 32; ++k) x.push_back(tg::f16(k));
  const auto y = accuracy::run<tg::f16>(kernel.ptx, x);
  for (const tg::f16 sum : y) CHECK(sum == tg::f16(496));
}
