#include <tg/dsl/index/form.hpp>

#include <doctest/doctest.h>

#include <type_traits>

using namespace tg::index;
using tx = single<thread<'x', 32, 8, 1>>;
using ty = single<thread<'y', 32, 8, 1>>;
using u = single<uniform<4>>;
using v = single<uniform<6>>;

// Sums are canonical: coefficients of coordinates add up, numbers join, uniforms join in one with a common divisor.
static_assert(std::is_same_v<plus<tx, tx>, times<tx, number<2>>>);
static_assert(std::is_same_v<plus<plus<tx, number<3>>, plus<ty, number<4>>>, plus<plus<tx, ty>, number<7>>>);
static_assert(std::is_same_v<times<plus<tx, number<3>>, number<4>>, sum<12, term<4, thread<'x', 32, 8, 1>>>>);
static_assert(std::is_same_v<times<tx, number<0>>, number<0>> && std::is_same_v<times<number<3>, number<4>>, number<12>>);
static_assert(std::is_same_v<plus<u, v>, single<uniform<2>>>);
static_assert(std::is_same_v<times<u, number<3>>, single<uniform<12>>>);
static_assert(std::is_same_v<times<u, number<-3>>, single<uniform<12, true>>>);

// Two unknowns of one type are two: their difference is not 0, and strides never merge.
static_assert(std::is_same_v<minus<u, u>, single<uniform<4, true>>>);
using stride = times<tx, u>;
static_assert(std::is_same_v<plus<stride, stride>, sum<0, term<1, product<tx, u>>, term<1, product<tx, u>>>>);
static_assert(std::is_same_v<minus<stride, stride>, sum<0, term<1, product<tx, u>>, term<-1, product<tx, u>>>>);
using loop = single<steps<number<4>>>;
static_assert(std::is_same_v<minus<loop, loop>, sum<0, term<1, steps<number<4>>>, term<-1, steps<number<4>>>>>);
using shared_quotient = quotient<plus<tx, u>, number<3>, false>;
static_assert(std::is_same_v<minus<single<shared_quotient>, single<shared_quotient>>,
                             sum<0, term<1, shared_quotient>, term<-1, shared_quotient>>>);

// What is computed from coordinates alone is the same number each time.
using half = quotient<tx, number<2>, false>;
static_assert(std::is_same_v<plus<single<half>, single<half>>, sum<0, term<2, half>>>);
static_assert(!std::is_same_v<half, quotient<tx, number<2>, true>>);

// Data wins over what is known when recording, that over what is known now.
static_assert(std::is_same_v<plus<tx, traced>, traced> && std::is_same_v<times<traced, data>, data> &&
              std::is_same_v<minus<data, tx>, data>);
static_assert(std::is_same_v<node<tx, data, bit_and<tx, data>>, data> &&
              std::is_same_v<node<traced, tx, bit_and<traced, tx>>, traced>);
static_assert(is_known_form<tx> && !is_known_form<data> && !is_known_form<traced> && is_number<number<4>> && !is_number<tx>);

TEST_CASE("a sum of one coordinate is short") { CHECK(std::is_same_v<tx, sum<0, term<1, thread<'x', 32, 8, 1>>>>); }
