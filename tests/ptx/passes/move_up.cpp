#include <tg/ptx/passes/move_up.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace tg::ptx;

namespace {

// A body whose instructions are told apart by a number; '.' is an emptied one.
tg::dynamic_array<instruction> body_of(const std::string& text) {
  tg::dynamic_array<instruction> out;
  for (const char c : text) {
    out.emplace_back(opcode::mov, std::initializer_list<token>{token::u32},
                     std::initializer_list<operand>{operand::integer(c)});
    if (c == '.') out.back().clear();
  }
  return out;
}

std::string moved(const std::string& text, const tg::dynamic_array<upward_move>& moves) {
  tg::dynamic_array<instruction> body = body_of(text);
  move_up(body, moves);
  std::string out;
  for (const instruction& i : body) out += i.op == opcode::none ? '.' : static_cast<char>(i[0].value);
  return out;
}

}  // namespace

TEST_CASE("instructions move to the front in their order") {
  CHECK(moved("abcdef", {}) == "abcdef");
  CHECK(moved("abcdef", {{1, 4}}) == "aebcdf");
  CHECK(moved("abcdef", {{1, 4}, {1, 2}}) == "aecbdf");
  CHECK(moved("abcdef", {{0, 3}, {2, 5}}) == "dabfce");
  CHECK(moved("abcdef", {{2, 2}}) == "abcdef");
}

TEST_CASE("what makes room goes no further than the next gap") {
  CHECK(moved("ab.def", {{1, 5}}) == "afbde.");
  CHECK(moved("a.cdef", {{1, 5}}) == "afcde.");
  CHECK(moved("abc..f", {{0, 5}, {0, 2}}) == "fcab..");
}
