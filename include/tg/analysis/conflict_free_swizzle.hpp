// One layout for several access patterns: the search for a pad or a swizzle that frees all of them of bank conflicts.
//
//   constexpr auto layout = tg::conflict_free_swizzle<tg::tile_of<float, 32, 32>, tg::row_access<>,
//   tg::column_access<>>; auto tile = tg::shared<float>(tg::shape<32, 32>, layout);      // swizzle<5, 0, 5>
//
// Tried in this order: no change; swizzle<B, M, S> of up to five bits that keeps the vectors of every pattern whole,
// fewest bits first, where the columns are a power of two; rows padded by up to 32 words, least first.
#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include <tg/analysis/tile_pattern.hpp>
#include <tg/layout/pitch.hpp>
#include <tg/layout/swizzle.hpp>

namespace tg {

namespace detail {

/// A layout as numbers: rows `pitch` elements apart, indices swizzled.
struct layout_choice {
  int pitch = 0;
  analysis::swizzle_bits swizzle{};
};

/// What the accesses cost beyond what their bytes need, and the most ways of each.
template <std::size_t Count>
struct layout_cost {
  int extra_wavefronts = 0;
  std::array<int, Count> ways{};
};

/// Several patterns in one tile.
template <std::size_t Count>
class layout_trial {
 public:
  constexpr layout_trial(tile_extents extents, const std::array<analysis::tile_access, Count>& accesses)
      : extents_(extents), accesses_(accesses) {
    for (std::size_t i = 0; i < Count; ++i) {
      const int elems = accesses[i].access_bytes / extents.element_bytes;
      if (elems > widest_elems_) widest_elems_ = elems;
      heights_[i] = 1;
      widths_[i] = 1;
      for (int l = 0; l < analysis::warp_lanes; ++l) {
        if ((accesses[i].active >> l & 1) == 0) continue;
        const auto lane = static_cast<std::size_t>(l);
        const auto bottom = static_cast<int>(accesses[i].row[lane]) + 1;
        const auto right = static_cast<int>(accesses[i].col[lane]) + (elems > 1 ? elems : 1);
        while (heights_[i] < bottom) heights_[i] *= 2;
        while (widths_[i] < right) widths_[i] *= 2;
        if (right > extents_.columns) fits_ = false;
      }
      if (accesses[i].active == 0) fits_ = false;
    }
  }

  /// Whether every pattern stays inside the rows of the tile.
  constexpr bool fits() const { return fits_; }

  /// Sums up to `enough` extra wavefronts.
  constexpr layout_cost<Count> cost(const layout_choice& choice, int enough) const {
    layout_cost<Count> out;
    for (std::size_t i = 0; i < Count && out.extra_wavefronts < enough; ++i) {
      // A swizzle permutes the banks of one place into those of another, because a place and what the pattern adds to
      // it share no bit of the index. A pitch shifts them, by whole words unless elements are narrower.
      const bool is_everywhere_alike = choice.swizzle.bits != 0 || extents_.element_bytes >= analysis::word_bytes;
      const int places = is_everywhere_alike ? 1 : analysis::word_bytes;
      int worst = 0;
      for (int r = 0; r < places && (r == 0 || (r + 1) * heights_[i] <= extents_.rows); ++r)
        for (int c = 0; c < places && (c == 0 || (c + 1) * widths_[i] <= extents_.columns); ++c) {
          const analysis::shared_cost own = at_place(i, choice, r * heights_[i], c * widths_[i]);
          const int extra = own.wavefronts - own.ideal_wavefronts;
          if (extra > worst) worst = extra;
          if (own.ways > out.ways[i]) out.ways[i] = own.ways;
        }
      out.extra_wavefronts += worst;
    }
    return out;
  }

  /// The first swizzle that costs least; bits is 0 where none costs less than no change.
  constexpr layout_choice best_swizzle(int to_beat) const {
    layout_choice best{extents_.columns};
    if (!analysis::is_power_of_two(extents_.columns)) return best;
    const int base = analysis::detail::log2_floor(widest_elems_);
    const int row_bits = analysis::detail::log2_floor(extents_.columns);
    const int total =
        analysis::detail::log2_floor(analysis::lowest_bit(std::int64_t{extents_.rows} * extents_.columns));
    for (int bits = 1; bits <= 5; ++bits)
      for (int m = base; m <= base + 2; ++m)
        for (int shift = bits > row_bits - m ? bits : row_bits - m; m + shift + bits <= total; ++shift)
          if (try_one({extents_.columns, {bits, m, shift}}, best, to_beat)) return best;
    return best;
  }

