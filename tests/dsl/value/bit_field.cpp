#include <tg/dsl/value/bit_field.hpp>

#include "../word.hpp"

namespace {

template <class T> constexpr unsigned width = sizeof(T) * 8;

/// As the hardware says it, bit by bit.
template <class T> T extracted(T x, unsigned position, unsigned count) {
  using U = std::make_unsigned_t<T>;
  const U bits = static_cast<U>(x);
  const unsigned top = std::min(position + count - 1, width<T> - 1);
  const U sign = std::is_unsigned_v<T> || count == 0 ? 0 : bits >> top & 1;
  U out = 0;
  for (unsigned k = 0; k < width<T>; ++k)
    out |= (k < count && position + k < width<T> ? bits >> (position + k) & 1 : sign) << k;
  return static_cast<T>(out);
}

template <class T> T inserted(T field, T into, unsigned position, unsigned count) {
  using U = std::make_unsigned_t<T>;
  U out = static_cast<U>(into);
  for (unsigned k = 0; k < count && position + k < width<T>; ++k) {
    out &= ~(U{1} << (position + k));
    out |= (static_cast<U>(field) >> k & 1) << (position + k);
  }
  return static_cast<T>(out);
}

template <class T> unsigned highest(T x) {
  using U = std::make_unsigned_t<T>;
  const U bits = static_cast<U>(x < T{0} ? ~x : x);
  return bits == 0 ? ~0u : width<T> - 1 - static_cast<unsigned>(std::countl_zero(bits));
}

template <class T> void check() {
  for (const auto& at : {std::pair{0u, 8u}, {5u, 11u}, {0u, 0u}, {28u, 9u}, {0u, width<T>}}) {
    const unsigned position = at.first, count = at.second;
    CAPTURE(position);
    CAPTURE(count);
    word::check<T, T>([=](auto v) { return tg::extract_bits(v, position, count); },
                      [=](T v) { return extracted(v, position, count); });
    word::check<T, T>([=](auto v) { return tg::insert_bits(v, v ^ (v >> 3), position, count); },
                      [=](T v) { return inserted(v, static_cast<T>(v ^ (v >> 3)), position, count); });
  }
  word::check<T, unsigned>([](auto v) { return tg::highest_bit(v); }, highest<T>);
  word::check<T, unsigned>(
      [](auto v) { return tg::trailing_zeros(v); },
      [](T v) { return static_cast<unsigned>(std::countr_zero(static_cast<std::make_unsigned_t<T>>(v))); });
}

}  // namespace

TEST_CASE("fields of bits, as the hardware says") {
  check<std::uint32_t>();
  check<std::int32_t>();
  check<std::uint64_t>();
  check<std::int64_t>();
}

TEST_CASE("a mask has as many ones as there is room for") {
  const auto ones = [](std::uint32_t position, std::uint32_t count) {
    std::uint32_t out = 0;
    for (std::uint32_t bit = 0; bit < 32; ++bit) out |= std::uint32_t{bit >= position && bit - position < count} << bit;
    return out;
  };
  word::check<std::uint32_t, std::uint32_t>([](auto v) { return tg::bit_mask(v & 63u, (v >> 8) & 63u); },
                                            [=](std::uint32_t v) { return ones(v & 63, v >> 8 & 63); });
  word::check<std::uint32_t, std::uint32_t>([](auto v) { return tg::bit_mask(v & 31u, 5u) ^ tg::bit_mask(3u, v & 7u); },
                                            [=](std::uint32_t v) { return ones(v & 31, 5) ^ ones(3, v & 7); });
}

TEST_CASE("a product of 24 bits ignores the upper bytes") {
  word::check<std::uint32_t, std::uint32_t>([](auto v) { return tg::mul24(v, word::second(v)); },
                                            [](std::uint32_t v) { return (v & 0xffffff) * (word::second(v) & 0xffffff); });
  word::check<std::int32_t, std::int32_t>(
      [](auto v) { return tg::mul24(v, v >> 3); },
      [](std::int32_t v) {
        const auto low = [](std::int32_t x) {
          return static_cast<std::int64_t>(static_cast<std::int32_t>(static_cast<std::uint32_t>(x) << 8) >> 8);
        };
        return static_cast<std::int32_t>(low(v) * low(v >> 3));
      });
}
