#include <tg/dsl/index/near_zero.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/verdict/check.hpp>

using namespace tg::index;
using tg::detail::global_check;
using tg::detail::shared_check;

namespace {

template <long long N> using num = number<N>;
template <char Axis, int X, int Y = 1> using at = single<thread<Axis, X, Y, 1>>;
template <class A, class B> using add = plus<A, B>;
template <class A, class B> using mul = times<A, B>;
template <class A, class B> using bit_and_of = single<bit_and<A, B>>;
template <class A, class B> using over = single<tg::index::quotient<A, B, false>>;
template <class A, class B> using modulo = single<tg::index::remainder<A, B, false>>;
template <class A, int Shift, int Mask>
using swizzled = single<bit_xor<A, bit_and_of<single<shift_right<A, num<Shift>, false>>, num<Mask>>>>;

using x = at<'x', 32, 8>;
using y = at<'y', 32, 8>;
using t = at<'x', 128>;
using pitch = single<uniform<4>>;
using base = single<uniform<1>>;
using part = single<steps<num<8>>>;

/// Each form costs in each warp what it costs near zero, with this period.
template <class Check, class Form, long long Period> bool is_kept() {
  using near = typename detail::moved<Form, Period, true>::type;
  using check_near = typename Check::template with<near>;
  constexpr int last = block_of<Form>.warps() - 1;
  const auto same = []<int Warp>() {
    return Check::template of_warp<Warp> == check_near::template of_warp<Warp> &&
           Check::template aligned_in_warp<Warp> == check_near::template aligned_in_warp<Warp>;
  };
  return same.template operator()<0>() && same.template operator()<last>() && same.template operator()<last / 2>();
}

template <class Form, long long Period4, long long Period2> int count_kept() {
  return is_kept<global_check<Form, 4, 4, 16>, Form, Period4>() + is_kept<global_check<Form, 4, 16, 16>, Form, Period4>() +
         is_kept<global_check<Form, 2, 2, 2>, Form, Period2>();
}
template <class Form, long long Period4, long long Period2> int count_kept_shared() {
  return is_kept<shared_check<Form, 4, 4>, Form, Period4>() + is_kept<shared_check<Form, 4, 16>, Form, Period4>() +
         is_kept<shared_check<Form, 2, 2>, Form, Period2>();
}

template <class... Forms> struct forms {};
template <int... N> constexpr auto moved_forms(std::integer_sequence<int, N...>) {
  return forms<add<x, num<5 * N>>..., add<mul<t, num<4>>, num<12 * N>>..., add<add<mul<y, num<33>>, x>, num<264 * N>>...,
               add<add<mul<add<y, num<8 * N>>, pitch>, x>, num<N>>...,
               add<add<over<t, num<16>>, mul<modulo<t, num<16>>, num<8>>>, num<24 * N>>...,
               swizzled<add<add<mul<y, num<32>>, x>, num<256 * N>>, 5, 31>...,
               swizzled<add<add<mul<x, num<32>>, y>, num<8 * N + 1024>>, 5, 31>...,
               swizzled<add<mul<modulo<t, num<16>>, num<64>>, num<16 * N + 512 * N>>, 3, 56>...,
               add<add<mul<part, num<64>>, t>, num<96 * N>>..., add<add<t, base>, num<7 * N>>...>{};
}

template <long long Global4, long long Global2, long long Shared4, long long Shared2, class... Forms>
int count_changed(forms<Forms...>) {
  return 6 * static_cast<int>(sizeof...(Forms)) -
         ((count_kept<Forms, Global4, Global2>() + count_kept_shared<Forms, Shared4, Shared2>()) + ...);
}

}  // namespace

TEST_CASE("a form near zero costs what the form costs, in every warp") {
  constexpr auto some = moved_forms(std::make_integer_sequence<int, 6>{});
  CHECK(count_changed<tg::analysis::global_period(4), tg::analysis::global_period(2), tg::analysis::shared_period(4),
                      tg::analysis::shared_period(2)>(some) == 0);
  CHECK(count_changed<3, 5, 1, 1>(some) > 0);  // periods that tell costs apart are seen
}

TEST_CASE("unrolled copies become one form") {
  CHECK(std::is_same_v<near_zero<add<x, num<64>>, 32>, near_zero<add<x, num<-32>>, 32>>);
  CHECK(std::is_same_v<near_zero<swizzled<add<mul<y, num<32>>, num<4096>>, 5, 31>, 4>,
                       near_zero<swizzled<add<mul<y, num<32>>, num<1024>>, 5, 31>, 4>>);
  // What could come below 0 when a whole period is taken away, and numbers near the end of 32 bits, stay.
  using below = swizzled<add<mul<y, num<-32>>, num<4096>>, 5, 31>;
  CHECK(std::is_same_v<near_zero<below, 4>, below>);
  using limited = add<add<x, single<steps<num<64>, 256>>>, num<64>>;
  CHECK(std::is_same_v<near_zero<limited, 32>, limited>);
  using far = add<x, num<(1ll << 31)>>;
  CHECK(std::is_same_v<near_zero<far, 32>, far>);
}
