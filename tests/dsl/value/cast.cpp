#include <tg/dsl/value/cast.hpp>

#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <type_traits>
#include <vector>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/vector/narrow_float.hpp>
#include <tg/runtime.hpp>

#include "../recording.hpp"

using lane = tg::index::single<tg::index::thread<'x', 64, 1, 1>>;
using below = tg::index::minus<lane, tg::index::number<5>>;
using unknown_below = tg::index::plus<below, tg::index::single<tg::index::uniform<1>>>;
using tg::detail::keeps_form;
using u64 = unsigned long long;

static_assert(keeps_form<int, unsigned, lane>() && keeps_form<u64, unsigned, lane>() && keeps_form<unsigned, u64, lane>());
static_assert(!keeps_form<unsigned char, unsigned, lane>(), "bytes lose the upper bits");
static_assert(!keeps_form<float, unsigned, lane>() && !keeps_form<unsigned, float, lane>());
// 4294967291 stays 4294967291 when it becomes wider; it is not -5.
static_assert(!keeps_form<u64, unsigned, below>());
static_assert(keeps_form<u64, int, below>() && keeps_form<int, unsigned, below>());
static_assert(keeps_form<u64, unsigned, unknown_below>(), "an unknown base is taken not to wrap");

template <class To> std::string cast_from_float() {
  return recording::of([](auto, recording::parameters p) { (void)tg::cast<To>(p.a); }).text;
}
template <class To> std::string cast_from_unsigned() {
  return recording::of([](auto, recording::parameters p) { (void)tg::cast<To>(p.n); }).text;
}

TEST_CASE("each conversion is the instruction that C++ means") {
  CHECK(cast_from_float<int>() == "cvt.rzi.s32.f32");
  CHECK(cast_from_float<unsigned char>() == "cvt.rzi.u8.f32");
  CHECK(cast_from_float<double>() == "cvt.f64.f32");
  CHECK(cast_from_float<bool>() == "setp.neu.f32");
  CHECK(cast_from_float<float>() == "");
  CHECK(cast_from_unsigned<int>() == "");
  CHECK(cast_from_unsigned<float>() == "cvt.rn.f32.u32");
  CHECK(cast_from_unsigned<long long>() == "cvt.u64.u32");
  CHECK(cast_from_unsigned<signed char>() == "cvt.s32.s8");
  CHECK(recording::of([](auto, recording::parameters p) { (void)tg::cast<u64>(p.s); }).text == "cvt.s64.s32");
  CHECK(recording::of([](auto, recording::parameters p) { (void)tg::cast<float>(p.n < 3); }).text == "setp.lt.u32 selp.f32");
}

TEST_CASE("an index keeps its lanes through a cast between integers") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    auto i = tg::cast<u64>(tg::cast<int>(block.global_index()));
    auto v = p.x(i);
    (void)v;
  });
  CHECK(r.accesses[0].verdict == tg::verdict::proved);
}

TEST_CASE("a C++ number converts as a device value does") {
  using namespace tg::literals;
  static_assert(std::is_same_v<decltype(tg::cast<float>(3)), float>);
  static_assert(tg::cast<float>(3) == 3.0f && tg::cast<double>(3_c) == 3.0 && tg::cast<bool>(2) && tg::cast<int>(-2.75) == -2);
  static_assert(tg::cast<int>(1e20f) == 2147483647 && tg::cast<unsigned>(-1.0f) == 0u &&
                tg::cast<unsigned char>(300.0f) == 255);
  static_assert(tg::cast<int>(std::numeric_limits<float>::quiet_NaN()) == 0);
  CHECK(recording::of([](auto, recording::parameters p) { (void)(p.a * tg::cast<float>(3)); }).text == "mul.f32");
}

