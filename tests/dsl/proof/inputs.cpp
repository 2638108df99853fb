#include <tg/dsl/proof/inputs.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;
using tg::ptx::special;

TEST_CASE("coordinates of threads are known, those of blocks have the limits of the hardware") {
  pf::symbols s(64);
  const tg::dynamic_array<pf::parameter_fact> none;
  pf::inputs in(s, {8, 4, 2}, none);
  CHECK(in.of(special::tid_x)->at(13) == 5);
  CHECK(in.of(special::tid_y)->at(13) == 1);
  CHECK(in.of(special::tid_z)->at(33) == 1);
  CHECK(*in.of(special::ntid_y) == pf::constant(4));
  const pf::form block = *in.of(special::ctaid_y);
  CHECK(s.low(block) == 0);
  CHECK(s.high(block) == 65534);
  CHECK(*in.of(special::ctaid_y) == block);
  // Each thread along an axis has a number of 32 bits.
  CHECK(s.high(*in.of(special::nctaid_x)) == 0xffffffff / 8);
  CHECK_FALSE(in.of(special::clock64));
}

TEST_CASE("a parameter is the beginning of a buffer, a leading dimension, or a number of its type") {
  pf::symbols s(4);
  const tg::dynamic_array<pf::parameter_fact> all{{.what = pf::parameter_fact::kind::buffer},
                                                  {.what = pf::parameter_fact::kind::row_stride},
                                                  {.what = pf::parameter_fact::kind::scalar, .multiple_of = 16}};
  pf::inputs in(s, {4, 1, 1}, all);
  const pf::form buffer = *in.parameter(0, tg::ptx::token::u64);
  CHECK(s.has_object(buffer));
  pf::form address = pf::add(buffer, pf::constant(12));
  CHECK(in.object_of(address) == pf::object{false, 0});
  CHECK(address == pf::constant(12));
  CHECK_FALSE(in.object_of(address));
  CHECK_FALSE(in.beginning({true, 0}) == buffer);
  CHECK(*in.parameter(1, tg::ptx::token::u64) == pf::constant(pf::row_elements));
  const pf::form n = *in.parameter(2, tg::ptx::token::u32);
  REQUIRE(n.terms.size() == 1);
  CHECK(n.terms[0].factor == 16);
  CHECK(s.high(n) == 0xfffffff0);
  CHECK_FALSE(in.parameter(3, tg::ptx::token::u32));
}