  /// The least pitch that costs least.
  constexpr layout_choice best_pitch(int to_beat) const {
    layout_choice best{extents_.columns};
    const int first = (extents_.columns + widest_elems_ - 1) / widest_elems_ * widest_elems_;
    const int last = first + analysis::banks * analysis::word_bytes / extents_.element_bytes;
    for (int pitch = first; pitch <= last; pitch += widest_elems_)
      if (try_one({pitch, {}}, best, to_beat)) return best;
    return best;
  }

 private:
  constexpr bool try_one(const layout_choice& choice, layout_choice& best, int& to_beat) const {
    const int extra = cost(choice, to_beat).extra_wavefronts;
    if (extra >= to_beat) return false;
    to_beat = extra;
    best = choice;
    return extra == 0;
  }

  constexpr analysis::shared_cost at_place(std::size_t i, const layout_choice& choice, int row, int column) const {
    const analysis::tile_access& access = accesses_[i];
    analysis::request r;
    r.active = access.active;
    r.access_bytes = access.access_bytes;
    for (std::size_t l = 0; l < analysis::warp_lanes; ++l)
      r.address_bytes[l] =
          choice.swizzle.apply((access.row[l] + row) * choice.pitch + access.col[l] + column) * extents_.element_bytes;
    return analysis::count_shared(r);
  }

  tile_extents extents_;
  std::array<analysis::tile_access, Count> accesses_;
  std::array<int, Count> heights_{}, widths_{};
  int widest_elems_ = 1;
  bool fits_ = true;
};

}  // namespace detail

/// What a search for a layout of `Tile` that serves all `Accesses` came to.
/// Requires: each pattern stays inside the tile's rows, vectors included.
template <class Tile, tile_pattern... Accesses>
struct layout_search {
 private:
  static constexpr tile_extents extents = extents_of<Tile>;
  using trial = detail::layout_trial<sizeof...(Accesses)>;
  static constexpr trial patterns{extents, {to_tile_access<Accesses>(extents)...}};
  static_assert(sizeof...(Accesses) > 0 && patterns.fits(),
                "conflict_free_swizzle<Tile, Accesses...> requires accesses that stay inside the rows of the tile");

  static constexpr int all = 1 << 20;
  static constexpr auto plain = patterns.cost({extents.columns}, all);
  static constexpr auto swizzled = patterns.best_swizzle(plain.extra_wavefronts);
  static constexpr int after_swizzle =
      swizzled.swizzle.bits == 0 ? plain.extra_wavefronts : patterns.cost(swizzled, all).extra_wavefronts;
  static constexpr auto padded = patterns.best_pitch(after_swizzle);
  static constexpr auto chosen = padded.pitch != extents.columns ? padded : swizzled;
  static constexpr auto reached = patterns.cost(chosen, all);

  template <int Pitch, int Bits, int Base, int Shift>
  struct layout_type {
    using type = swizzle_t<Bits, Base, Shift>;
  };
  template <int Pitch, int Base, int Shift>
  struct layout_type<Pitch, 0, Base, Shift> {
    using type = pitch_t<Pitch>;
  };

 public:
  /// Whether no access conflicts in `layout`.
  static constexpr bool exists = reached.extra_wavefronts == 0;
  /// The layout, or where there is none the one with the fewest wavefronts over all accesses.
  using layout =
      typename layout_type<chosen.pitch, chosen.swizzle.bits, chosen.swizzle.base, chosen.swizzle.shift>::type;
  /// Of each access: the most words that a bank owes in one phase, in `layout` and without any.
  static constexpr std::array<int, sizeof...(Accesses)> ways = reached.ways;
  static constexpr std::array<int, sizeof...(Accesses)> plain_ways = plain.ways;
};

namespace diagnosis {

// The best that was found, and its ways for each access.
template <class Layout, int... Ways>
struct best_of_all_layouts {};

template <bool Ok, class Facts>
struct layout_for_all {
  static_assert(
      Ok,
      "TG210: no pad and no swizzle frees all of these accesses of bank conflicts; serve fewer from one tile, "
      "use narrower vectors, or excuse one");
};

}  // namespace diagnosis

namespace detail {

template <class Search, std::size_t... N>
constexpr auto facts_of(std::index_sequence<N...>) {
  return diagnosis::best_of_all_layouts<typename Search::layout, Search::ways[N]...>{};
}

}  // namespace detail

/// A layout for `tg::shared` in which none of the accesses has a bank conflict: a `pitch_t` or a `swizzle_t`.
/// Errors: TG210 where there is none, with the best that there is; `layout_search` says so without an error.
/// Source: the bank model of tg/analysis/shared.hpp.
template <class Tile, tile_pattern... Accesses>
inline constexpr auto conflict_free_swizzle = [] {
  using search = layout_search<Tile, Accesses...>;
  using facts = decltype(detail::facts_of<search>(std::make_index_sequence<sizeof...(Accesses)>{}));
  (void)sizeof(diagnosis::layout_for_all<search::exists, facts>);
  return typename search::layout{};
}();

}  // namespace tg
