#include <tg/dsl/recorder/known_values.hpp>

#include <doctest/doctest.h>

#include <random>
#include <string>
#include <vector>

#include <tg/dsl/debug/clock.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/matrix/fragment.hpp>
#include <tg/dsl/matrix/mma.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recorder.hpp"
#include "../recording.hpp"

namespace {

using namespace tg::ptx;
using recording::recorder;

// How often `op` was recorded for the statements.
template <class Statements> std::size_t count(opcode op, Statements statements) {
  const std::string text = " " + recording::of(statements).text, wanted = " " + std::string(name(op)) + ".";
  std::size_t n = 0;
  for (std::size_t at = text.find(wanted); at != text.npos; at = text.find(wanted, at + 1)) ++n;
  return n;
}

}  // namespace

TEST_CASE("an expression that is asked for again is one register and one instruction") {
  recorder r;
  const operand sum = r.plus(r.thread(), 4);
  CHECK(r.plus(r.thread(), 4) == sum);
  CHECK(r.compute(token::u32, opcode::add, {token::none, token::u32}, {r.thread(), operand::integer(4)}) == sum);
  CHECK(r.condition() == r.condition());
  CHECK(r.size() == 3);
}

TEST_CASE("two expressions that fall to one place of the table are both remembered") {
  recorder r;
  const operand x = r.thread();
  std::vector<operand> sums;
  std::mt19937 random(41);
  std::vector<int> numbers;
  for (int n = 0; n < 600; ++n) numbers.push_back(static_cast<int>(random() >> 2));
  for (const int n : numbers) sums.push_back(r.plus(x, n));
  int forgotten = 0;
  for (std::size_t n = 0; n < numbers.size(); ++n) forgotten += r.plus(x, numbers[n]) != sums[n] ? 1 : 0;
  CAPTURE(forgotten);
  CHECK(forgotten <= 90);  // 55; with one place for each expression 143
}

TEST_CASE("other operands, opcodes, modifiers and types are other expressions") {
  recorder r;
  const operand x = r.thread(), one = operand::integer(1), p = r.condition();
  const std::vector<operand> all = {
      r.plus(x, 1),
      r.plus(x, 2),
      r.plus(r.special(special::ctaid_x), 1),
      r.compute(token::u32, opcode::add, {token::u32}, {one, x}),
      r.compute(token::u32, opcode::sub, {token::u32}, {x, one}),
      r.compute(token::s32, opcode::add, {token::s32}, {x, one}),
      r.compute(token::s32, opcode::add, {token::u32}, {x, one}),
      r.compute(token::s32, opcode::add, {token::sat, token::s32}, {x, one}),
      r.compute(token::u32, opcode::mul, {token::lo, token::u32}, {x, one}),
      r.compute(token::u32, opcode::mul, {token::hi, token::u32}, {x, one}),
      r.compute(token::u32, opcode::mad, {token::lo, token::u32}, {x, one, one}),
      r.compute(token::b32, opcode::selp, {token::b32}, {x, one, p}),
      r.compute(token::b32, opcode::selp, {token::b32}, {x, one, !p}),
  };
  for (std::size_t a = 0; a < all.size(); ++a)
    for (std::size_t b = 0; b < a; ++b) CHECK(all[a] != all[b]);
}

TEST_CASE("a condition of a branch is not known behind it or in the other one, what was before it is") {
  recorder r;
  const operand before = r.less(1);
  r.if_();
  CHECK(r.less(1) == before);
  const operand inside = r.less(2);
  r.if_();
  CHECK(r.less(2) == inside);
  r.endif();
  CHECK(r.less(2) == inside);
  r.else_();
  CHECK(r.less(1) == before);
  const operand otherwise = r.less(2);
  CHECK(otherwise != inside);
  r.endif();
  const operand behind = r.less(2);
  CHECK(behind != inside);
  CHECK(behind != otherwise);
  CHECK(r.less(1) == before);
  r.if_();
  CHECK(r.less(2) == behind);
}

TEST_CASE("an else that takes the end of its branch back begins anew, and its end is the end of both") {
  recorder r;
  r.if_();
  const operand inside = r.less(2);
  r.endif();
  r.b.fn().body.pop_back();
  r.known.reopened();
  r.else_();
  const operand otherwise = r.less(2);
  CHECK(otherwise != inside);
  r.endif();
  const operand behind = r.less(2);
  CHECK(behind != inside);
  CHECK(behind != otherwise);
  r.if_();
  CHECK(r.less(2) == behind);
  // the same written as a kernel: one condition before the branches, one in each, one behind
  CHECK(count(opcode::setp, [](auto, recording::parameters p) {
          tg::if_(p.n < 3, [&] { (void)(p.n < 2), (void)(p.n < 2); }).else_([&] { (void)(p.n < 2), (void)(p.n < 2); });
          (void)(p.n < 2), (void)(p.n < 2);
        }) == 4);
  CHECK(count(opcode::setp, [](auto, recording::parameters p) {
          (void)(p.n < 2);
          tg::var<unsigned> way = 0u;
          tg::if_(p.n < 3, [&] { (void)(p.n < 2), way = 1u; }).else_([&] { (void)(p.n < 2), way = 2u; });
        }) == 2);
}

