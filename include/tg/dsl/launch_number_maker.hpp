// The size of a tile in shared memory that the launch decides, as steps that compute it from the arguments.
#pragma once

#include <optional>

#include <tg/dsl/tape.hpp>

namespace tg::detail {

/// Follows the extent of a tile back to scalar parameters and numbers.
class launch_number_maker {
 public:
  launch_number_maker(tape& t, source_location where) : tape_(t), where_(where) {}

  ptx::launch_number operator()(const ptx::operand& o) {
    ptx::launch_number out;
    append(out, o, 0);
    return out;
  }

 private:
  using kind = ptx::launch_step_kind;

  void append(ptx::launch_number& out, const ptx::operand& o, int depth) {
    if (o.is(ptx::operand_kind::integer)) return out.push_back({kind::number, o.value});
    const ptx::instruction* const i = o.is_reg() && depth < 64 ? tape_.definition_of(o.id) : nullptr;
    if (i == nullptr) refuse();
    if (i->op == ptx::opcode::ld && i->has(ptx::token::param))
      return out.push_back({kind::argument, (*i)[1].id});
    if (i->op == ptx::opcode::mov || is_widening(*i)) return append(out, (*i)[1], depth + 1);
    const std::optional<kind> k = kind_of(*i);
    if (!k) refuse();
    append(out, (*i)[1], depth + 1);
    append(out, (*i)[2], depth + 1);
    out.push_back({*k, 0});
  }

  static bool is_widening(const ptx::instruction& i) {
    if (i.op != ptx::opcode::cvt || i.token_count != 2) return false;
    const ptx::token to = i.token_array[0], from = i.token_array[1];
    return !ptx::is_float(to) && !ptx::is_float(from) && ptx::width_bits(from) >= 32 &&
           ptx::width_bits(to) >= ptx::width_bits(from);
  }

  static std::optional<kind> kind_of(const ptx::instruction& i) {
    if (ptx::is_float(i.type())) return std::nullopt;
    switch (i.op) {
      case ptx::opcode::add: return kind::add;
      case ptx::opcode::sub: return kind::sub;
      case ptx::opcode::mul: return i.has(ptx::token::hi) ? std::nullopt : std::optional(kind::mul);
      case ptx::opcode::div: return kind::div;
      case ptx::opcode::rem: return kind::rem;
      case ptx::opcode::min: return kind::min;
      case ptx::opcode::max: return kind::max;
      case ptx::opcode::shl: return kind::shl;
      case ptx::opcode::shr: return kind::shr;
      default: return std::nullopt;
    }
  }

  [[noreturn]] void refuse() const {
    throw error(code{164}, "the size of this tile is not known when the kernel is launched",
                "compute it from tg::scalar parameters, C++ numbers and constants, with + - * / %, shifts, min and max",
                where_);
  }

  tape& tape_;
  source_location where_;
};

}  // namespace tg::detail
