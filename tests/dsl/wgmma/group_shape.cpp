#include <tg/dsl/wgmma/group_shape.hpp>
#include <tg/ptx/ir/token_name.hpp>

#include <doctest/doctest.h>

using namespace tg::detail;
using tg::b1, tg::bf16, tg::f16, tg::f8e4m3, tg::f8e5m2, tg::tf32;
using s8 = signed char;
using u8 = unsigned char;

static_assert(group_depth<f16> == 16 && group_depth<tf32> == 8 && group_depth<s8> == 32 && group_depth<b1> == 256);
static_assert(is_group_width<8, f16> && is_group_width<256, f16> && is_group_width<40, bf16>);
static_assert(!is_group_width<0, f16> && !is_group_width<264, f16> && !is_group_width<12, f16>);
static_assert(is_group_width<24, s8> && is_group_width<48, b1> && !is_group_width<40, s8> && !is_group_width<56, b1>);
static_assert(are_group_types<f16, f16, f16> && are_group_types<bf16, bf16, float> && !are_group_types<bf16, bf16, f16>);
static_assert(are_group_types<f8e4m3, f8e5m2, f16> && !are_group_types<f8e4m3, f16, float>);
static_assert(are_group_types<s8, u8, int> && !are_group_types<s8, s8, float> && !are_group_types<tg::s4, tg::s4, int>);
static_assert(are_group_types<b1, b1, int> && !are_group_types<tf32, tf32, f16> && !are_group_types<double, double, double>);

TEST_CASE("ptxas has every width that the language has, in the table of forms") {
  CHECK(tg::ptx::to_token("m64n40k16") != tg::ptx::token::none);
  CHECK(tg::ptx::to_token("m64n264k16") == tg::ptx::token::none);
}
