// What the 32 lanes of a warp do together.
#pragma once

#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/argument.hpp>
#include <tg/dsl/value/bit_cast.hpp>

namespace tg {

/// The warp of the calling thread; from `block.warp()`. Collectives are called by all its lanes, 32 unless a word says less. A
/// C++ number in the place of a value is one that each lane has: `warp.sum(1u)`.
template <class LaneForm, class IndexForm> struct warp_handle {
  value<unsigned, LaneForm> lane;                    ///< 0 to 31
  value<unsigned, IndexForm> index;                  ///< which warp of the block
  ptx::operand members = ptx::operand::integer(-1);  ///< bit l: lane l belongs to it
  ptx::operand last = ptx::operand::integer(31);     ///< the highest lane that belongs to it

  /// `x` of lane `source`. PTX: shfl.sync.idx.b32, twice for 64 bits.
  template <operand_like X, operand_like S> auto shuffle(const X& x, const S& source) const {
    return exchange(ptx::token::idx, x, source, last);
  }
  /// `x` of the lane `distance` above; the highest lanes keep their own.
  template <operand_like X, operand_like S> auto shuffle_down(const X& x, const S& distance) const {
    return exchange(ptx::token::down, x, distance, last);
  }
  /// `x` of the lane `distance` below; the lowest lanes keep their own.
  template <operand_like X, operand_like S> auto shuffle_up(const X& x, const S& distance) const {
    return exchange(ptx::token::up, x, distance, ptx::operand::integer(0));
  }
  /// `x` of the lane whose number differs in the bits of `mask`.
  template <operand_like X, operand_like S> auto shuffle_xor(const X& x, const S& mask) const {
    return exchange(ptx::token::bfly, x, mask, last);
  }

  /// The sum over all lanes, in every lane; with `4_c` that over each four neighbours, 0 to 3, 4 to 7 and so on.
  /// Requires: a power of two of lanes. Cost: a shuffle and an addition for each doubling, a tree.
  template <operand_like X, long long Lanes = 32> auto sum(const X& x, constant<Lanes> lanes = {}) const {
    return combine(x, [](const auto& a, const auto& b) { return a + b; }, lanes);
  }
  /// The largest over all lanes, in every lane, or over each `Lanes` neighbours.
  template <operand_like X, long long Lanes = 32> auto max(const X& x, constant<Lanes> lanes = {}) const {
    return combine(x, [](const auto& a, const auto& b) { return tg::max(a, b); }, lanes);
  }
  /// The smallest over all lanes, in every lane, or over each `Lanes` neighbours.
  template <operand_like X, long long Lanes = 32> auto min(const X& x, constant<Lanes> lanes = {}) const {
    return combine(x, [](const auto& a, const auto& b) { return tg::min(a, b); }, lanes);
  }
  /// `f` over all lanes, in every lane, or over each `Lanes` neighbours. Requires: `f` is associative and commutative, and
  /// gives the type of `x`. Errors: TG101.
  template <operand_like X, class F, long long Lanes = 32> auto combine(const X& x, F&& f, constant<Lanes> = {}) const {
    static_assert(Lanes > 0 && Lanes <= 32 && (Lanes & (Lanes - 1)) == 0,
                  "combine(x, f, lanes) requires a power of two of lanes, 32 at most");
    using T = detail::lane_type<X>;
    value<T> out{detail::lane_value<T>(x).operand};
    for (int distance = static_cast<int>(Lanes) / 2; distance > 0; distance /= 2)
      out.operand = detail::argument<T>(f(out, value<T>{shuffle_xor(out, distance).operand}));
    return out;
  }
  /// The sum over this lane and all below it. Cost: five shuffles, additions and selects.
  template <operand_like X> auto inclusive_sum(const X& x) const {
    using T = detail::lane_type<X>;
    value<T> out{detail::lane_value<T>(x).operand};
    for (unsigned distance = 1; distance < 32; distance *= 2) {
      const value<T> below{shuffle_up(out, distance).operand};
      out.operand = select(lane >= distance, out + below, out).operand;
    }
    return out;
  }

  /// Whether the condition holds in any lane. PTX: vote.sync.any.pred.
  template <operand_like C> value<bool> any(const C& c) const {
    return vote<value<bool>>(ptx::token::any, ptx::token::pred, c);
  }
  /// Whether the condition holds in all lanes.
  template <operand_like C> value<bool> all(const C& c) const {
    return vote<value<bool>>(ptx::token::all, ptx::token::pred, c);
  }
  /// Bit l says whether the condition holds in lane l. PTX: vote.sync.ballot.b32.
  template <operand_like C> value<unsigned> ballot(const C& c) const {
    return vote<value<unsigned>>(ptx::token::ballot, ptx::token::b32, c);
  }

  /// Orders memory among the lanes. PTX: bar.warp.sync.
  void sync(source_location where = source_location::current()) const {
    auto& t = detail::tracer::current(where);
    t.emit(ptx::opcode::bar, {ptx::token::warp, ptx::token::sync}, {members});
  }

 private:
  template <class Out, class C> Out vote(ptx::token kind, ptx::token type, const C& c) const {
    return {detail::tracer::current().compute(type, ptx::opcode::vote, {ptx::token::sync, kind, type},
                                              {detail::condition_of(detail::lane_value<detail::lane_type<C>>(c)), members})};
  }

  ptx::operand exchange_word(ptx::token kind, ptx::operand x, ptx::operand lane, ptx::operand clamp) const {
    return detail::tracer::current().compute(ptx::token::b32, ptx::opcode::shfl, {ptx::token::sync, kind, ptx::token::b32},
                                             {x, lane, clamp, members});
  }

  template <class X, class S> auto exchange(ptx::token kind, const X& x, const S& lane_or_distance, ptx::operand clamp) const {
    using T = detail::lane_type<X>;
    (void)sizeof(diagnosis::operation<!std::is_same_v<T, bool>, T>);
    auto& t = detail::tracer::current();
    const ptx::operand own = detail::lane_value<T>(x).operand;
    const ptx::operand other = detail::to_value<unsigned>(lane_or_distance).operand;
    if constexpr (sizeof(T) == 8) {
      const ptx::operand halves[] = {t.new_register(ptx::token::b32), t.new_register(ptx::token::b32)};
      t.assign(ptx::token::b64, t.new_vector(halves, 2), own);
      const ptx::operand moved[] = {exchange_word(kind, halves[0], other, clamp), exchange_word(kind, halves[1], other, clamp)};
      const ptx::operand out = t.new_register(register_type<T>);
      t.assign(ptx::token::b64, out, t.new_vector(moved, 2));
      return value<T>{out};
    } else if constexpr (is_half<T>) {
      return tg::bit_cast<T>(
          value<std::uint16_t>{exchange_word(kind, tg::bit_cast<std::uint16_t>(value<T>{own}).operand, other, clamp)});
    } else if constexpr (is_float<T>) {
      const ptx::operand bits = t.copy(ptx::token::b32, ptx::token::b32, own);
      const ptx::operand moved = exchange_word(kind, bits, other, clamp);
      return value<T>{t.copy(ptx::token::f32, ptx::token::b32, moved)};
    } else {
      return value<T>{exchange_word(kind, own, other, clamp)};
    }
  }
};

}  // namespace tg
