// Recordings at random, each beside one that repeats everything: both must do the same.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "../recorder.hpp"

namespace {

using namespace tg::ptx;
using recording::recorder;

/// What `f` stores when the thread of this number runs it.
std::vector<std::uint32_t> stored_by(const function& f, std::uint32_t thread) {
  struct branch { bool outer_runs, is_taken; };
  std::vector<std::uint32_t> registers(f.registers.size(), 0xdeadbeef), out;
  std::vector<std::size_t> loops;
  std::vector<branch> branches;
  bool runs = true;
  const auto of = [&](const operand& o) {
    if (o.is_reg()) return registers[o.id];
    return o.is(operand_kind::special) ? thread : static_cast<std::uint32_t>(o.value);
  };
  for (std::size_t n = 0; n < f.body.size(); ++n) {
    const instruction& i = f.body[n];
    switch (i.op) {
      case opcode::if_:
        branches.push_back({runs, of(i[0]) != 0});
        runs = runs && branches.back().is_taken;
        continue;
      case opcode::else_: runs = branches.back().outer_runs && !branches.back().is_taken; continue;
      case opcode::endif:
        runs = branches.back().outer_runs;
        branches.pop_back();
        continue;
      case opcode::loop: loops.push_back(n); continue;
      case opcode::endloop:
        if (runs && of(i[0]) != 0) n = loops.back();
        else loops.pop_back();
        continue;
      default: break;
    }
    if (!runs) continue;
    const std::uint32_t x = of(i[1]), y = i.operand_count > 2 ? of(i[2]) : 0;
    switch (i.op) {
      case opcode::st: out.push_back(x); break;
      case opcode::mov: registers[i[0].id] = x; break;
      case opcode::add: registers[i[0].id] = x + y; break;
      case opcode::sub: registers[i[0].id] = x - y; break;
      case opcode::xor_: registers[i[0].id] = x ^ y; break;
      case opcode::div: registers[i[0].id] = x / y; break;
      case opcode::setp: registers[i[0].id] = x < y; break;
      default: FAIL("an instruction that this test does not make");
    }
  }
  return out;
}

/// An operand of the recording, and of the one that repeats everything.
struct both { operand known, plain; };

class random_recording {
 public:
  explicit random_recording(std::uint32_t seed) : random_(seed) {
    values_.push_back({compute(opcode::mov, token::u32, {same(operand::special(special::tid_x))})});
    for (both& v : variables_) {
      v = variable();
      write(v, same(number(50)));
    }
    for (int step = 0; step < 150; ++step) any();
    while (!open_.empty()) end();
    for (const both& v : variables_) store(v);
    known_.ends();
  }

  void runs_alike() {
    for (const std::uint32_t thread : {0u, 1u, 7u, 31u, 40u})
      CHECK(stored_by(known_.b.fn(), thread) == stored_by(plain_.fn(), thread));
  }
  std::size_t saved() { return plain_.fn().body.size() - known_.size(); }
  std::size_t moved() const { return moved_; }

 private:
  std::size_t below(std::size_t n) { return random_() % n; }
  operand number(std::size_t end) { return operand::integer(1 + static_cast<std::int64_t>(below(end))); }
  static both same(const operand& o) { return {o, o}; }
  both variable() { return {known_.variable(), operand::reg(plain_.fn().new_register(token::u32))}; }
  both& any_variable() { return variables_[below(std::size(variables_))]; }
  both any_value() {
    const auto& from = values_[below(values_.size())];
    return from.empty() || below(3) == 0 ? values_[0][0] : from[below(std::min<std::size_t>(from.size(), 4))];
  }
  both any_source() { return below(3) == 0 ? same(number(3)) : any_value(); }

