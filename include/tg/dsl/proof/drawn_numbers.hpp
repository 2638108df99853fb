// Numbers that blocks draw: one thread of each block adds 1 to a counter, once, and finds there how many blocks came before.
//
// A counter belongs to the blocks that differ along one axis only. It is 0 before the launch (an answer that rests on it says
// so), and whatever else writes it is the block that came last, which does so behind its own draw. Then, of n blocks, each
// finds another number from 0 to n - 1, and one block finds n - 1. That block is the only one to come by a condition which says
// so. Where the atomic acquires and releases in the whole GPU, all draws before it are ordered before its own (PTX ISA 9.0,
// "Memory consistency model", causality order: a chain of atomics on one location carries a release on to each later acquire).
// So is what the thread that drew has done before, and what others of its block have done before a barrier that all met.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/proof/compare.hpp>
#include <tg/dsl/proof/path.hpp>
#include <tg/dsl/proof/standing.hpp>
#include <tg/dsl/proof/use.hpp>
#include <tg/dsl/proof/values.hpp>
#include <tg/ptx/meaning/effect.hpp>

namespace tg::proof {

/// One draw.
struct draw {
  std::uint32_t use = 0;           // of the counter
  std::uint32_t symbol = 0;        // stands for the number
  int axis = 0;                    // along which blocks share the counter
  bool is_ordering = false;        // acquires and releases in the whole GPU
  std::set<std::uint32_t> open{};  // instructions whose uses before the draw are not ordered with it
};

/// The axis along which blocks share the counter to which an atomic adds 1, -1 where the atomic does not tell; nothing if it
/// does not count. `atom.inc` starts again behind its limit, which is the last number.
inline std::optional<int> axis_counted(values& v, const ptx::instruction& i) {
  using ptx::token;
  const bool has_result = ptx::effect_of(i) == ptx::effect::atomic && ptx::result_count(i) == 1 && i[0].is_reg();
  const bool is_of_all = i.has(token::global) && !i.has(token::cta) && !i.has(token::cluster);
  if (!has_result || !is_of_all || i.is_guarded() || i.operand_count != 3 || ptx::is_float(i.type())) return std::nullopt;
  const form by = v.as_number(v.form_of(i[2]), ptx::width_bits(i.type()), false);
  if (i.has(token::add)) return by == constant(1) ? std::optional(-1) : std::nullopt;
  if (!i.has(token::inc)) return std::nullopt;
  for (int axis = 0; axis < 3; ++axis) {
    const auto blocks = v.unknowns().find(static_cast<ptx::special>(static_cast<int>(ptx::special::nctaid_x) + axis));
    if (blocks && by == add(single(*blocks), constant(-1))) return axis;
  }
  return std::nullopt;
}

/// All draws of a kernel.
class drawn_numbers {
 public:
  drawn_numbers(values& v, const comparison& compare, const fixed_array<bool, 3>& is_read)
      : values_(v), compare_(compare), is_read_(is_read) {}

  /// The last use is by an atomic that counts along `axis` (-1: not known). `now`: what stands there.
  /// Returns: the number that the block finds; nothing if other blocks may find the same.
  std::optional<form> add(const dynamic_array<use>& uses, const standing& now, int axis, bool is_ordering) {
    const auto id = static_cast<std::uint32_t>(uses.size() - 1);
    const use& u = uses[id];
    const bool is_again =
        std::any_of(all_.begin(), all_.end(), [&](const draw& d) { return uses[d.use].instruction == u.instruction; });
    is_misjudged_ = is_misjudged_ || is_again;
    if (is_again || !is_trusted_ || !u.way.is_sure || u.way.may.count() != 1 || u.way.must != u.way.may) return std::nullopt;
    const auto shared = shared_axis(u);
    if (!shared || (axis >= 0 && axis != *shared)) return std::nullopt;
    all_.push_back({id, values_.unknowns().make_drawn(*shared), *shared, is_ordering, {}});
    for (const live_use& l : now.uses)
      if (l.use != id && (l.is_pending || !is_before(l, uses[l.use], u))) all_.back().open.insert(uses[l.use].instruction);
    return single(all_.back().symbol);
  }

  /// No number is taken to be a block's own.
  void distrust() { is_trusted_ = false; }
  /// Whether a number was taken to be a block's own, and is not. Requires: `judge`, or it speaks of draws alone.
  bool is_misjudged() const { return is_misjudged_; }
  bool empty() const { return all_.empty(); }

  /// Whether nobody else writes a counter before the last block has drawn. Requires: all uses are known.
  void judge(const dynamic_array<use>& uses) {
    for (const draw& d : all_)
      for (std::uint32_t n = 0; n < uses.size(); ++n)
        if (n != d.use && uses[n].writes && uses[n].where == uses[d.use].where && may_touch(uses, uses[n], d))
          is_misjudged_ = true;
  }

