#include <tg/dsl/value/dot.hpp>

#include "../word.hpp"

namespace {

using s32 = std::int32_t;
using u32 = std::uint32_t;

/// Part k of a word, of the given bits, signed as T is.
template <class T> std::int64_t part(T word, int k, int bits) {
  const auto moved = static_cast<std::int64_t>(static_cast<u32>(word) >> (k * bits) & ((1u << bits) - 1));
  return std::is_signed_v<T> && moved >> (bits - 1) != 0 ? moved - (std::int64_t{1} << bits) : moved;
}

template <class A, class B> void check() {
  using R = std::conditional_t<std::is_unsigned_v<A> && std::is_unsigned_v<B>, u32, s32>;
  const auto host = [](int parts, int bits, int first) {
    return [=](u32 v) {
      const A a = static_cast<A>(v);
      const B b = static_cast<B>(word::second(v));
      std::int64_t sum = static_cast<R>(word::third(v));
      for (int k = 0; k < parts; ++k) sum += part(a, k, bits) * part(b, first + k, 8);
      return static_cast<R>(sum);
    };
  };
  const auto on = [](auto f) {
    return [f](auto v) { return f(tg::cast<A>(v), tg::cast<B>(word::second(v)), tg::cast<R>(word::third(v))); };
  };
  word::check<u32, R>(on([](auto a, auto b, auto c) { return tg::dp4a(a, b, c); }), host(4, 8, 0));
  word::check<u32, R>(on([](auto a, auto b, auto c) { return tg::dp2a_low(a, b, c); }), host(2, 16, 0));
  word::check<u32, R>(on([](auto a, auto b, auto c) { return tg::dp2a_high(a, b, c); }), host(2, 16, 2));
}

}  // namespace

TEST_CASE("dot products of packed bytes, signed and not") {
  check<s32, s32>();
  check<s32, u32>();
  check<u32, s32>();
  check<u32, u32>();
}

TEST_CASE("the bytes of a word are added up by a dot product with ones") {
  word::check<u32, u32>([](auto v) { return tg::dp4a(v, 0x01010101u, 0); },
                        [](u32 v) { return (v & 255) + (v >> 8 & 255) + (v >> 16 & 255) + (v >> 24); });
}
