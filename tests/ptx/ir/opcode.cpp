#include <tg/ptx/ir/opcode.hpp>

#include <doctest/doctest.h>

using tg::ptx::opcode;

TEST_CASE("markers are told from instructions") {
  CHECK(is_marker(opcode::if_));
  CHECK(is_marker(opcode::endloop));
  CHECK_FALSE(is_marker(opcode::label));
  CHECK_FALSE(is_marker(opcode::add));
  CHECK_FALSE(is_marker(opcode::none));
}
