#include <tg/ptx/meaning/constant_domain.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <random>
#include <type_traits>

using namespace tg::ptx;

namespace {

constexpr constant_domain domain;

template <class T> constexpr word_type type_of{static_cast<int>(sizeof(T)) * 8, std::is_signed_v<T>};

/// What an operand says: the number with its sign, whatever the type is.
template <class T> std::optional<std::int64_t> written(T x) {
  return static_cast<std::int64_t>(static_cast<std::make_signed_t<T>>(x));
}

template <class T> bool holds(const std::optional<std::int64_t>& result, T expected) {
  return result && static_cast<T>(*result) == expected;
}

template <class T> void compare_with_host(T x, T y) {
  using U = std::make_unsigned_t<T>;
  constexpr word_type t = type_of<T>;
  const auto a = written(x), b = written(y);
  const U ux = static_cast<U>(x), uy = static_cast<U>(y);
  CAPTURE(x);
  CAPTURE(y);
  CHECK(holds<T>(domain.add(a, b), static_cast<T>(ux + uy)));
  CHECK(holds<T>(domain.sub(a, b), static_cast<T>(ux - uy)));
  CHECK(holds<T>(domain.mul_low(a, b, t), static_cast<T>(static_cast<U>(std::uint64_t{ux} * uy))));
  CHECK(holds<T>(domain.bit_and(a, b), static_cast<T>(ux & uy)));
  CHECK(holds<T>(domain.bit_or(a, b), static_cast<T>(ux | uy)));
  CHECK(holds<T>(domain.bit_xor(a, b), static_cast<T>(ux ^ uy)));
  CHECK(holds<T>(domain.bit_not(a), static_cast<T>(~ux)));
  CHECK(holds<T>(domain.neg(a, t), static_cast<T>(U{0} - ux)));
  CHECK(holds<T>(domain.min(a, b, t), x < y ? x : y));
  CHECK(holds<T>(domain.max(a, b, t), x < y ? y : x));
  if (y == 0 || (std::is_signed_v<T> && y == static_cast<T>(-1))) {
    CHECK_FALSE(domain.div(a, b, t));
    CHECK_FALSE(domain.rem(a, b, t));
  } else {
    CHECK(holds<T>(domain.div(a, b, t), static_cast<T>(x / y)));
    CHECK(holds<T>(domain.rem(a, b, t), static_cast<T>(x % y)));
  }
  const auto by = static_cast<std::uint32_t>(uy) % 80;
  const unsigned bits = sizeof(T) * 8;
  CHECK(holds<T>(domain.shl(a, by, t), by >= bits ? T{0} : static_cast<T>(ux << by)));
  CHECK(holds<T>(domain.shr(a, by, t), by >= bits ? (x < T{0} ? static_cast<T>(-1) : T{0}) : static_cast<T>(x >> by)));
}

template <class T> void check() {
  const T edges[] = {0, 1, 2, static_cast<T>(-1), std::numeric_limits<T>::max(), std::numeric_limits<T>::min(), 31, 64};
  for (const T x : edges)
    for (const T y : edges) compare_with_host(x, y);
  std::mt19937_64 random(7);
  for (int k = 0; k < 200; ++k) compare_with_host(static_cast<T>(random()), static_cast<T>(random()));
}

}  // namespace

TEST_CASE("numbers are computed as the host does") {
  check<std::uint32_t>();
  check<std::int32_t>();
  check<std::uint64_t>();
  check<std::int64_t>();
}

TEST_CASE("products have all their bits") {
  constexpr word_type u32{32, false}, s32{32, true}, s64{64, true};
  CHECK(holds<std::uint64_t>(domain.mul_wide(-1, -1, u32), 0xfffffffe00000001u));
  CHECK(holds<std::int64_t>(domain.mul_wide(-1, 7, s32), -7));
  CHECK(holds<std::uint32_t>(domain.mul_high(-1, -1, u32), 0xfffffffeu));
  CHECK(holds<std::int64_t>(domain.mul_high(std::numeric_limits<std::int64_t>::min(), 4, s64), -2));
}

TEST_CASE("conversions cut and extend by the type they come from") {
  CHECK(holds<std::int64_t>(domain.convert(-1, token::u32, token::s64), 0xffffffff));
  CHECK(holds<std::int64_t>(domain.convert(0xffffffff, token::s32, token::s64), -1));
  CHECK(holds<std::int64_t>(domain.convert(0x180, token::s32, token::u8), 0x80));
  CHECK_FALSE(domain.convert(1, token::f32, token::s32));
  CHECK_FALSE(domain.convert(1, token::s32, token::f32));
}

TEST_CASE("masks have their ones where the manual says") {
  for (std::uint32_t position = 0; position < 70; ++position)
    for (std::uint32_t count = 0; count < 70; ++count) {
      std::uint32_t clamped = 0, wrapped = 0;
      for (std::uint32_t bit = 0; bit < 32; ++bit) {
        clamped |= std::uint32_t{bit >= position && bit - position < count} << bit;
        wrapped |= std::uint32_t{bit >= position % 32 && bit - position % 32 < count % 32} << bit;
      }
      CAPTURE(position);
      CAPTURE(count);
      CHECK(holds<std::uint32_t>(domain.mask(position, count, false), clamped));
      CHECK(holds<std::uint32_t>(domain.mask(position, count, true), wrapped));
    }
}

TEST_CASE("what is not known stays so") {
  const std::optional<std::int64_t> none;
  constexpr word_type t{32, true};
  CHECK_FALSE(domain.add(none, 1));
  CHECK_FALSE(domain.mul_low(1, none, t));
  CHECK_FALSE(domain.min(none, 1, t));
  CHECK_FALSE(domain.shr(none, 1, t));
  CHECK_FALSE(domain.bit_not(none));
  CHECK_FALSE(domain.mask(1, none, false));
}
