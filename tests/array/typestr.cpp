#include <tg/array/typestr.hpp>

#include <cstdint>

#include <doctest/doctest.h>

TEST_CASE("NumPy's names of types") {
  CHECK(tg::detail::typestr_of<float>() == "<f4");
  CHECK(tg::detail::typestr_of<tg::f16>() == "<f2");
  CHECK(tg::detail::typestr_of<std::int64_t>() == "<i8");
  CHECK(tg::detail::typestr_of<std::uint8_t>() == "|u1");
  CHECK(tg::detail::typestr_of<bool>() == "|b1");
}
