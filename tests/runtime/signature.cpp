#include <tg/runtime/signature.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/structs/struct_element.hpp>
#include <tg/dsl/vector/packed.hpp>

namespace runtime_signature {

struct point { float x, y; };

}  // namespace runtime_signature

BOOST_HANA_ADAPT_STRUCT(runtime_signature::point, x, y);

using namespace tg;
using runtime::spelling_of_parameters;

namespace {

template <class... P> struct with { using parameters = parameter_list<P...>; };

}  // namespace

TEST_CASE("parameters are spelled as C++ reads them") {
  CHECK(spelling_of_parameters<with<>>() == "");
  CHECK(spelling_of_parameters<with<in<float>>>() == "tg::view<float, tg::mode::read, 1, tg::aligned<16>>");
  CHECK(spelling_of_parameters<with<out2<std::uint8_t, multiple_of<4>, aligned<32>>>>() ==
        "tg::view<std::uint8_t, tg::mode::write, 2, tg::aligned<32>, tg::multiple_of<4>>");
  CHECK(spelling_of_parameters<with<inout<double, aligned<8>>, scalar<bool>, scalar<unsigned, multiple_of<16>>>>() ==
        "tg::view<double, tg::mode::read_write, 1, tg::aligned<8>>, "
        "tg::scalar<bool, tg::multiple_of<1>>, tg::scalar<std::uint32_t, tg::multiple_of<16>>");
  CHECK(spelling_of_parameters<with<scalar<long>>>() == spelling_of_parameters<with<scalar<long long>>>());
  CHECK(spelling_of_parameters<with<scalar<f8e4m3>, scalar<bf16x2>>>() ==
        "tg::scalar<tg::f8e4m3, tg::multiple_of<1>>, tg::scalar<tg::bf16x2, tg::multiple_of<1>>");
  CHECK(spelling_of_parameters<with<in<runtime_signature::point>>>() ==
        "tg::view<runtime_signature::point, tg::mode::read, 1, tg::aligned<16>>");
  CHECK(spelling_of_parameters<with<scalar<unsigned, tg::at_most<64>>>>() == "tg::scalar<std::uint32_t, tg::at_most<64>>");
  CHECK(spelling_of_parameters<with<scalar<short>>>() == "tg::scalar<std::int16_t, tg::multiple_of<1>>");
}

TEST_CASE("a spelling read by a compiler is spelled that way again") {
  CHECK(spelling_of_parameters<with<in<float>>>() ==
        spelling_of_parameters<with<tg::view<float, tg::mode::read, 1, tg::aligned<16>>>>());
  static_assert(std::is_same_v<scalar<unsigned>, tg::scalar<std::uint32_t, tg::multiple_of<1>>>);
  CHECK(spelling_of_parameters<with<inout3<float, multiple_of<8>, multiple_of<4>>>>() ==
        "tg::view<float, tg::mode::read_write, 3, tg::aligned<16>, tg::multiple_of<8>, tg::multiple_of<4>>");
  CHECK(spelling_of_parameters<with<inout2<float, tg::extents<tg::dynamic, 4>>>>() ==
        "tg::view<float, tg::mode::read_write, 2, tg::aligned<16>, tg::extents<tg::dynamic, 4>>");
  CHECK(
      spelling_of_parameters<with<tg::view<float, tg::mode::read_write, 2, tg::aligned<16>, tg::extents<tg::dynamic, 4>>>>() ==
      spelling_of_parameters<with<inout2<float, tg::extents<tg::dynamic, 4>>>>());
}
