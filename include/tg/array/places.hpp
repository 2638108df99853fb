// The parameters of an expression's kernel, and where its threads find elements.
#pragma once

#include <bit>

#include <tg/array/recorder.hpp>

namespace tg::detail {

inline array_recorder::array_recorder(tracer& t, const array_kernel& kernel)
    : t_(t), f_(*kernel.facts), plan_(*kernel.plan), c_(kernel.plan->own), where_(kernel.where) {
  declare();
}

inline void array_recorder::declare() {
  for_each_parameter(f_, plan_, [&](array_parameter what, int o, int axis, std::uint64_t) {
    if (what == array_parameter::scalar) {
      scalars_[static_cast<std::size_t>(o)] = load_scalar(f_.scalars[static_cast<std::size_t>(o)]);
      return;
    }
    const bool is_word = bytes_of(what, c_) == 4;
    const ptx::operand number =
        t_.load_parameter(is_word ? ptx::token::b32 : ptx::token::b64, is_word ? ptx::token::u32 : ptx::token::u64);
    const auto global = [&] {
      return t_.compute(ptx::token::b64, ptx::opcode::cvta, {ptx::token::to, ptx::token::global, ptx::token::u64}, {number});
    };
    const auto k = static_cast<std::size_t>(axis);
    switch (what) {
      case array_parameter::base: own(o).base = global(); return;
      case array_parameter::row_stride: own(o).row[k] = number; return;
      case array_parameter::lane_stride: own(o).lane[k] = number; return;
      case array_parameter::loop_stride: own(o).loop[k] = number; return;
      case array_parameter::lanes: lanes_ = number; return;
      case array_parameter::rest: rest_ = number; return;
      case array_parameter::rows: rows_ = number; return;
      case array_parameter::loop: loop_ = number; return;
      case array_parameter::final_lanes: final_lanes_ = number; return;
      case array_parameter::count: count_ = number; return;
      case array_parameter::row_extent: row_extents_[k] = number; return;
      case array_parameter::lane_extent: lane_extents_[k] = number; return;
      case array_parameter::loop_extent: loop_extents_[k] = number; return;
      case array_parameter::final_extent: final_extents_[k] = number; return;
      case array_parameter::parts: parts_ = global(); return;
      case array_parameter::tickets: tickets_ = global(); return;
      case array_parameter::depth: depth_ = number; return;
      case array_parameter::left_pitch: left_pitch_ = number; return;
      case array_parameter::right_pitch: right_pitch_ = number; return;
      case array_parameter::scalar: return;
    }
  });
  for (int o = 0; o < operand_count(); ++o) {
    const own_operand& alike = own(class_of(o).strides_of);
    own(o).row = alike.row;
    own(o).lane = alike.lane;
    own(o).loop = alike.loop;
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(f_.scalar_count); ++k) scalars_[k] = scalars_[c_.same_scalar[k]];
}

inline bool array_recorder::is_read_in_reductions(int l) const {
  for (int other = l; other < f_.leaf_count; ++other)
    if (leaf(other).is_reduced && class_of(other).same_as == l) return true;
  return false;
}
inline bool array_recorder::is_read_outside(int l) const {
  for (int other = l; other < f_.leaf_count; ++other)
    if (!leaf(other).is_reduced && class_of(other).same_as == l) return true;
  return false;
}

/// `index`: of 32 bits, below 2^31.
inline ptx::operand array_recorder::moved_by_row(const ptx::operand& base, const ptx::operand& index,
                                                 const ptx::operand& stride) {
  if (!c_.has_short_strides) return moved(base, index, false, stride);
  const ptx::operand offset = t_.compute(ptx::token::b64, ptx::operation::mul_wide(ptx::token::s32), {index, stride});
  return sum_of(base, offset);
}

inline ptx::operand array_recorder::moved(const ptx::operand& base, const ptx::operand& index, bool is_wide,
                                          const ptx::operand& stride) {
  const ptx::operand wide =
      is_wide ? index : t_.compute(ptx::token::b64, ptx::operation::convert(ptx::token::u64, ptx::token::u32), {index});
  const ptx::operand offset = t_.compute(ptx::token::b64, ptx::operation::mul_low(ptx::token::s64), {wide, stride});
  return sum_of(base, offset);
}

inline void array_recorder::split(ptx::operand number, bool is_wide, int axes, const operands& extents, operands& digits) {
  const auto split_as = [&]<class T>(std::type_identity<T>) {
    for (int k = axes - 1; k > 0; --k) {
      const auto axis = static_cast<std::size_t>(k);
      digits[axis] = (value<T>{number} % value<T>{extents[axis]}).operand;
      number = (value<T>{number} / value<T>{extents[axis]}).operand;
    }
  };
  if (is_wide) split_as(std::type_identity<std::uint64_t>{});
  else split_as(std::type_identity<unsigned>{});
  digits[0] = number;
}

inline void array_recorder::begin_row(const ptx::operand& row) {
  if (c_.row_axes > 0) split(row, false, c_.row_axes, row_extents_, row_digits_);
  for (int o = 0; o < operand_count(); ++o) {
    if (o < f_.leaf_count && !is_read(o) && leaf(o).use != leaf_use::address) continue;
    if (o >= f_.leaf_count && class_of(o).same_as != no_leaf) {
      own(o) = own(class_of(o).same_as);
      continue;
    }
    own(o).row_base = own(o).base;
    for (int k = 0; k < c_.row_axes; ++k)
      if (const auto axis = static_cast<std::size_t>(k); (class_of(o).row_axes >> k & 1) != 0)
        own(o).row_base = moved_by_row(own(o).row_base, row_digits_[axis], own(o).row[axis]);
  }
  load_row_values(false);
}

/// An access that the compiler did not judge.
inline place array_recorder::gathered(int o, const ptx::operand& address) const {
  const int bytes = bytes_of(code_of_operand(o));
  place out{.address = ptx::operand::address(address), .space = ptx::token::global, .entry = {}};
  out.entry.where = where_;
  out.entry.verdict = verdict::gather;
  out.entry.element_bytes = out.entry.access_bytes = bytes;
  out.entry.parameter = o;
  if (o < f_.leaf_count && !class_of(o).is_written) out.cache = ptx::token::nc;
  return out;
}

inline place array_recorder::place_of_one(int o, const ptx::operand& base) {
  static constexpr constant<0> first{};
  const line_access at = access_at<1>(first);
  return place_of(o, base, at, 0);
}

inline ptx::operand array_recorder::lane_address(int o, const ptx::operand& base, const ptx::operand& element, bool is_wide) {
  const operand_class& c = class_of(o);
  operands digits;
  if (c.lane == lane_step::strided || c_.lane_axes <= 1) digits[0] = element;
  else split(element, is_wide, c_.lane_axes, lane_extents_, digits);
  ptx::operand out = base;
  for (int k = 0; k < most_array_rank; ++k)
    if (const auto axis = static_cast<std::size_t>(k); (c.lane_axes >> k & 1) != 0)
      out = moved(out, digits[axis], is_wide, own(o).lane[axis]);
  return out;
}

inline place array_recorder::place_of(int o, const ptx::operand& base, const line_access& at, int offset) {
  const int bytes = bytes_of(code_of_operand(o));
  const auto size = static_cast<std::size_t>(std::countr_zero(static_cast<unsigned>(bytes)));
  const bool is_constant = o < f_.leaf_count && !class_of(o).is_written;
  const ptx::token cache = is_constant ? ptx::token::nc : ptx::token::none;
  place out = find_in_view({at.views[size], o, base, nullptr}, *at.facts[size], cache, &at.index, where_, at.reason);
  out.address.value += std::int64_t{offset} * bytes;
  return out;
}

}  // namespace tg::detail
