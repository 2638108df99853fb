// Loops with a condition.
#pragma once

#include <tg/dsl/if_.hpp>

namespace tg {

/// Repeats `body` while `condition()` holds. The condition is recorded twice, before the loop and at its end, so that
/// the loop has one branch; the body is called once, while the kernel is recorded: what it does to C++ variables happens
/// once, what it does to device variables in each iteration. A body may be empty where the condition reads memory again.
/// Errors: TG104, TG128 for a loop in which nothing changes, TG129 for a body that returns something.
template <class C, class Body>
void while_(C&& condition, Body&& body, source_location where = source_location::current()) {
  auto& t = detail::tracer::current(where);
  t.at(where);
  t.emit(ptx::opcode::if_, {}, {detail::condition_of(condition())});
  t.emit(ptx::opcode::loop, {}, {});
  const bool has_body = detail::run_body(t, body);
  t.at(where);
  const ptx::operand again = detail::condition_of(condition());
  if (!has_body && !t.loop_has_effect()) detail::refuse_empty_body("tg::while_", where);
  t.emit(ptx::opcode::endloop, {}, {again});
  t.emit(ptx::opcode::endif, {}, {});
}

}  // namespace tg
