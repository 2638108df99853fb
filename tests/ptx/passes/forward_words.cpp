#include <tg/ptx/passes/forward_words.hpp>

#include <doctest/doctest.h>

#include "sketch.hpp"

namespace {

using namespace tg::ptx;
using tg::ptx::test::sketch;

struct halves { operand low, high; };

halves split(sketch& s, const operand& word) {
  const halves out{s.variable(token::b16), s.variable(token::b16)};
  s.b.emit(opcode::mov, {token::b32}, {s.vector({out.low, out.high}), word});
  return out;
}
operand join(sketch& s, const operand& low, const operand& high) {
  return s.b.compute(token::b32, opcode::mov, {token::b32}, {s.vector({low, high})});
}

// The last instruction but the store of its result.
std::string last(sketch& s) {
  forward_words(s.f(), count_uses(s.f()));
  const std::string text = s.text();
  const auto end = text.rfind("\nst.");
  return text.substr(text.rfind('\n', end - 1) + 1, end - text.rfind('\n', end - 1) - 1);
}

}  // namespace

TEST_CASE("the halves of a word together are the word") {
  sketch s;
  const halves h = split(s, s.parameter(token::b32));
  s.use(join(s, h.low, h.high), token::b32);
  CHECK(last(s) == "mov.b32 r3, r0");
}

TEST_CASE("halves that were taken out of one word by two instructions are the word too") {
  sketch s;
  const operand word = s.parameter(token::b32);
  const halves one = split(s, word), two = split(s, word);
  s.use(join(s, one.low, two.high), token::b32);
  CHECK(last(s) == "mov.b32 r5, r0");
}

TEST_CASE("halves in another order, of two words, or of none stay") {
  const auto stays = [](const auto& make) {
    sketch s;
    const halves a = split(s, s.parameter(token::b32)), b = split(s, s.parameter(token::b32));
    s.use(make(s, a, b), token::b32);
    const std::string before = s.text();
    forward_words(s.f(), count_uses(s.f()));
    CHECK(s.text() == before);
  };
  stays([](sketch& s, const halves& a, const halves&) { return join(s, a.high, a.low); });
  stays([](sketch& s, const halves& a, const halves&) { return join(s, a.low, a.low); });
  stays([](sketch& s, const halves& a, const halves& b) { return join(s, a.low, b.high); });
  stays([](sketch& s, const halves& a, const halves&) { return join(s, a.low, s.parameter(token::b16)); });
}

TEST_CASE("a word or a half that is written twice stays") {
  sketch s;
  const operand word = s.variable(token::b32);
  s.move(word, s.parameter(token::b32));
  const halves of_variable = split(s, word);
  s.move(word, s.parameter(token::b32));
  s.use(join(s, of_variable.low, of_variable.high), token::b32);
  const halves h = split(s, s.parameter(token::b32));
  s.move(h.low, s.parameter(token::b16));
  s.use(join(s, h.low, h.high), token::b32);
  const std::string before = s.text();
  forward_words(s.f(), count_uses(s.f()));
  CHECK(s.text() == before);
}
