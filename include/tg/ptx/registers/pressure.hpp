// How many registers a place in a function needs.
#pragma once

#include <cstdint>

#include <tg/ptx/ir/instruction.hpp>
#include <tg/ptx/ir/type.hpp>

namespace tg::ptx {

/// Registers live at one place. Units: `registers` in 32-bit registers of the machine, of which a 64-bit value takes
/// two and a 16-bit value one; the rest in values of each class, b8 counted as b16.
struct pressure {
  std::uint32_t registers = 0;
  std::uint32_t predicates = 0;
  std::uint32_t b16 = 0, b32 = 0, b64 = 0, b128 = 0, f32 = 0, f64 = 0;
  std::uint32_t instruction = 0;  // the place
  location where;                 // and its line

  /// One value of `type` more (+1) or less (-1).
  void change(token type, int by) {
    const auto n = static_cast<std::uint32_t>(by);
    switch (register_class(type)) {
      case token::pred: predicates += n; break;
      case token::b8:
      case token::b16: b16 += n, registers += n; break;
      case token::b64: b64 += n, registers += 2 * n; break;
      case token::b128: b128 += n, registers += 4 * n; break;
      case token::f32: f32 += n, registers += n; break;
      case token::f64: f64 += n, registers += 2 * n; break;
      default: b32 += n, registers += n; break;
    }
  }
};

}  // namespace tg::ptx