TEST_CASE("integer arithmetic that is asked for outside of its branch moves in front of it") {
  recorder r;
  const operand x = r.thread(), sum = [&] {
    r.if_();
    (void)r.less(3);
    return r.plus(x, 1);
  }();
  const auto sum_at = [&] { return r.known.definition_of(r.b.fn(), sum.id) - r.b.fn().body.data(); };
  CHECK(sum_at() == 4);  // thread, condition, if_, condition
  r.else_();
  CHECK(r.plus(x, 1) == sum);
  CHECK(sum_at() == 2);
  CHECK(r.b.fn().body[3].op == opcode::if_);
  r.endif();
  const std::size_t size = r.size();
  CHECK(r.plus(x, 1) == sum);
  CHECK(r.size() == size);
  r.ends();

  // what it is computed from follows where it was before it
  r.if_();
  const operand twice = r.compute(token::u32, opcode::shl, {token::b32}, {sum, operand::integer(1)});
  const operand more = r.plus(twice, 5);
  r.endif();
  CHECK(r.plus(twice, 5) != more);
  CHECK(r.compute(token::u32, opcode::shl, {token::b32}, {sum, operand::integer(1)}) == twice);
  CHECK(r.plus(twice, 5) != more);  // the later one has its place
  r.if_();
  const operand less = r.plus(twice, 7);
  r.endif();
  CHECK(r.plus(twice, 7) == less);
  r.ends();
}

TEST_CASE("it moves in front of all branches that have ended, and of no other") {
  recorder r;
  const operand x = r.thread();
  r.if_();
  r.if_();
  const operand deep = r.plus(x, 1), deeper = [&] {
    r.if_();
    return r.plus(x, 2);
  }();
  r.endif();
  r.endif();
  CHECK(r.plus(x, 2) == deeper);
  const auto place = [&](const operand& o) { return r.known.definition_of(r.b.fn(), o.id) - r.b.fn().body.data(); };
  CHECK(place(deeper) == 3);  // thread, condition, if_; the first branch is open
  CHECK(place(deep) == 5);
  r.endif();
  CHECK(r.plus(x, 1) == deep);
  CHECK(r.plus(x, 2) == deeper);
  CHECK(place(deep) == 2);
  CHECK(place(deeper) == 3);
  r.ends();
}

TEST_CASE("from an else, too, it moves in front of its own if, though the end of the branch was taken back") {
  for (const bool is_taken_back : {false, true}) {
    recorder r;
    const operand x = r.thread();
    r.if_();
    r.endif();
    r.if_();
    r.if_();
    r.endif();
    if (is_taken_back) {
      r.endif();
      r.b.fn().body.pop_back();
      r.known.reopened();
    }
    r.else_();
    const operand sum = r.plus(x, 1);
    r.endif();
    CHECK(r.plus(x, 1) == sum);
    CHECK(r.b.fn().body[4][0] == sum);  // behind the first branch
    CHECK(r.b.fn().body[5].op == opcode::if_);
    r.ends();
  }
}

TEST_CASE("stays: division, what is far from its branch, what only the branch knows") {
  const auto asked_again = [](token type, opcode op, std::initializer_list<token> tokens, int others) {
    recorder r;
    const operand x = r.thread(), one = operand::integer(1);
    r.if_();
    for (int k = 0; k < others; ++k) r.emit(opcode::membar, {token::gl}, {});
    const operand first = r.compute(type, op, tokens, {x, one});
    r.endif();
    const bool is_same = r.compute(type, op, tokens, {x, one}) == first;
    r.ends();
    return is_same;
  };
  CHECK(asked_again(token::u32, opcode::add, {token::u32}, 0));
  CHECK(asked_again(token::u32, opcode::mul, {token::lo, token::u32}, 0));
  CHECK(asked_again(token::u32, opcode::add, {token::u32}, 63));
  CHECK_FALSE(asked_again(token::u32, opcode::add, {token::u32}, 64));
  CHECK_FALSE(asked_again(token::u32, opcode::div, {token::u32}, 0));
  CHECK_FALSE(asked_again(token::u32, opcode::rem, {token::u32}, 0));
  recorder r;
  const operand v = r.variable();
  r.write(v, r.thread());
  r.if_();
  r.emit(opcode::add, {token::u32}, {v, v, operand::integer(1)});
  const operand held = r.read(v), sum = r.plus(held, 1);
  r.endif();
  CHECK(r.plus(held, 1) != sum);
}

