#include <tg/dsl/recorder/move_fetches.hpp>

#include <doctest/doctest.h>

#include <string>

#include <tg/ptx/ir/builder.hpp>

namespace {

using tg::ptx::opcode, tg::ptx::operand, tg::ptx::token;

/// A function as a recording leaves it: consumers run the first arm, in which `fetches` are to be moved.
class recorded {
 public:
  recorded() : build_(start(module_), 0) {
    thread_ = build_.compute(token::b32, opcode::mov, {token::u32}, {operand::special(tg::ptx::special::tid_x)});
    part.consumes = predicate(128);
    part.fetches = predicate(64);
    part.has_fetches = true;
    build_.emit(opcode::if_, {}, {part.consumes});
  }

  operand predicate(int limit) {
    return build_.compute(token::pred, opcode::setp, {token::lt, token::u32}, {thread_, operand::integer(limit)});
  }
  operand add(const operand& a, int b) {
    return build_.compute(token::b32, opcode::add, {token::u32}, {a, operand::integer(b)});
  }
  operand thread() const { return thread_; }
  operand block() {
    return build_.compute(token::b32, opcode::mov, {token::u32}, {operand::special(tg::ptx::special::ctaid_x)});
  }
  /// A branch of those that fetch, which stores `value` as a copy would.
  void fetch(const operand& value) {
    build_.emit(opcode::if_, {}, {part.fetches});
    store(value, 7);
    build_.emit(opcode::endif, {}, {});
  }
  void store(const operand& value, int at) {
    build_.emit(opcode::st, {token::shared, token::u32}, {operand::address(operand::integer(0), at), value});
  }
  void emit(opcode op, std::initializer_list<token> tokens, std::initializer_list<operand> operands) {
    build_.emit(op, tokens, operands);
  }
  operand variable() { return operand::reg(function().new_register(token::b32)); }
  tg::ptx::function& function() { return module_.functions[0]; }

  /// Ends the recording and moves. Returns: the code of the error; 0: none.
  int move() {
    build_.emit(opcode::else_, {}, {});
    build_.emit(opcode::endif, {}, {});
    build_.emit(opcode::ret, {}, {});
    try {
      tg::detail::move_fetches(module_, function(), part);
    } catch (const tg::error& e) { return e.number(); }
    return 0;
  }
  /// Opcodes in their order.
  std::string text() {
    std::string out;
    for (const auto& i : function().body) {
      switch (i.op) {
        case opcode::if_: out += "if "; break;
        case opcode::else_: out += "else "; break;
        case opcode::endif: out += "endif "; break;
        case opcode::add: out += "add "; break;
        case opcode::st: out += "st "; break;
        case opcode::mov: out += "mov "; break;
        case opcode::setp: out += "setp "; break;
        case opcode::ret: out += "ret"; break;
        default: out += "? "; break;
      }
    }
    return out;
  }

  tg::detail::producer_part part;

 private:
  static tg::ptx::module& start(tg::ptx::module& m) {
    m.files.emplace_back("here.cpp");
    m.functions.emplace_back().name = "k";
    return m;
  }

  tg::ptx::module module_;
  tg::ptx::builder build_;
  operand thread_;
};

}  // namespace

TEST_CASE("fetches are moved to the end, behind what they need, which is computed again") {
  recorded r;
  const operand block = r.block(), row = r.add(block, 5), other = r.add(block, 6);
  r.fetch(row);
  r.store(other, 1);
  CHECK(r.move() == 0);
  CHECK(r.text() == "mov setp setp if mov add add st else mov add if st endif endif ret");
  const auto& body = r.function().body;
  CHECK(body[12][1].id != row.id);          // its own register
  CHECK(body[12][1].id == body[10][0].id);  // which the copy of the sum writes
  CHECK(body[10][1].id == body[9][0].id);   // of the copy of the block's number
  CHECK(body[5][0].id == row.id);           // the first stays
}

TEST_CASE("what all threads have is not computed again, and two fetches share what they need") {
  recorded r;
  const operand row = r.add(r.thread(), 5);
  r.fetch(r.thread());
  r.fetch(row);
  r.store(row, 2);
  r.fetch(row);
  CHECK(r.move() == 0);
  CHECK(r.text() == "mov setp setp if add st else if st endif add if st endif if st endif endif ret");
}

TEST_CASE("parts of vectors are renamed, and the vector of the others stays") {
  recorded r;
  const operand row = r.add(r.block(), 5);
  const operand both[] = {row, r.thread()};
  const operand vector = r.function().new_vector(both);
  r.fetch(vector);
  CHECK(r.move() == 0);
  const auto& body = r.function().body;
  const auto& stored = body[body.size() - 4];
  REQUIRE(stored.op == opcode::st);
  const auto parts = r.function().parts(stored[1]);
  CHECK(parts[0].id != row.id);
  CHECK(parts[1].id == r.thread().id);
  CHECK(r.function().parts(vector)[0].id == row.id);
}

TEST_CASE("what a producer cannot compute is refused") {
  SUBCASE("a variable that is assigned twice") {
    recorded r;
    const operand x = r.variable();
    r.emit(opcode::mov, {token::u32}, {x, operand::integer(1)});
    r.emit(opcode::mov, {token::u32}, {x, r.block()});
    r.fetch(x);
    CHECK(r.move() == 612);
  }
  SUBCASE("a variable that is assigned once is a number like others") {
    recorded r;
    const operand x = r.variable();
    r.emit(opcode::mov, {token::u32}, {x, r.block()});
    r.fetch(x);
    CHECK(r.move() == 0);
  }
  SUBCASE("a read of shared memory, and what is made of it") {
    recorded r;
    const operand x = r.variable();
    r.emit(opcode::ld, {token::shared, token::u32}, {x, operand::address(operand::integer(0))});
    r.fetch(r.add(x, 1));
    CHECK(r.move() == 612);
  }
  SUBCASE("a read of memory that is only read") {
    recorded r;
    const operand x = r.variable();
    r.emit(opcode::ld, {token::global, token::nc, token::u32}, {x, operand::address(operand::integer(0))});
    r.fetch(r.add(x, 1));
    CHECK(r.move() == 0);
  }
}
