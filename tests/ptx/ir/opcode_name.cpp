#include <tg/ptx/ir/opcode_name.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string_view>

using tg::ptx::opcode;

TEST_CASE("every opcode is found by its spelling") {
  for (std::size_t i = 1; i < std::size(tg::ptx::opcode_names); ++i) {
    const auto op = static_cast<opcode>(i);
    CHECK(tg::ptx::to_opcode(name(op)) == op);
  }
  CHECK(tg::ptx::to_opcode("retire") == opcode::none);
  CHECK(tg::ptx::to_opcode("and") == opcode::and_);
}

TEST_CASE("no two opcodes have one name") {
  std::set<std::string_view> names;
  for (const char* name : tg::ptx::opcode_names) CHECK(names.insert(name).second);
}
