// Loops with a condition.
#pragma once

#include <concepts>

#include <tg/dsl/flow/if_.hpp>

namespace tg {

namespace detail {

template <class C, class Body> void record_while(C& condition, Body& body, source_location where) {
  auto& t = tracer::current(where);
  t.at(where);
  const ptx::operand first = condition_of(condition());
  t.emit(ptx::opcode::if_, {}, {first});
  t.emit(ptx::opcode::loop, {}, {});
  const bool has_body = run_body<true>(t, body);
  t.at(where);
  const bool is_left = t.is_left();
  const ptx::operand coming_back = t.coming_back();
  ptx::operand again;
  if (!coming_back.is_reg()) {
    again = condition_of(condition());
    if (!has_body && !t.loop_has_effect()) refuse_empty_body("tg::while_", where);
    if (again == first && !is_left) refuse_endless_loop(where);
  } else {
    // Lanes that have left do not look at the condition any more.
    const ptx::operand holds = t.new_register(ptx::token::pred);
    t.assign(ptx::token::pred, holds, coming_back);
    t.emit(ptx::opcode::if_, {}, {coming_back});
    t.assign(ptx::token::pred, holds, condition_of(condition()));
    t.emit(ptx::opcode::endif, {}, {});
    again = t.copy(ptx::token::pred, ptx::token::pred, holds);
  }
  t.emit(ptx::opcode::endloop, {}, {again});
  t.emit(ptx::opcode::endif, {}, {});
}

/// Calls `body()`, and again while `condition()` holds, which is recorded at the end of the loop alone.
template <class Body, class C> void repeat_while(const Body& body, const C& condition, source_location where) {
  auto& t = tracer::current(where);
  t.at(where);
  t.emit(ptx::opcode::loop, {}, {});
  (void)run_body<true>(t, body);
  t.at(where);
  ptx::operand again = condition_of(condition());
  if (const ptx::operand back = t.coming_back(); back.is_reg())
    again = t.compute(ptx::token::pred, ptx::operation::bit_and(ptx::token::pred), {again, back});
  t.emit(ptx::opcode::endloop, {}, {again});
}

}  // namespace detail

/// Repeats `body` while `condition()` holds. The condition is recorded twice, before the loop and at its end, so that
/// the loop has one branch; the body is called once, while the kernel is recorded: what it does to C++ variables happens
/// once, what it does to device variables in each iteration. A body may be empty where the condition reads memory again.
/// Errors: TG104, TG128 for a loop in which nothing changes, TG129 for a body that returns something, TG184 for a condition
/// that is no lambda, or that is the same in each iteration.
template <class C, class Body> void while_(C&& condition, Body&& body, source_location where = source_location::current()) {
  using found = diagnosis::loop_condition<std::invocable<C&>, C>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) return;
  else detail::record_while(condition, body, where);
}

}  // namespace tg
