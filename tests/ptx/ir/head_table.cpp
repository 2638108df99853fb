#include <tg/ptx/ir/head_table.hpp>

#include <doctest/doctest.h>

#include <string>
#include <tg/base/dynamic_array.hpp>
#include <thread>

#include <tg/ptx/forms/forms.hpp>

using namespace tg::ptx;

namespace {

// Every opcode with every modifier, far more heads than the table begins with.
tg::dynamic_array<instruction> many_heads() {
  tg::dynamic_array<instruction> out;
  for (std::size_t op = 1; op < 20; ++op)
    for (std::size_t t = 1; t < token_count; t += 7)
      out.push_back({static_cast<opcode>(op), {static_cast<token>(t)}, {operand::reg(0)}});
  return out;
}

struct kept_numbers { detail::head_table<int> heads; };

}  // namespace

TEST_CASE("a thread keeps heads from one module to the next, and begins anew when they are too many") {
  const auto kept = [] { return detail::kept_by_thread<kept_numbers>().heads.size(); };
  const auto meet = [](std::size_t k) {
    const auto at = [](std::size_t n) { return static_cast<token>(1 + n); };
    const instruction i(opcode::add, {at(k % 50), at(k / 50)}, {operand::reg(0)});
    return detail::kept_by_thread<kept_numbers>().heads.of(i, [&](const instruction&) { return static_cast<int>(k); });
  };
  CHECK(kept() == 0);
  CHECK(meet(3) == 3);
  CHECK(kept() == 1);
  std::size_t of_another = 1;
  std::thread([&] { of_another = kept(); }).join();
  CHECK(of_another == 0);
  for (std::size_t k = 0; k < 2049; ++k) CHECK(meet(k) == static_cast<int>(k));
  CHECK(kept() == 0);
  CHECK(meet(3) == 3);
  CHECK(kept() == 1);
}

TEST_CASE("each head has one value, made when it is first met") {
  detail::head_table<std::size_t> table;
  const tg::dynamic_array<instruction> all = many_heads();
  for (const bool again : {false, true})
    for (std::size_t k = 0; k < all.size(); ++k) {
      bool is_made = false;
      const std::size_t value = table.of(all[k], [&](const instruction&) {
        is_made = true;
        return k;
      });
      CHECK(is_made != again);
      CHECK(value == k);
    }
  CHECK(table.size() == all.size());
}

TEST_CASE("opcode, modifiers, their order and the number of operands make a head, and nothing else does") {
  detail::head_table<int> table;
  const instruction first(opcode::add, {token::sat, token::s32}, {operand::reg(0), operand::reg(1)});
  const auto is_new = [&](const instruction& i) {
    const std::size_t known = table.size();
    table.of(i, [](const instruction&) { return 0; });
    return table.size() != known;
  };
  CHECK(is_new(first));
  instruction other = first;
  other.op = opcode::sub;
  CHECK(is_new(other));
  other = first;
  std::swap(other.token_array[0], other.token_array[1]);
  CHECK(is_new(other));
  other = first;
  other.add(operand::reg(2));
  CHECK(is_new(other));
  other = first;
  while (other.token_count < instruction::max_tokens) other.add(token::ftz);
  CHECK(is_new(other));
  for (token& t : other.token_array) {
    t = token::cc;
    CHECK(is_new(other));
  }
  other = first;
  other[1] = operand::integer(7);
  other.guard = 3;
  other.where = {1, 5};
  CHECK_FALSE(is_new(other));
}

TEST_CASE("a head says which row an instruction has, or one that needs as much and types numbers alike") {
  const form_table& table = form_table::get();
  for (const form& a : table.all())
    for (const form& b : table.of(a.op())) {
      if (&b <= &a || std::string_view(a.row.tokens) != b.row.tokens) continue;
      const std::size_t count = a.operand_count;
      if (b.operand_count != count) continue;
      const std::string rows = a.spelling() + " and " + b.spelling();
      CHECK_MESSAGE(a.row.sm == b.row.sm, rows);
      CHECK_MESSAGE(a.row.isa == b.row.isa, rows);
      CHECK_MESSAGE(a.row.target_suffix == b.row.target_suffix, rows);
      for (std::size_t k = 0; k < count; ++k) {
        if (a.operands[k].vector != b.operands[k].vector) continue;
        CHECK_MESSAGE(a.operands[k].type_from == b.operands[k].type_from, rows);
        CHECK_MESSAGE(a.operands[k].fixed == b.operands[k].fixed, rows);
      }
    }
}
