// What is known about an index once the kernel is being recorded and plain C++ integers have their values: one pattern of the
// lanes. What has several is left to lane_cases.hpp.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include <tg/analysis/arithmetic.hpp>
#include <tg/analysis/bitwise.hpp>
#include <tg/analysis/choice.hpp>
#include <tg/analysis/division.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/integer_meaning.hpp>

namespace tg::detail {

/// Follows the definitions of an operand back to coordinates, parameters and constants. Registers that the tape's accesses
/// have led to before are not followed again.
class traced_index {
 public:
  traced_index(tape& t, int warp) : tape_(t), warp_(static_cast<std::size_t>(warp)) {}

  analysis::lane_value operator()(const ptx::operand& o) {
    warp_values room;
    return of_warp(follow(o, 0, room), warp_);
  }

  using lane_value = analysis::lane_value;

  /// What an instruction makes of its operands, in a register of its type.
  static lane_value result_of(const ptx::instruction& i, const lane_value& a, const lane_value& b) {
    const auto source = [&](std::size_t k) -> const lane_value& { return k == 1 ? a : b; };
    return i.operand_count > 3 ? analysis::unknown() : in_register(ptx::integer_result(i, domain(), source), i.type());
  }

 private:
  static const lane_value& of_warp(const warp_values& v, std::size_t warp) { return v.size() == 1 ? v[0] : v[warp]; }

  // What is not in a register is made in `room`.
  const warp_values& follow(const ptx::operand& o, int depth, warp_values& room) {
    if (o.is_reg() && depth <= 64) {
      warp_values& own = tape_.followed()[o.id];
      if (own.empty()) own = of_register(o.id, depth + 1);
      return own;
    }
    if (o.is(ptx::operand_kind::special)) return room = of_special(static_cast<ptx::special>(o.id));
    return room = {o.is(ptx::operand_kind::integer) ? analysis::constant(o.value) : analysis::unknown()};
  }

  warp_values of_register(std::uint32_t reg, int depth) {
    for (const loop_counter& loop : tape_.counters)
      if (loop.reg == reg)
        return combine(loop.start, loop.step, depth, [](const lane_value& start, const lane_value& step) {
          return analysis::add(start, analysis::mul(step, analysis::uniform(1)));
        });
    const ptx::instruction* const i = tape_.definition_of(reg);
    if (i == nullptr) return {analysis::unknown()};
    if (ptx::is_load(i->op)) return {in_register(of_parameter(*i), i->type())};
    return combine((*i)[1], (*i)[i->operand_count > 2 ? 2 : 1], depth,
                   [i](const lane_value& a, const lane_value& b) { return result_of(*i, a, b); });
  }

  // The result for each warp, or one value where all warps have the same.
  template <class Operation>
  warp_values combine(const ptx::operand& a, const ptx::operand& b, int depth, const Operation& operation) {
    warp_values room_a, room_b;
    const warp_values& of_a = follow(a, depth, room_a);
    const warp_values& of_b = follow(b, depth, room_b);
    return of_warps(std::max(of_a.size(), of_b.size()),
                    [&](std::size_t warp) { return operation(of_warp(of_a, warp), of_warp(of_b, warp)); });
  }

  template <class Value> static warp_values of_warps(std::size_t warps, const Value& value) {
    warp_values out;
    out.reserve(warps);
    for (std::size_t w = 0; w < warps; ++w) out.push_back(value(w));
    if (std::all_of(out.begin() + 1, out.end(), [&](const lane_value& v) { return v == out[0]; })) out.resize(1);
    return out;
  }

  warp_values of_thread(analysis::axis direction) const {
    return of_warps(static_cast<std::size_t>(tape_.block.warps()), [&](std::size_t warp) {
      return analysis::thread_coordinate(tape_.block, direction, static_cast<int>(warp));
    });
  }

  warp_values of_special(ptx::special s) const {
    using ptx::special;
    switch (s) {
      case special::tid_x: return of_thread(analysis::axis::x);
      case special::tid_y: return of_thread(analysis::axis::y);
      case special::tid_z: return of_thread(analysis::axis::z);
      case special::ctaid_x:
      case special::ctaid_y:
      case special::ctaid_z:
      case special::nctaid_x:
      case special::nctaid_y:
      case special::nctaid_z: return {analysis::uniform(1)};
      default: return {ptx::is_of_cluster(s) ? analysis::uniform(1) : analysis::unknown()};
    }
  }

  static lane_value in_register(lane_value v, ptx::token type) {
    const bool is_wide = type == ptx::token::u64 || type == ptx::token::s64 || type == ptx::token::b64;
    const bool is_signed = type == ptx::token::s32;
    if (v.known && !is_wide && !analysis::fits(v, 32, is_signed)) v = analysis::narrow(v, 32, is_signed);
    return v;
  }

  struct domain : ptx::blank_domain<lane_value, analysis::unknown> {
    using word = ptx::word_type;
    lane_value copy(const lane_value& a) const { return a; }
    lane_value convert(const lane_value& a, ptx::token from, ptx::token) const { return converted(a, from); }
    lane_value add(const lane_value& a, const lane_value& b) const { return analysis::add(a, b); }
    lane_value sub(const lane_value& a, const lane_value& b) const { return analysis::sub(a, b); }
    lane_value mul_low(const lane_value& a, const lane_value& b, word) const { return analysis::mul(a, b); }
    lane_value mul_wide(const lane_value& a, const lane_value& b, word) const { return analysis::mul(a, b); }
    lane_value div(const lane_value& a, const lane_value& b, word t) const { return analysis::div(a, b, t.is_signed); }
    lane_value rem(const lane_value& a, const lane_value& b, word t) const { return analysis::mod(a, b, t.is_signed); }
    lane_value shl(const lane_value& a, const lane_value& b, word) const { return analysis::shl(a, b); }
    lane_value shr(const lane_value& a, const lane_value& b, word t) const { return analysis::shr(a, b, t.is_signed); }
    lane_value bit_and(const lane_value& a, const lane_value& b) const { return analysis::bit_and(a, b); }
    lane_value bit_or(const lane_value& a, const lane_value& b) const { return analysis::bit_or(a, b); }
    lane_value bit_xor(const lane_value& a, const lane_value& b) const { return analysis::bit_xor(a, b); }
    lane_value min(const lane_value& a, const lane_value& b, word t) const { return analysis::min(a, b, t.is_signed); }
    lane_value max(const lane_value& a, const lane_value& b, word t) const { return analysis::max(a, b, t.is_signed); }
  };

  // Widening an unsigned number that has wrapped below 0 makes it 2^32 too large.
  static lane_value converted(const lane_value& v, ptx::token from) {
    if (from == ptx::token::f32 || from == ptx::token::f64) return analysis::unknown();
    return from == ptx::token::u32 && analysis::is_exact(v) && !analysis::is_non_negative(v) ? analysis::unknown() : v;
  }

  lane_value of_parameter(const ptx::instruction& i) const {
    if (!i.has(ptx::token::param)) return analysis::unknown();
    const std::uint32_t id = i[1].id;
    if (id >= tape_.parameter_divisors.size()) return analysis::unknown();
    const bool is_signed = i.type() == ptx::token::s32 || i.type() == ptx::token::s64;
    return analysis::uniform(tape_.parameter_divisors[id], is_signed);
  }

  tape& tape_;
  std::size_t warp_;
};

}  // namespace tg::detail
