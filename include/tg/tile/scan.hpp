// Sums of tiles up to each element, along rows or columns: in registers, by exchanges within a warp, and through shared memory
// where several warps share a row.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/recorder/repetition.hpp>
#include <tg/dsl/value/argument.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/tile/reduce.hpp>

namespace tg {

namespace detail {

/// Bits of a distribution that move along an axis, those of the smallest steps first.
struct axis_bits {
  int bit[distribution::most_bits] = {};
  int count = 0;
};
constexpr axis_bits bits_along(const distribution& d, bool along_row) {
  axis_bits out;
  const int all = d.register_bits + distribution::lane_bits + d.warp_bits, extent = along_row ? d.columns : d.rows;
  for (int step = 1; step < extent; step *= 2)
    for (int b = 0; b < all; ++b)
      if ((along_row ? d.bits[b].column : d.bits[b].row) == step) out.bit[out.count++] = b;
  return out;
}

/// Makes of each element what `f` makes of all up to it. Neighbours of 1, 2, 4, ... elements are joined: each has what its
/// elements make together, which the elements of the later one take in front of theirs.
template <class D, class T, class Team, class F> class tile_scan {
  static constexpr distribution d = D::value;
  static constexpr int count = d.registers();

 public:
  tile_scan(const Team& team, const F& f, const fixed_array<ptx::operand, count>& elements, source_location where)
      : team_(team), f_(f), where_(where), own_(elements), all_(elements) {}

  template <bool AlongRow> const fixed_array<ptx::operand, count>& run() {
    constexpr axis_bits bits = bits_along(d, AlongRow);
    join_from<AlongRow, 0, bits.count>();
    return own_;
  }

 private:
  template <bool AlongRow, int K, int End> void join_from() {
    if constexpr (K < End) {
      constexpr axis_bits bits = bits_along(d, AlongRow);
      constexpr int first_warp_bit = d.register_bits + distribution::lane_bits;
      if constexpr (bits.bit[K] < d.register_bits) {
        join_registers(bits.bit[K]);
        join_from<AlongRow, K + 1, End>();
      } else if constexpr (bits.bit[K] < first_warp_bit) {
        join_lanes(bits.bit[K] - d.register_bits);
        join_from<AlongRow, K + 1, End>();
      } else {
        constexpr int last = [] {
          constexpr axis_bits all = bits_along(d, AlongRow);
          int k = K;
          while (k < all.count && all.bit[k] >= d.register_bits + distribution::lane_bits) ++k;
          return k;
        }();
        join_warps<AlongRow, K, last>();
        join_from<AlongRow, last, End>();
      }
    }
  }

  static std::size_t at(int r) { return static_cast<std::size_t>(r); }
  value<T> combined(const value<T>& before, const value<T>& behind) const { return {argument<T>(f_(before, behind))}; }
  bool is_first_of_group(int r) const { return (r & joined_) == 0; }
  /// `body(r)` for the registers that have been joined with register `first`.
  template <class Body> void each_of_group(int first, const Body& body) const {
    for (int r = first; r < count; ++r)
      if ((r & ~joined_) == first) body(r);
  }

  void join_registers(int bit) {
    for (int first = 0; first < count; ++first) {
      if (!is_first_of_group(first) || (first >> bit & 1) != 0) continue;
      const int second = first | 1 << bit;
      const value<T> before{all_[at(first)]};
      each_of_group(second, [&](int r) { own_[at(r)] = combined(before, {own_[at(r)]}).operand; });
      all_[at(first)] = combined(before, {all_[at(second)]}).operand;
    }
    joined_ |= 1 << bit;
  }
  void join_lanes(int bit) {
    const auto warp = team_.warp();
    const auto is_later = (warp.lane & static_cast<unsigned>(1 << bit)) != 0u;
    for (int first = 0; first < count; ++first) {
      if (!is_first_of_group(first)) continue;
      const value<T> all{all_[at(first)]}, other{warp.shuffle_xor(all, 1 << bit).operand};
      each_of_group(first, [&](int r) {
        const value<T> own{own_[at(r)]};
        own_[at(r)] = tg::select(is_later, combined(other, own), own).operand;
      });
      all_[at(first)] =
          combined({tg::select(is_later, other, all).operand}, {tg::select(is_later, all, other).operand}).operand;
    }
  }
  /// Joins the warps that differ in bits `Begin` to before `End` of those along the axis.
  template <bool AlongRow, int Begin, int End> void join_warps() {
    constexpr axis_bits bits = bits_along(d, AlongRow);
    constexpr int warps = 1 << (End - Begin), first_warp_bit = d.register_bits + distribution::lane_bits;
    const auto spread = [&](unsigned place) {  // to the bits of a warp's number
      unsigned out = 0;
      for (int k = Begin; k < End; ++k) out |= (place >> (k - Begin) & 1) << (bits.bit[k] - first_warp_bit);
      return out;
    };
    const auto warp = team_.warp();
    constexpr int groups = [] {
      int out = count;
      constexpr axis_bits all = bits_along(d, AlongRow);
      for (int k = 0; k < Begin; ++k) out /= all.bit[k] < d.register_bits ? 2 : 1;
      return out;
    }();
    const auto sums = tg::shared<T>(tg::shape<Team::warps, groups, 32>, {}, where_);
    const auto each_group = [&](const auto& body) {
      unsigned number = 0;
      for (int r = 0; r < count; ++r)
        if (is_first_of_group(r)) body(r, number++);
    };
    each_group([&](int r, unsigned group) { sums(warp.index, group, warp.lane, {}, where_) = value<T>{all_[at(r)]}; });
    team_.block.sync(where_);
    ptx::operand number = tg::uniform(0).operand;
    for (int k = Begin; k < End; ++k) {
      const auto bit = warp.index / static_cast<unsigned>(1 << (bits.bit[k] - first_warp_bit)) % 2u;
      number = (value<unsigned>{number} + bit * static_cast<unsigned>(1 << (k - Begin))).operand;
    }
    const value<unsigned> place{number};  // of this warp among those that are joined
    constexpr unsigned kept = [] {
      constexpr axis_bits all = bits_along(d, AlongRow);
      unsigned out = Team::warps - 1;
      for (int k = Begin; k < End; ++k) out &= ~(1u << (all.bit[k] - (d.register_bits + distribution::lane_bits)));
      return out;
    }();
    each_group([&](int r, unsigned group) {
      ptx::operand all, before;
      for (unsigned w = 0; w < warps; ++w) {
        const auto from = (warp.index & constant<kept>{}) + tg::uniform(spread(w));
        const value<T> one{sums(from, group, warp.lane, {}, where_).get().operand};
        all = w == 0 ? one.operand : combined({all}, one).operand;
        if (w == 0) before = one.operand;
        else if (w + 1 < warps) before = tg::select(place > w, combined({before}, one), value<T>{before}).operand;
      }
      each_of_group(r, [&](int e) {
        const value<T> own{own_[at(e)]};
        own_[at(e)] = tg::select(place > 0u, combined({before}, own), own).operand;
      });
      all_[at(r)] = all;
    });
    if (is_repeated()) team_.block.sync(where_);
  }

  const Team& team_;
  const F& f_;
  source_location where_;
  fixed_array<ptx::operand, count> own_;  // what each element makes with those before it in its group
  fixed_array<ptx::operand, count> all_;  // what the elements of a group make; of its first register
  int joined_ = 0;                        // bits of registers that lie in one group
};

}  // namespace detail

/// `f` over each element and those before it in its row (`axis::row`), or its column:
/// `tg::scan<tg::axis::row>(x, [](auto a, auto b) { return tg::max(a, b); })`, spread over the threads as `x` is. Called by all
/// threads of the block. Requires: `f` is associative and gives the type of its arguments; the first is what stands before.
/// Errors: TG101, TG605. Cost: for a row of n elements log2(n) combinations of each; exchanges within a warp; a barrier where
/// warps share a row.
template <axis Axis, tile_like X, class F> auto scan(const X& x, F f, source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  const auto tree = detail::to_node(x);
  using tree_type = std::remove_const_t<decltype(tree)>;
  using found = diagnosis::known_spread<tree_type::is_spread, X>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    using d = typename tree_type::spread;
    using team_type = std::remove_cvref_t<decltype(tree.team())>;
    tree.require_unchanged();
    const auto bound = tree.template bind<d>(tree.team());
    using T = device_type_of<decltype(bound(0))>;
    fixed_array<ptx::operand, d::value.registers()> elements;
    for (int r = 0; r < d::value.registers(); ++r) elements[static_cast<std::size_t>(r)] = detail::argument<T>(bound(r));
    detail::tile_scan<d, T, team_type, F> run(tree.team(), f, elements, where);
    return fixed_tile<T, d, team_type>(tree.team(), run.template run<Axis == axis::row>());
  }
}

/// The sum of each element and those before it in its row.
template <tile_like X> auto row_cumsum(const X& x, source_location where = source_location::current()) {
  return tg::scan<axis::row>(x, [](const auto& a, const auto& b) { return a + b; }, where);
}
/// The sum of each element and those above it in its column.
template <tile_like X> auto column_cumsum(const X& x, source_location where = source_location::current()) {
  return tg::scan<axis::column>(x, [](const auto& a, const auto& b) { return a + b; }, where);
}

}  // namespace tg
