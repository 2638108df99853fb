// Records a few statements as a kernel and shows what they became.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <string>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/opcode_name.hpp>
#include <tg/ptx/ir/token_name.hpp>

#include <tg/dsl/kernel/trace.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/ptx/meaning/register_uses.hpp>

namespace recording {

/// The parameters that every recorded kernel has.
struct parameters {
  tg::in<float> x;
  tg::inout<float> y;
  tg::inout<unsigned> u;
  tg::in2<float> m;
  tg::scalar<unsigned> n;
  tg::scalar<float> a;
  tg::scalar<int> s;
};

/// What was recorded: the instructions of the statements as `ld.global.f32 add.f32`, the accesses, the whole module.
struct result {
  std::string text;
  tg::dynamic_array<tg::access> accesses;
  tg::ptx::module module;
};

inline std::string text_of(const tg::ptx::instruction& i) {
  std::string out(tg::ptx::name(i.op));
  for (const auto token : i.tokens()) out.append(".").append(tg::ptx::name(token));
  return out;
}

/// Whether an expression made the register: asked for twice, what is computed from it is recorded once.
inline bool is_value(tg::detail::tape& tape, std::uint32_t reg) {
  tg::ptx::module m;
  m.functions.push_back(tape.fn());
  tg::ptx::builder build(m, 0);
  tg::detail::known_values known = tape.values;
  const auto inverted = [&] {
    return known.compute(build, tg::ptx::token::b32, tg::ptx::opcode::not_, {tg::ptx::token::b32},
                         {tg::ptx::operand::reg(reg)});
  };
  return inverted() == inverted();
}

/// How many registers that expressions made are written again: if any, what the recording knows of values is wrong.
inline std::size_t rewritten_values(tg::detail::tape& tape) {
  const tg::ptx::function& f = tape.fn();
  const auto uses = tg::ptx::count_uses(f);
  std::size_t n = 0;
  for (std::uint32_t r = 0; r < uses.size(); ++r) n += uses[r].definitions > 1 && is_value(tape, r);
  return n;
}

/// Instructions that were recorded so far.
inline std::size_t recorded_so_far() { return tg::detail::tracer::current().recorded().fn().body.size(); }
inline void check_values() { CHECK(rewritten_values(tg::detail::tracer::current().recorded()) == 0); }

/// What a recording shows from instruction `first` on.
inline result shown(tg::traced_kernel traced, std::size_t first) {
  result out;
  const auto& body = traced.module.functions[0].body;
  for (std::size_t i = first; i + 1 < body.size(); ++i) out.text += (i == first ? "" : " ") + text_of(body[i]);
  out.accesses = std::move(traced.accesses);
  out.module = std::move(traced.module);
  return out;
}

/// Records `statements(block, parameters)` for a block of `Block`. Each call is a template of its own: it is kept short.
template <class Block = tg::block_t<256>, class Statements> result of(Statements statements) {
  std::size_t first = 0;
  const auto body = [&](auto block, tg::in<float> x, tg::inout<float> y, tg::inout<unsigned> u, tg::in2<float> m,
                        tg::scalar<unsigned> n, tg::scalar<float> a, tg::scalar<int> s) {
    first = recorded_so_far();
    statements(block, parameters{x, y, u, m, n, a, s});
    check_values();
  };
  tg::traced_kernel traced = tg::trace(tg::kernel<"statements">(Block{}, body));
  return shown(std::move(traced), first);
}

/// The error that recording `statements` ends with: `204 line 17`, or `none`.
template <class Block = tg::block_t<256>, class Statements> std::string error_of(Statements statements) {
  try {
    of<Block>(statements);
  } catch (const tg::error& e) { return std::to_string(e.number()) + " line " + std::to_string(e.where().line); }
  return "none";
}

/// The text of that error, or `none`.
template <class Block = tg::block_t<256>, class Statements> std::string message_of(Statements statements) {
  try {
    of<Block>(statements);
  } catch (const tg::error& e) { return e.what(); }
  return "none";
}

inline std::string at(int number, int line) { return std::to_string(number) + " line " + std::to_string(line); }

}  // namespace recording
