// Gives each operation its pattern rule: which operations keep values evenly spaced.
#pragma once

#include <algorithm>
#include <initializer_list>
#include <unordered_map>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/image/image.hpp>

namespace tg::emulator {

namespace detail {

/// The rule of each lane handler that has one.
inline std::unordered_map<lane_handler, pattern_rule> find_rules(const lane_code& lanes) {
  std::unordered_map<lane_handler, pattern_rule> rules;
  const auto put = [&](pattern_rule rule, lane_op op, std::initializer_list<lane_type> types) {
    for (const lane_type t : types)
      if (const lane_handler found = lanes.find(op, t)) rules[found] = rule;
  };
  using enum lane_type;
  for (const lane_op op : {lane_op::copy, lane_op::add, lane_op::sub}) put(pattern_rule::linear, op, {u32, s32, u64, s64});
  for (const lane_op op : {lane_op::mul, lane_op::mad}) put(pattern_rule::product, op, {u32, s32, u64, s64});
  put(pattern_rule::shift, lane_op::shl, {u32, s32, u64, s64});
  put(pattern_rule::wide_signed, lane_op::mul_wide, {s32});
  put(pattern_rule::wide_unsigned, lane_op::mul_wide, {u32});
  put(pattern_rule::less_signed, lane_op::lt, {s32});
  put(pattern_rule::less_unsigned, lane_op::lt, {u32});
  put(pattern_rule::less_64, lane_op::lt, {s64});
  put(pattern_rule::at_most_signed, lane_op::le, {s32});
  put(pattern_rule::at_most_unsigned, lane_op::le, {u32});
  put(pattern_rule::at_most_64, lane_op::le, {s64});
  put(pattern_rule::equal, lane_op::eq, {u32, s32, u64, s64});
  put(pattern_rule::not_equal, lane_op::ne, {u32, s32, u64, s64});
  for (const lane_type to : {u64, s64}) {
    rules[lanes.find_convert(to, s32)] = pattern_rule::widen_signed;
    rules[lanes.find_convert(to, u32)] = pattern_rule::widen_unsigned;
    rules[lanes.find_convert(u32, to)] = pattern_rule::linear;
  }
  return rules;
}

}  // namespace detail

/// Marks the branches that do no more than leave some lanes out of the operations behind them.
inline void mark_skips(dynamic_array<operation>& code) {
  constexpr std::uint32_t most = 64;
  const auto is_simple = [](const operation& o) {
    return o.act == action::lanes || o.act == action::nothing || o.act == action::load || o.act == action::store ||
           o.act == action::atomic;
  };
  for (std::uint32_t pc = 0; pc < code.size(); ++pc) {
    operation& o = code[pc];
    if (o.act != action::branch || o.guard == no_slot || o.target <= pc || o.target - pc > most) continue;
    o.is_skip = std::all_of(code.begin() + pc + 1, code.begin() + o.target, is_simple);
  }
}

/// Gives each operation its rule.
inline void set_pattern_rules(dynamic_array<operation>& code, const lane_code& lanes) {
  const auto rules = detail::find_rules(lanes);
  for (operation& o : code)
    if (const auto found = rules.find(o.run); o.act == action::lanes && found != rules.end()) o.rule = found->second;
}

}  // namespace tg::emulator
