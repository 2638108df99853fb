// The tiles of a kernel that is being recorded.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

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

inline ptx::operand tracer::new_tile(std::int64_t bytes) { return tape_.new_tile(bytes, {}); }

inline ptx::operand tracer::new_sized_tile(std::int64_t element_bytes, std::initializer_list<tile_extent> extents) {
  using ptx::operand;
  const auto combine = [&](ptx::opcode op, ptx::token modifier, const operand& a, const operand& b) {
    return compute(ptx::token::b32, op, {modifier, ptx::token::u32}, {a, b});
  };
  std::vector<ptx::shared_tile::extent> sizes;
  for (const tile_extent& e : extents)
    sizes.push_back({launch_number_maker(tape_, tape_.where)(e.size), e.divisor, e.remainder});

  // It begins behind the one before it, at a multiple of `tile_alignment_bytes`.
  const recorded_tile* before = nullptr;
  for (const recorded_tile& t : tape_.tiles)
    if (!ptx::is_fixed(t.size)) before = &t;
  operand begin;
  if (before != nullptr) {
    const ptx::token none = ptx::token::none;
    const operand end = combine(ptx::opcode::add, none, before->bytes, operand::integer(ptx::tile_alignment_bytes - 1));
    const operand bytes = compute(ptx::token::b32, ptx::opcode::and_, {ptx::token::b32},
                                  {end, operand::integer(-ptx::tile_alignment_bytes)});
    begin = before->begin.is_reg() ? combine(ptx::opcode::add, none, before->begin, bytes) : bytes;
  }
  operand bytes = compute(ptx::token::b32, ptx::opcode::mov, {ptx::token::u32}, {operand::integer(element_bytes)});
  for (const tile_extent& e : extents) bytes = combine(ptx::opcode::mul, ptx::token::lo, bytes, e.size);

  const operand variable = tape_.new_tile(element_bytes, std::move(sizes));
  tape_.tiles.back().begin = begin;
  tape_.tiles.back().bytes = bytes;
  return compute(ptx::token::b32, ptx::opcode::mov, {ptx::token::u32}, {variable});
}

}  // namespace tg::detail
