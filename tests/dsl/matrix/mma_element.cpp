#include <tg/dsl/matrix/mma_element.hpp>

#include <doctest/doctest.h>

#include <string>
#include <utility>

namespace {

using tg::detail::are_mma_types;
using tg::detail::is_mma_shape;
using s8 = signed char;
using u8 = unsigned char;

/// The depths from 1 to 512 that 16 x 8 products of T have, and behind them those of 8 x 8, as `8 16 | 16`.
template <class T> std::string depths() {
  std::string out;
  const auto list = [&]<int... Power>(std::integer_sequence<int, Power...>) {
    ((is_mma_shape<16, 8, 1 << Power, T> ? void(out += std::to_string(1 << Power) + " ") : void()), ...);
    out += "|";
    ((is_mma_shape<8, 8, 1 << Power, T> ? void(out += " " + std::to_string(1 << Power)) : void()), ...);
  };
  list(std::make_integer_sequence<int, 10>{});
  return out;
}

}  // namespace

static_assert(tg::mma_element<tg::bf16>::packed == 2 && tg::mma_element<tg::s4>::packed == 8 &&
              tg::mma_element<double>::packed == 1);
static_assert(tg::mma_operand_type<u8> && !tg::mma_operand_type<float> && !tg::mma_operand_type<int>);
static_assert(are_mma_types<tg::f16, tg::f16, tg::f16> && !are_mma_types<tg::bf16, tg::bf16, tg::f16>);
static_assert(are_mma_types<s8, u8, int> && !are_mma_types<s8, tg::s4, int> && !are_mma_types<s8, s8, float>);
static_assert(are_mma_types<tg::f8e4m3, tg::f8e5m2, float> && !are_mma_types<tg::f16, tg::bf16, float>);
static_assert(!are_mma_types<tg::b1, tg::b1, int>, "what is done with two bits must be said");
static_assert(!is_mma_shape<16, 16, 16, tg::f16> && !is_mma_shape<8, 8, 8, tg::f16>);

TEST_CASE("the shapes are those of mma.sync from sm_80 on") {
  CHECK(depths<tg::f16>() == "8 16 |");
  CHECK(depths<tg::bf16>() == "8 16 |");
  CHECK(depths<tg::tf32>() == "4 8 |");
  CHECK(depths<tg::f8e4m3>() == "16 32 |");
  CHECK(depths<s8>() == "16 32 | 16");
  CHECK(depths<tg::u4>() == "32 64 | 32");
  CHECK(depths<tg::b1>() == "128 256 | 128");
  CHECK(depths<double>() == "4 8 16 | 4");
}
