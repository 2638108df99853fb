// How a tracer records the bodies of branches and loops, and the jumps out of them (open_bodies.hpp).
#pragma once

#include <tg/dsl/recorder/tracer.hpp>

#include <string>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/recorder/block_uniform.hpp>
#include <tg/dsl/recorder/tape.hpp>

namespace tg::detail {

[[noreturn, gnu::cold]] inline void refuse_meeting(source_location where, source_location returned_at) {
  throw error(code{183},
              "not all threads come to this barrier or exchange: some have left by the tg::return_ in line " +
                  std::to_string(returned_at.line),
              "keep the threads: write what is guarded as the body of tg::if_, with the barrier behind it", where);
}

inline void tracer::before_statement(ptx::opcode op) {
  open_bodies& bodies = tape_.bodies;
  if (bodies.top().has_ended)
    throw error(
        code{182}, "this statement never runs: it stands behind the jump in line " + std::to_string(bodies.jumped_at.line),
        "let tg::break_, tg::continue_ or tg::return_ be the last statement of a body: tg::if_(c, [&] { tg::break_(); });",
        tape_.where);
  if (bodies.returned_at.is_known() && needs_all_threads(op)) refuse_meeting(tape_.where, bodies.returned_at);
  if (bodies.top().has_pending_rest) open_rest();
}

TG_LIBRARY_FUNCTION void tracer::begin_branch(const ptx::operand& condition) {
  emit(ptx::opcode::if_, {}, {condition});
  tape_.bodies.top().condition = condition;
}

TG_LIBRARY_FUNCTION void tracer::end_branch(bool is_else) {
  emit(ptx::opcode::endif, {}, {});
  open_bodies& bodies = tape_.bodies;
  const outcome result = bodies.last().result();
  detail::open_body& b = bodies.top();
  b.has_else = is_else;
  (is_else ? b.otherwise : b.then) = result;
  if (!is_else) b.otherwise = outcome::all_arrive;
  if (b.then == outcome::all_jump && b.otherwise == outcome::all_jump) b.has_ended = true;
  else b.has_pending_rest = b.then != outcome::all_arrive || b.otherwise != outcome::all_arrive;
  bodies.look();
}

inline ptx::operand is_before_stop(tracer& t, const counted_loop& loop, const ptx::operand& counter, const ptx::operand& stop) {
  const ptx::token relation = loop.is_downward ? ptx::token::gt : ptx::token::lt;
  return t.compute(ptx::token::pred, ptx::operation::compare(relation, loop.type), {counter, stop});
}

TG_LIBRARY_FUNCTION ptx::operand tracer::begin_loop(counted_loop& loop) {
  loop.counter = new_register(loop.registers);
  assign(loop.type, loop.counter, loop.start);
  add_counter(loop.counter, loop.start, loop.step);
  if (loop.is_guarded) emit(ptx::opcode::if_, {}, {is_before_stop(*this, loop, loop.start, loop.stop)});
  if (loop.at_once > 0) emit(ptx::opcode::loop, {}, {ptx::operand::integer(loop.at_once)});
  else emit(ptx::opcode::loop, {}, {});
  return copy(loop.registers, loop.type, loop.counter);
}

TG_LIBRARY_FUNCTION void tracer::end_loop(const counted_loop& loop) {
  const ptx::operand back = coming_back();
  const ptx::operand before = copy(loop.registers, loop.type, loop.counter);
  const ptx::operand next = compute(loop.registers, ptx::operation::add(loop.type), {before, loop.step});
  assign(loop.type, loop.counter, next);
  ptx::operand again;
  if (loop.downward_jump != 0) {
    // What is left to go is never below 0, and the next counter may be.
    const ptx::operand left = compute(loop.registers, ptx::operation::sub(loop.type), {before, loop.stop});
    again = is_before_stop(*this, loop, left, ptx::operand::integer(loop.downward_jump));
  } else {
    again = is_before_stop(*this, loop, next, loop.stop);
  }
  if (back.is_reg()) again = compute(ptx::token::pred, ptx::operation::bit_and(ptx::token::pred), {again, back});
  emit(ptx::opcode::endloop, {}, {again});
  if (loop.is_guarded) emit(ptx::opcode::endif, {}, {});
}

TG_LIBRARY_FUNCTION void tracer::open_body(bool is_loop) {
  detail::open_body b;
  b.is_loop = is_loop;
  if (!is_loop) b.entered_by = tape_.bodies.top().condition;
  tape_.bodies.push(b);
}

TG_LIBRARY_FUNCTION void tracer::close_body() {
  open_bodies& bodies = tape_.bodies;
  detail::open_body& b = bodies.top();
  const bool has_ended = std::exchange(b.has_ended, false);
  b.has_pending_rest = false;
  bodies.look();
  for (std::uint32_t n = 0; n < b.rests; ++n) emit(ptx::opcode::endif, {}, {});
  b.has_ended = has_ended;
  bodies.pop();
}

TG_LIBRARY_FUNCTION ptx::operand tracer::coming_back() {
  const detail::open_body& b = tape_.bodies.last();
  return b.breaks ? read(b.goes) : ptx::operand{};
}

TG_LIBRARY_FUNCTION bool tracer::is_left() const { return tape_.bodies.last().breaks || tape_.bodies.last().returns; }

TG_LIBRARY_FUNCTION std::uint32_t tracer::new_changes() {
  tape_.changes.emplace_back();
  return static_cast<std::uint32_t>(tape_.changes.size());
}

TG_LIBRARY_FUNCTION tracer::changes& tracer::changes_of(std::uint32_t number) {
  tape_.require_own(number, tape_.changes.size());
  return tape_.changes[number - 1];
}

TG_LIBRARY_FUNCTION std::uint32_t tracer::new_switch() { return tape_.switches++; }

TG_LIBRARY_FUNCTION void tracer::add_label(std::uint32_t of, long long label, source_location where) {
  for (const auto& known : tape_.labels)
    if (known == std::pair{of, label})
      throw error(code{186}, "the label " + std::to_string(label) + " has a case of this tg::switch_ already",
                  "give each number one case", where);
  tape_.labels.emplace_back(of, label);
}

inline void tracer::set(const ptx::operand& flag, bool to) {
  assign(ptx::token::pred, flag, is_not_zero(ptx::operand::integer(to ? 1 : 0)));
}

inline ptx::operand tracer::read(const ptx::operand& flag) { return copy(ptx::token::pred, ptx::token::pred, flag); }

// A variable that is true at the beginning of an open body that jumps leave: behind the marker that opened it.
inline ptx::operand tracer::new_flag(std::size_t body) {
  open_bodies& bodies = tape_.bodies;
  std::uint32_t inside = bodies[body].rests;  // open markers behind the one that is looked for
  for (std::size_t n = body + 1; n < bodies.count(); ++n) inside += 1 + bodies[n].rests;
  const auto& code = tape_.fn().body;
  auto at = static_cast<std::uint32_t>(code.size());
  for (int closed = 0;;) {
    const ptx::opcode op = code[--at].op;
    if (op == ptx::opcode::endif || op == ptx::opcode::endloop) ++closed;
    if (op != ptx::opcode::if_ && op != ptx::opcode::loop && !(op == ptx::opcode::else_ && closed == 0)) continue;
    if (closed > 0) {
      --closed;
    } else if (inside-- == 0) {
      break;
    } else if (op == ptx::opcode::else_) {
      ++closed;  // its branch began before
    }
  }
  const ptx::operand flag = new_register(ptx::token::pred);
  ptx::instruction first(ptx::operation::compare(ptx::token::ne, ptx::token::u32),
                         {flag, ptx::operand::integer(1), ptx::operand::integer(0)});
  first.where = code[at].where;
  tape_.values.insert(tape_.fn(), at + 1, first);
  return flag;
}

// The statements that follow are for the lanes that have not jumped.
inline void tracer::open_rest() {
  using ptx::opcode;
  detail::open_body& b = tape_.bodies.top();
  b.has_pending_rest = false;
  tape_.bodies.look();
  if (b.then == outcome::all_jump) {
    take_back();
    if (!b.has_else) emit(opcode::else_, {}, {});
    ++b.rests;
    if (b.otherwise == outcome::all_arrive) return;
  } else if (b.then == outcome::all_arrive && b.otherwise == outcome::all_jump) {
    emit(opcode::if_, {}, {b.condition});
    ++b.rests;
    return;
  } else if (b.otherwise == outcome::all_jump) {
    take_back();
    set(b.runs, false);
    emit(opcode::endif, {}, {});
  }
  emit(opcode::if_, {}, {read(b.runs)});
  ++b.rests;
}

TG_LIBRARY_FUNCTION void tracer::leave(jump j, source_location where) {
  at(where);
  open_bodies& bodies = tape_.bodies;
  if (bodies.needs_care()) before_statement(ptx::opcode::exit);
  ++tape_.emitted;
  const std::size_t loop = bodies.innermost_loop(), here = bodies.count() - 1;
  if (j == jump::return_) {
    bool is_uniform = true;
    for (std::size_t n = 1; n <= here; ++n) {
      bodies[n].returns = true;
      is_uniform = is_uniform && !bodies[n].is_loop && is_block_uniform(tape_, bodies[n].entered_by);
    }
    if (!is_uniform) {
      // What an iteration does before is done again by those that stay.
      int open = 0;
      for (std::size_t n = 1; n <= here; ++n) open += bodies[n].is_loop;
      const auto& code = tape_.fn().body;
      for (std::size_t n = code.size(); open > 0 && n-- > 0;) {
        open += (code[n].op == ptx::opcode::endloop) - (code[n].op == ptx::opcode::loop);
        if (needs_all_threads(code[n].op)) refuse_meeting(where, where);
      }
      bodies.returned_at = where;
    }
    emit(ptx::opcode::exit, {}, {});
    bodies.top().has_exited = true;
  } else {
    if (loop == 0)
      throw error(code{182}, std::string(j == jump::break_ ? "tg::break_" : "tg::continue_") + " stands in no loop",
                  "write it in the body of tg::for_ or tg::while_; tg::return_ ends the thread", where);
    for (std::size_t n = loop; n + 1 < here; ++n) {
      if (!bodies[n].runs.is_reg()) bodies[n].runs = new_flag(n);
      set(bodies[n].runs, false);
      bodies[n + 1].is_mixed = true;
    }
    if (j == jump::break_) {
      if (!bodies[loop].goes.is_reg()) bodies[loop].goes = new_flag(loop);
      set(bodies[loop].goes, false);
      bodies[loop].breaks = true;
    }
  }
  bodies.jumped_at = where;
  bodies.top().has_ended = true;
  bodies.look();
}

}  // namespace tg::detail