  /// Whether blocks that differ along no axis but this make the uses one behind the other, or only one block makes both.
  bool are_ordered(const dynamic_array<use>& uses, const use& a, const use& b, int axis) const {
    return std::any_of(all_.begin(), all_.end(), [&](const draw& d) {
      if (d.axis != axis) return false;
      const bool is_first_last = is_behind_last(d, a.way), is_second_last = is_behind_last(d, b.way);
      if (is_first_last && is_second_last) return true;
      const auto is_before = [&](const use& u) { return &u <= &uses[d.use] && !d.open.contains(u.instruction); };
      return d.is_ordering && ((is_second_last && is_before(a)) || (is_first_last && is_before(b)));
    });
  }

 private:
  // Whether all that make a use since the last barrier do so before the thread that draws.
  static bool is_before(const live_use& l, const use& u, const use& of_draw) {
    for (std::size_t s = 0; s < u.way.may.size(); ++s)
      if (u.way.may[s] && !of_draw.way.may[s] && !(l.is_ordered(s, of_draw.laid->who.front()))) return false;
    return true;
  }

  // The only axis along which blocks have a counter in common, the same one for all. A kernel that never looks at its blocks is
  // meant for many along x, as it draws numbers.
  std::optional<int> shared_axis(const use& u) const {
    std::optional<int> out;
    for (int axis = 0; axis < 3; ++axis) {
      if (!is_read_[static_cast<std::size_t>(axis)] && axis != 0) continue;
      if (compare_.between_blocks(u, u, axis, false).what == encounter::kind::apart) continue;
      if (out || !values_.unknowns().is_alike_along(u.offset, axis)) return std::nullopt;
      out = axis;
    }
    return out;
  }

  // Whether a write may touch the counter of a draw while blocks still draw there.
  bool may_touch(const dynamic_array<use>& uses, const use& u, const draw& d) const {
    const use& counter = uses[d.use];
    const auto is_apart = [](const encounter& e) { return e.what == encounter::kind::apart; };
    const bool is_behind = are_ordered(uses, u, counter, d.axis);
    if (!is_behind && !is_apart(compare_.in_block(u, counter, {}, true, unordered{}, false))) return true;
    for (int axis = 0; axis < 3; ++axis) {
      const bool is_meant = is_read_[static_cast<std::size_t>(axis)] || axis == 0;
      if (is_meant && !(is_behind && axis == d.axis) && !is_apart(compare_.between_blocks(u, counter, axis, false)))
        return true;
    }
    return false;
  }

  // Whether a block whose threads come by this way has drawn the last number.
  bool is_behind_last(const draw& d, const path& way) const {
    const auto [at, is_new] = is_last_.try_emplace({d.symbol, way.literals}, false);
    if (is_new)
      at->second = std::any_of(way.literals->begin(), way.literals->end(), [&](const literal& l) {
        std::map<std::pair<std::uint32_t, bool>, bool> seen;
        return says_last(d, l.condition, l.holds, seen);
      });
    return at->second;
  }

  // Whether a condition that holds, or does not, in some thread of a block says that the block has drawn the last number.
  bool says_last(const draw& d, std::uint32_t id, bool holds, std::map<std::pair<std::uint32_t, bool>, bool>& seen) const {
    const auto [at, is_new] = seen.try_emplace({id, holds}, false);
    if (!is_new) return at->second;
    const condition& c = values_.predicates()[id];
    const auto says = [&] {
      if (holds ? c.may.none() : c.must == values_.predicates().everyone()) return true;  // no thread comes by it
      switch (c.what) {
        case condition::kind::inverse: return says_last(d, c.a, !holds, seen);
        case condition::kind::any: return holds && says_last(d, c.a, true, seen);
        case condition::kind::both: {
          const bool first = says_last(d, c.a, holds, seen), second = says_last(d, c.b, holds, seen);
          return holds ? first || second : first && second;
        }
        case condition::kind::zero: return holds && is_number_of_last(d, c.left);
        default: return false;
      }
    };
    return seen[{id, holds}] = says();
  }

  // The number less the last one, or that less the number.
  bool is_number_of_last(const draw& d, const form& left) const {
    const auto blocks = values_.unknowns().find(static_cast<ptx::special>(static_cast<int>(ptx::special::nctaid_x) + d.axis));
    if (!blocks) return false;
    const form behind = proof::add(proof::add(single(d.symbol), single(*blocks), -1), constant(1));
    return left == behind || left == scaled(behind, -1);
  }

  using way_of_draw = std::pair<std::uint32_t, std::shared_ptr<const dynamic_array<literal>>>;

  values& values_;
  const comparison& compare_;
  fixed_array<bool, 3> is_read_;
  bool is_trusted_ = true;
  bool is_misjudged_ = false;
  dynamic_array<draw> all_;
  mutable std::map<way_of_draw, bool> is_last_;
};

}  // namespace tg::proof
