#include <tg/dsl/value/type.hpp>

#include <doctest/doctest.h>

using tg::ptx::token;
static_assert(tg::scalar_type<float> && tg::scalar_type<bool> && tg::scalar_type<unsigned char> && tg::scalar_type<long long>);
static_assert(!tg::scalar_type<char> && !tg::scalar_type<float*> && !tg::scalar_type<long double> &&
              !tg::scalar_type<const int>);
static_assert(tg::is_small<short> && !tg::is_small<int> && !tg::is_small<bool> && !tg::is_arithmetic<short> &&
              !tg::is_arithmetic<bool>);
static_assert(tg::memory_type<bool> == token::u8 && tg::memory_type<signed char> == token::s8 &&
              tg::memory_type<long> == token::s64);
static_assert(tg::compute_type<unsigned short> == token::u32 && tg::compute_type<short> == token::s32 &&
              tg::compute_type<bool> == token::pred);
static_assert(tg::bits_type<float> == token::b32 && tg::bits_type<unsigned char> == token::b32 &&
              tg::bits_type<double> == token::b64);
static_assert(tg::register_type<float> == token::f32 && tg::register_type<short> == token::b32);

TEST_CASE("every type has a name in PTX") {
  CHECK(tg::ptx::name(tg::memory_type<unsigned>) == "u32");
  CHECK(tg::ptx::name(tg::register_type<double>) == "f64");
}
