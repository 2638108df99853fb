// What is known about an index once the kernel is being recorded and plain C++ integers have their values.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include <tg/analysis/arithmetic.hpp>
#include <tg/analysis/bitwise.hpp>
#include <tg/analysis/choice.hpp>
#include <tg/analysis/division.hpp>
#include <tg/dsl/tape.hpp>

namespace tg::detail {

/// Follows the definitions of an operand back to coordinates, parameters and constants.
class traced_index {
 public:
  traced_index(tape& t, analysis::block_extent block, int warp) : tape_(t), block_(block), warp_(warp) {}

  analysis::lane_value operator()(const ptx::operand& o, int depth = 0) {
    using analysis::unknown;
    if (o.is(ptx::operand_kind::integer)) return analysis::constant(o.value);
    if (o.is(ptx::operand_kind::special)) return of_special(static_cast<ptx::special>(o.id));
    if (!o.is_reg() || depth > 64) return unknown();
    for (const auto& [reg, value] : known_)
      if (reg == o.id) return value;
    return known_.emplace_back(o.id, of_register(o.id, depth + 1)).second;
  }

 private:
  analysis::lane_value of_register(std::uint32_t reg, int depth) {
    for (const loop_counter& loop : tape_.counters)
      if (loop.reg == reg)
        return analysis::add((*this)(loop.start, depth), analysis::mul((*this)(loop.step, depth), analysis::uniform(1)));
    const ptx::instruction* const definition = tape_.definition_of(reg);
    return definition == nullptr ? analysis::unknown()
                                 : in_register(of_instruction(*definition, depth), definition->type());
  }

  analysis::lane_value of_special(ptx::special s) const {
    using ptx::special;
    switch (s) {
      case special::tid_x: return analysis::thread_coordinate(block_, analysis::axis::x, warp_);
      case special::tid_y: return analysis::thread_coordinate(block_, analysis::axis::y, warp_);
      case special::tid_z: return analysis::thread_coordinate(block_, analysis::axis::z, warp_);
      case special::ctaid_x: case special::ctaid_y: case special::ctaid_z:
      case special::nctaid_x: case special::nctaid_y: case special::nctaid_z: return analysis::uniform(1);
      default: return analysis::unknown();
    }
  }

  static analysis::lane_value in_register(const analysis::lane_value& v, ptx::token type) {
    const bool is_wide = type == ptx::token::u64 || type == ptx::token::s64 || type == ptx::token::b64;
    return is_wide ? v : analysis::narrow(v, 32, type == ptx::token::s32);
  }

  analysis::lane_value of_instruction(const ptx::instruction& i, int depth) {
    using ptx::opcode;
    const bool is_signed = i.type() == ptx::token::s32 || i.type() == ptx::token::s64;
    const auto a = [&] { return (*this)(i[1], depth); };
    const auto b = [&] { return (*this)(i[2], depth); };
    switch (i.op) {
      case opcode::mov: return a();
      case opcode::cvt: return converted(a(), i.type());
      case opcode::ld: return of_parameter(i);
      case opcode::add: return analysis::add(a(), b());
      case opcode::sub: return analysis::sub(a(), b());
      case opcode::mul: return i.has(ptx::token::hi) ? analysis::unknown() : analysis::mul(a(), b());
      case opcode::div: return analysis::div(a(), b(), is_signed);
      case opcode::rem: return analysis::mod(a(), b(), is_signed);
      case opcode::shl: return analysis::shl(a(), b());
      case opcode::shr: return analysis::shr(a(), b(), is_signed);
      case opcode::and_: return analysis::bit_and(a(), b());
      case opcode::or_: return analysis::bit_or(a(), b());
      case opcode::xor_: return analysis::bit_xor(a(), b());
      case opcode::min: return analysis::min(a(), b(), is_signed);
      case opcode::max: return analysis::max(a(), b(), is_signed);
      default: return analysis::unknown();
    }
  }

  // Widening an unsigned number that has wrapped below 0 makes it 2^32 too large.
  static analysis::lane_value converted(const analysis::lane_value& v, ptx::token from) {
    if (from == ptx::token::f32 || from == ptx::token::f64) return analysis::unknown();
    return from == ptx::token::u32 && analysis::is_exact(v) && !analysis::is_non_negative(v) ? analysis::unknown() : v;
  }

  analysis::lane_value of_parameter(const ptx::instruction& i) const {
    if (!i.has(ptx::token::param)) return analysis::unknown();
    const std::uint32_t id = i[1].id;
    if (id >= tape_.parameter_divisors.size()) return analysis::unknown();
    const bool is_signed = i.type() == ptx::token::s32 || i.type() == ptx::token::s64;
    return analysis::uniform(tape_.parameter_divisors[id], is_signed);
  }

  tape& tape_;
  analysis::block_extent block_;
  int warp_;
  std::vector<std::pair<std::uint32_t, analysis::lane_value>> known_;  // registers are read many times
};

}  // namespace tg::detail