namespace {

/// A number as bits, on the host and in a kernel.
template <class T> u64 bits_of(T x) {
  if constexpr (tg::is_integer<T> || std::is_same_v<T, bool>) return static_cast<u64>(x);
  else if constexpr (tg::is_narrow<T>) return x.bits;
  else if constexpr (sizeof(T) == 4) return std::bit_cast<unsigned>(x);
  else return std::bit_cast<u64>(x);
}
/// Whether two numbers of type T are one, or both NaN.
template <class T> bool are_same(u64 a, u64 b) {
  const auto is_nan = [](u64 bits) {
    if constexpr (tg::is_integer<T> || std::is_same_v<T, bool>) return false;
    else if constexpr (tg::is_narrow<T>)
      return std::isnan(static_cast<double>(T::from_bits(static_cast<decltype(T::bits)>(bits))));
    else if constexpr (sizeof(T) == 4) return std::isnan(std::bit_cast<T>(static_cast<unsigned>(bits)));
    else return std::isnan(std::bit_cast<T>(bits));
  };
  return a == b || (is_nan(a) && is_nan(b));
}
template <class T, class X> auto device_bits(const X& x) {
  if constexpr (tg::is_integer<T> || std::is_same_v<T, bool>) return tg::cast<u64>(x);
  else if constexpr (tg::is_narrow<T>)
    return tg::cast<u64>(tg::bit_cast<std::conditional_t<sizeof(T) == 4, unsigned, std::uint16_t>>(x));
  else if constexpr (sizeof(T) == 4) return tg::cast<u64>(tg::bit_cast<unsigned>(x));
  else return tg::bit_cast<u64>(x);
}

/// `x` as each of the types To, by tg::cast of a device value and of a C++ number.
template <class... To, class From> void check_casts(const std::vector<From>& x) {
  constexpr unsigned count = sizeof...(To);
  const auto kernel =
      tg::kernel<"casts">(tg::block<32>, [](auto block, tg::in<From> x, tg::out<u64> y, tg::scalar<unsigned> n) {
        const auto i = tg::let(block.global_index());
        tg::if_(i < n, [&] {
          const auto own = tg::let(x(i));
          unsigned k = 0;
          ((y(i + n * k++) = device_bits<To>(tg::cast<To>(own))), ...);
        });
      });
  tg::device gpu;
  const auto size = static_cast<unsigned>(x.size());
  auto from = gpu.upload(x);
  auto to = gpu.zeros<u64>(x.size() * count);
  gpu.launch(kernel, tg::cover(size), from, to, size);
  const auto y = to.to_host();
  for (std::size_t i = 0; i < x.size(); ++i) {
    std::size_t k = 0;
    const auto check = [&](u64 host, bool is_same) {
      INFO(static_cast<double>(x[i]), " to type ", k, ": ", y[k * x.size() + i], ", on the host ", host);
      CHECK(is_same);
      ++k;
    };
    (check(bits_of(tg::cast<To>(x[i])), are_same<To>(y[k * x.size() + i], bits_of(tg::cast<To>(x[i])))), ...);
  }
}

template <class T> std::vector<T> floats() {
  std::vector<T> out;
  for (const double v : {0.0,
                         0.4,
                         0.5,
                         1.5,
                         2.75,
                         127.0,
                         127.5,
                         128.0,
                         255.0,
                         255.9,
                         256.0,
                         300.0,
                         32767.5,
                         32768.0,
                         65504.0,
                         65519.0,
                         65520.0,
                         65535.5,
                         65536.0,
                         0x1p31,
                         0x1p32,
                         0x1p62,
                         0x1p63,
                         0x1p64,
                         1e30,
                         1e-7,
                         1e-40,
                         1.00390625,
                         1.01171875,
                         2147483646.5,
                         4294967295.5,
                         double(std::numeric_limits<double>::infinity()),
                         double(std::numeric_limits<double>::quiet_NaN())})
    for (const double x : {v, -v}) out.push_back(T(x));
  return out;
}
template <class T> std::vector<T> integers() {
  std::vector<T> out;
  for (int shift = 0; shift < int(sizeof(T)) * 8; ++shift)
    for (const u64 add : {u64{0}, u64{1}, ~u64{0}, u64{1} << shift >> 8, (u64{1} << shift >> 8) + 1, (u64{1} << shift >> 9) + 1,
                          (u64{1} << shift >> 8) - 1})
      for (const u64 x : {(u64{1} << shift) + add, u64{0} - ((u64{1} << shift) + add)}) out.push_back(static_cast<T>(x));
  return out;
}

}  // namespace

TEST_CASE("a C++ number converts as a device value does, whatever it is") {
  using i64 = long long;
  using namespace tg;
  check_casts<bool, signed char, unsigned char, short, unsigned short, int, unsigned, i64, u64, f16, bf16, tf32, float, double>(
      floats<float>());
  check_casts<bool, signed char, unsigned char, short, unsigned short, int, unsigned, i64, u64, f16, bf16, float, double>(
      floats<double>());
  check_casts<bool, signed char, short, unsigned short, int, unsigned, i64, u64, f16, bf16, float, double>(floats<f16>());
  check_casts<bool, signed char, short, unsigned short, int, unsigned, i64, u64, f16, bf16, float, double>(floats<bf16>());
  check_casts<bool, signed char, unsigned char, short, int, unsigned, i64, u64, f16, bf16, float, double>(integers<i64>());
  check_casts<bool, signed char, unsigned char, short, int, unsigned, i64, u64, f16, bf16, float, double>(integers<u64>());
  check_casts<bool, signed char, unsigned char, short, int, unsigned, i64, u64, f16, bf16, float, double>(integers<int>());
  check_casts<bool, signed char, unsigned char, short, int, unsigned, i64, u64, f16, bf16, float, double>(
      integers<unsigned char>());
  static_assert(tg::cast<int>(std::numeric_limits<double>::quiet_NaN()) == std::numeric_limits<int>::min());
  static_assert(static_cast<double>(tg::cast<bf16>((1LL << 60) + (1LL << 52) + 1)) == double((1LL << 60) + (1LL << 53)));
}