  void emit(opcode op, std::initializer_list<token> tokens, both a, both b) {
    known_.emit(op, tokens, {a.known, b.known});
    plain_.emit(op, tokens, {a.plain, b.plain});
  }
  void write(const both& v, const both& x) { emit(opcode::mov, {token::u32}, v, x); }
  void store(const both& x) { emit(opcode::st, {token::local, token::u32}, same(operand::address({}, 16)), x); }
  both compute(opcode op, token type, std::vector<both> from) {
    const token of = op == opcode::xor_ ? token::b32 : token::u32;
    if (from.size() == 1)
      return {known_.compute(type, op, {of}, {from[0].known}), plain_.compute(type, op, {of}, {from[0].plain})};
    return {known_.compute(type, op, {of}, {from[0].known, from[1].known}),
            plain_.compute(type, op, {of}, {from[0].plain, from[1].plain})};
  }
  both less(const both& x, const both& y) {
    return {known_.compute(token::pred, opcode::setp, {token::lt, token::u32}, {x.known, y.known}),
            plain_.compute(token::pred, opcode::setp, {token::lt, token::u32}, {x.plain, y.plain})};
  }
  void mark(opcode op) { known_.emit(op, {}, {}), plain_.emit(op, {}, {}); }
  void mark(opcode op, const both& p) { known_.emit(op, {}, {p.known}), plain_.emit(op, {}, {p.plain}); }

  void any() {
    switch (below(14)) {
      case 0: begin(opcode::if_); break;
      case 1: below(2) == 0 ? begin(opcode::loop) : otherwise(); break;
      case 2:
      case 3:
        if (!open_.empty()) end();
        break;
      case 4: store(any_value()); break;
      case 5: store(any_variable()); break;
      case 6: {
        const both v = any_variable();
        known_.emit(opcode::add, {token::u32}, {v.known, v.known, operand::integer(1)});
        plain_.emit(opcode::add, {token::u32}, {v.plain, v.plain, operand::integer(1)});
        break;
      }
      case 7:
      case 8: write(any_variable(), any_source()); break;
      case 9: write(any_variable(), any_variable()); break;
      case 10:
      case 11: keep(compute(opcode::mov, token::u32, {any_variable()})); break;
      default: {
        constexpr opcode ops[] = {opcode::add, opcode::sub, opcode::xor_, opcode::div};
        const opcode op = ops[below(4)];
        const both x = below(4) == 0 ? any_variable() : any_value();
        const std::size_t size = known_.size();
        const both made = compute(op, token::u32, {x, op == opcode::div ? same(number(3)) : any_source()});
        const auto* const where = known_.known.definition_of(known_.b.fn(), made.known.id);
        moved_ += known_.size() == size && where[1].op == opcode::if_;
        keep(made);
      }
    }
  }
  void keep(const both& made) { values_.back().push_back(made); }

  void begin(opcode op) {
    if (open_.size() == 4) return;
    if (op == opcode::if_) {
      mark(op, less(any_value(), number_or_value()));
    } else {
      counters_.push_back(variable());
      write(counters_.back(), same(operand::integer(0)));
      mark(op);
    }
    open_.push_back(op);
    values_.emplace_back();
  }
  both number_or_value() { return below(2) == 0 ? same(number(40)) : any_value(); }
  void otherwise() {
    if (open_.empty() || open_.back() != opcode::if_) return;
    mark(opcode::else_);
    open_.back() = opcode::else_;
    values_.back().clear();
  }
  void end() {
    const std::vector<both> inside = std::move(values_.back());
    values_.pop_back();
    if (open_.back() == opcode::loop) {
      const both now = compute(opcode::mov, token::u32, {counters_.back()});
      const both next = compute(opcode::add, token::u32, {now, same(operand::integer(1))});
      write(counters_.back(), next);
      mark(opcode::endloop, less(next, same(operand::integer(3))));
      counters_.pop_back();
      values_.back().insert(values_.back().end(), inside.begin(), inside.end());  // a loop runs at least once
    } else {
      mark(opcode::endif);
    }
    open_.pop_back();
  }

  std::mt19937 random_;
  recorder known_;
  module module_ = recorder::one_function();
  builder plain_{module_, 0};
  both variables_[4];
  std::vector<std::vector<both>> values_;  // that each open branch and loop, and what is around them, has
  std::vector<opcode> open_;
  std::vector<both> counters_;
  std::size_t moved_ = 0;
};

}  // namespace

TEST_CASE("what is not recorded again, moves or waits changes nothing that a kernel does") {
  std::size_t saved = 0, moved = 0;
  for (std::uint32_t seed = 0; seed < 1000; ++seed) {
    CAPTURE(seed);
    random_recording one(seed);
    one.runs_alike();
    saved += one.saved(), moved += one.moved();
  }
  CHECK(saved > 8000);
  CHECK(moved > 400);
}
