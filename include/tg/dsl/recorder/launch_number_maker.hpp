// The size of a tile in shared memory that the launch decides, as steps that compute it from the arguments.
#pragma once

#include <optional>
#include <utility>

#include <tg/dsl/recorder/tape.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/integer_meaning.hpp>

namespace tg::detail {

/// What the launch does for an instruction: a step with two operands, or nothing but to take the first one.
struct launch_operation {
  std::optional<ptx::launch_step_kind> step;
  bool keeps_first = false;
};

struct launch_operations : ptx::blank_domain<launch_operation> {
  using kind = ptx::launch_step_kind;
  using word = ptx::word_type;

  value copy(const value&) const { return {{}, true}; }
  /// A wider integer holds the same number.
  value convert(const value&, ptx::token from, ptx::token to) const {
    const bool is_integer = !ptx::is_float(to) && !ptx::is_float(from);
    return {{}, is_integer && ptx::width_bits(from) >= 32 && ptx::width_bits(to) >= ptx::width_bits(from)};
  }
  value add(const value&, const value&) const { return {kind::add}; }
  value sub(const value&, const value&) const { return {kind::sub}; }
  value mul_low(const value&, const value&, word) const { return {kind::mul}; }
  value mul_wide(const value&, const value&, word) const { return {kind::mul}; }
  value div(const value&, const value&, word) const { return {kind::div}; }
  value rem(const value&, const value&, word) const { return {kind::rem}; }
  value min(const value&, const value&, word) const { return {kind::min}; }
  value max(const value&, const value&, word) const { return {kind::max}; }
  value shl(const value&, const value&, word) const { return {kind::shl}; }
  value shr(const value&, const value&, word) const { return {kind::shr}; }
};

/// Follows an integer back to parameters and numbers.
class launch_number_maker {
 public:
  launch_number_maker(tape& t, source_location where) : tape_(t), where_(where) {}

  /// The extent of a tile. Errors: TG164.
  ptx::launch_number operator()(const ptx::operand& o) const {
    auto out = find(o);
    if (!out) refuse();
    return std::move(*out);
  }
  /// None where other things decide it too.
  std::optional<ptx::launch_number> find(const ptx::operand& o) const {
    ptx::launch_number out;
    if (!append(out, o, 0)) return std::nullopt;
    return out;
  }

 private:
  using kind = ptx::launch_step_kind;

  bool append(ptx::launch_number& out, const ptx::operand& o, int depth) const {
    const auto put = [&](const ptx::launch_step& step) {
      out.push_back(step);
      return true;
    };
    if (o.is(ptx::operand_kind::integer)) return put({kind::number, o.value});
    const ptx::instruction* const i = o.is_reg() && depth < 64 ? tape_.definition_of(o.id) : nullptr;
    if (i == nullptr) return false;
    if (ptx::has_trait(i->op, ptx::trait::access) && i->has(ptx::token::param)) return put({kind::argument, (*i)[1].id});
    const launch_operation made = ptx::integer_result(*i, launch_operations(), [](std::size_t) { return launch_operation(); });
    if (made.keeps_first) return append(out, (*i)[1], depth + 1);
    return made.step && i->operand_count == 3 && append(out, (*i)[1], depth + 1) && append(out, (*i)[2], depth + 1) &&
           put({*made.step, 0});
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