TEST_CASE("not asked again: floats, clocks, the carry flag, other lanes, memory, expressions over variables") {
  recorder r;
  const operand x = r.thread(), v = r.variable(), f = r.compute(token::f32, opcode::mov, {token::b32}, {x});
  const auto twice = [&](token type, opcode op, std::initializer_list<token> tokens, std::initializer_list<operand> sources) {
    const operand first = r.compute(type, op, tokens, sources);
    return r.compute(type, op, tokens, sources) != first;
  };
  CHECK(twice(token::f32, opcode::add, {token::f32}, {f, f}));
  CHECK(twice(token::pred, opcode::setp, {token::lt, token::f32}, {f, f}));
  CHECK(twice(token::u32, opcode::mov, {token::u32}, {operand::special(special::clock)}));
  CHECK(twice(token::u64, opcode::mov, {token::u64}, {operand::special(special::globaltimer)}));
  CHECK(twice(token::u32, opcode::add, {token::cc, token::u32}, {x, x}));
  CHECK(twice(token::u32, opcode::addc, {token::u32}, {x, x}));
  CHECK(twice(token::b32, opcode::shfl, {token::sync, token::bfly, token::b32}, {x, x, x, x}));
  CHECK(twice(token::u32, opcode::ld, {token::shared, token::u32}, {operand::address(x)}));
  CHECK(twice(token::u32, opcode::add, {token::u32}, {x, v}));
  CHECK_FALSE(twice(token::u32, opcode::add, {token::u32}, {x, x}));
}

TEST_CASE("a kernel's conditions and sums are read anew where its loops change them") {
  // a condition at either end of the loop, and a sum of the counter in it
  CHECK(count(opcode::setp, [](auto, recording::parameters p) {
          tg::var<unsigned> i = p.n;
          tg::while_([&] { return i < 9u; }, [&] { i += 1; });
          tg::if_(i < 9u, [&] { (void)(p.a + p.a); });
        }) == 3);
  CHECK(count(opcode::add, [](auto, recording::parameters p) {
          tg::var<unsigned> last = 0u;
          tg::for_(tg::range(0u, p.n), [&](auto i) { last = i + 1u, last = i + 1u; });
          tg::for_(tg::range(0u, p.n), [&](auto i) { last = i + 1u; });
        }) == 2);
  CHECK(count(opcode::mov, [](auto, recording::parameters) { (void)tg::clock(), (void)tg::clock(); }) ==
        count(opcode::mov, [](auto, recording::parameters) { (void)tg::clock(); }) + 1);
}

TEST_CASE("what an expression made is not written again, and one that is would be found") {
  // recording::of asks each recording; here the writers of the language stand together
  recording::of([](auto block, recording::parameters p) {
    tg::var<unsigned> v = p.n, w = tg::let(v);
    tg::var<bool> b = p.n < 3;
    tg::accumulator<16, 8, int> sums = 0;
    auto left = tg::a_fragment<16, 32, signed char>::unfilled();
    auto right = tg::b_fragment<32, 8, signed char>::unfilled();
    tg::for_(tg::range(block.thread.x, p.n, tg::constant<256>{}), [&](auto i) {
      v = v + i, w = v, b = w < 7u;
      tg::if_(b, [&] { v = i; }).else_([&] { w = v + i; });
      for (operand& word : left.parts.parts) word = (v + i).operand;
      for (operand& word : right.parts.parts) word = tg::let(w).operand;
      tg::mma(sums, left, right);
      for (int k = 0; k < decltype(sums)::registers; ++k) sums(k) += p.s;
    });
    tg::while_([&] { return v < w; }, [&] { v += tg::let(w), w <<= 1; });
  });
  std::size_t found = 0;
  (void)tg::trace(tg::kernel<"rewritten">(tg::block<32>, [&](auto, tg::scalar<unsigned> n) {
    auto& t = tg::detail::tracer::current();
    const auto sum = n + 1u;
    found = recording::rewritten_values(t.recorded());
    t.emit(opcode::mov, {token::u32}, {sum.operand, n.get().operand});
    found += 10 * recording::rewritten_values(t.recorded());
  }));
  CHECK(found == 10);
}
