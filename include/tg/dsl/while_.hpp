// Loops with a condition.
#pragma once

#include <tg/dsl/if_.hpp>

namespace tg {

/// Repeats `body` while `condition()` holds. The condition is recorded twice, before the loop and at its end, so that
/// the loop has one branch. Errors: TG104.
template <class C, class Body>
void while_(C&& condition, Body&& body, source_location where = source_location::current()) {
  auto& t = detail::tracer::current(where);
  t.at(where);
  t.emit(ptx::opcode::if_, {}, {detail::condition_of(condition())});
  t.emit(ptx::opcode::loop, {}, {});
  body();
  t.at(where);
  t.emit(ptx::opcode::endloop, {}, {detail::condition_of(condition())});
  t.emit(ptx::opcode::endif, {}, {});
}

}  // namespace tg
