#include <tg/dsl/math/lop3.hpp>

#include "../word.hpp"

namespace {

using u32 = std::uint32_t;

template <class F> void check(F f) {
  word::check<u32, u32>([f](auto v) { return tg::lop3(f, v, word::second(v), word::third(v)); },
                        [f](u32 v) { return f(v, word::second(v), word::third(v)); });
}

}  // namespace

TEST_CASE("any function of three bits is one lop3") {
  check([](auto a, auto b, auto c) { return (a & b) ^ c; });
  check([](auto a, auto b, auto c) { return (a & b) | (~a & c); });
  check([](auto a, auto b, auto c) { return (a & b) | (b & c) | (a & c); });
  check([](auto a, auto, auto c) { return ~(a ^ c); });
  check([](auto a, auto b, auto c) { return a ^ b ^ c; });
  const auto x = accuracy::lowered<u32>(
      [](auto v) { return tg::lop3([](auto a, auto b, auto c) { return (a & b) | (~a & c); }, v, word::second(v), 7u); });
  CHECK(x.ptx.find("lop3.b32") != std::string::npos);
  CHECK(x.ptx.find(", 202;") != std::string::npos);
}

TEST_CASE("each of the 256 tables is the function that it came from") {
  static_assert((tg::bit_table{0xf0} | ~tg::bit_table{0xf0}).rows == 0xff);
  static_assert((tg::bit_table{0xf0} & tg::bit_table{0xcc} & tg::bit_table{0xaa}).rows == 0x80);
  static_assert((tg::bit_table{0xf0} ^ tg::bit_table{0xcc} ^ tg::bit_table{0xaa}).rows == 0x96);
}
