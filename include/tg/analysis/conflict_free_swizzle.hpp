// One layout for several access patterns: the search for a pad or a swizzle that frees all of them of bank conflicts.
//
//   constexpr auto layout = tg::conflict_free_swizzle<tg::tile_of<float, 32, 32>, tg::row_access<>,
//   tg::column_access<>>; auto tile = tg::shared<float>(tg::shape<32, 32>, layout);      // swizzle<5, 0, 5>
//
// Tried in this order: no change; every swizzle<B, M, S> of up to five bits that stays inside the tile and keeps the
// vectors of every pattern whole, fewest bits first; rows padded by up to 32 words, least first.
#pragma once

#include <cstddef>

#include <tg/analysis/tile_pattern.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/base/integer_sequence.hpp>
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
template <std::size_t Count> struct layout_cost {
  int extra_wavefronts = 0;
  fixed_array<int, Count> ways{};
};

/// The best layout so far, and its extra wavefronts.
struct layout_state {
  layout_choice choice;
  int extra_wavefronts = 0;
};

/// Several patterns in one tile.
template <std::size_t Count> class layout_trial {
 public:
  constexpr layout_trial(tile_extents extents, const fixed_array<analysis::tile_access, Count>& accesses)
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
    // A pitch shifts the banks of one place into those of another, by whole words unless elements are narrower. Where
    // the columns are a power of two a swizzle permutes them, because a place and what the pattern adds to it share no
    // bit of the index.
    const bool is_swizzled = choice.swizzle.bits != 0;
    const bool is_everywhere_alike =
        is_swizzled ? analysis::is_power_of_two(extents_.columns) : extents_.element_bytes >= analysis::word_bytes;
    const int places = is_everywhere_alike ? 1 : is_swizzled ? extents_.rows + extents_.columns : analysis::word_bytes;
    for (std::size_t i = 0; i < Count && out.extra_wavefronts < enough; ++i) {
      int worst = 0;
      for (int r = 0; r < places && (r == 0 || (r + 1) * heights_[i] <= extents_.rows); ++r)
        for (int c = 0; c < places && (c == 0 || (c + 1) * widths_[i] <= extents_.columns); ++c) {
          const analysis::shared_cost own = at_place(i, choice, r * heights_[i], c * widths_[i]);
          const int extra = own.wavefronts - own.ideal_wavefronts;
          if (extra > worst) worst = extra;
          if (own.ways > out.ways[i]) out.ways[i] = own.ways;
          if (out.extra_wavefronts + worst >= enough) r = places, c = places;
        }
      out.extra_wavefronts += worst;
    }
    return out;
  }

  /// No change.
  constexpr layout_state start() const {
    return {{extents_.columns}, is_aligned(extents_.columns) ? cost({extents_.columns}, never).extra_wavefronts : never};
  }

  /// How many calls of `improve` try every layout. Each is a constant expression of a size that compilers evaluate.
  constexpr int stages() const { return most_swizzle_bits + pitches() / pitches_of_a_stage + 1; }

  /// The first layout of stage `n` that costs least, if that is less than `best` does.
  constexpr layout_state improve(int n, layout_state best) const {
    if (best.extra_wavefronts == 0) return best;
    if (n < most_swizzle_bits) {
      if (is_aligned(extents_.columns)) try_swizzles(n + 1, best);
      return best;
    }
    const int first = (n - most_swizzle_bits) * pitches_of_a_stage;
    for (int i = first; i < first + pitches_of_a_stage && i < pitches() && best.extra_wavefronts > 0; ++i)
      try_one({(extents_.columns + widest_elems_ - 1) / widest_elems_ * widest_elems_ + i * widest_elems_, {}}, best);
    return best;
  }

  /// More extra wavefronts than any pattern has.
  static constexpr int never = 1 << 20;

 private:
  static constexpr int most_swizzle_bits = 5;
  static constexpr int pitches_of_a_stage = 16;

  constexpr int pitches() const {
    return analysis::banks * analysis::word_bytes / (extents_.element_bytes * widest_elems_) + 1;
  }

  /// Whether each row begins where a vector may begin.
  constexpr bool is_aligned(int pitch) const { return pitch % widest_elems_ == 0; }

  // Bits above those that choose a bank and a byte of its word are left alone: moving them moves no conflict.
  constexpr void try_swizzles(int bits, layout_state& best) const {
    const int bank_bits = analysis::detail::log2_floor(analysis::banks * analysis::word_bytes / extents_.element_bytes);
    const int total = analysis::detail::log2_floor(analysis::lowest_bit(std::int64_t{extents_.rows} * extents_.columns));
    for (int base = analysis::detail::log2_floor(widest_elems_); base + bits <= bank_bits; ++base)
      for (int shift = bits; base + shift + bits <= total && best.extra_wavefronts > 0; ++shift)
        try_one({extents_.columns, {bits, base, shift}}, best);
  }

  constexpr void try_one(const layout_choice& choice, layout_state& best) const {
    const int extra = cost(choice, best.extra_wavefronts).extra_wavefronts;
    if (extra < best.extra_wavefronts) best = {choice, extra};
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
  fixed_array<analysis::tile_access, Count> accesses_;
  fixed_array<int, Count> heights_{}, widths_{};
  int widest_elems_ = 1;
  bool fits_ = true;
};

template <class Tile, class... Accesses>
inline constexpr layout_trial<sizeof...(Accesses)> trial_of{extents_of<Tile>, {to_tile_access<Accesses>(extents_of<Tile>)...}};

/// The best of the first `Stages` stages.
template <const auto& Trial, int Stages>
inline constexpr layout_state best_of = Trial.improve(Stages - 1, best_of<Trial, Stages - 1>);
template <const auto& Trial> inline constexpr layout_state best_of<Trial, 0> = Trial.start();

}  // namespace detail

/// What a search for a layout of `Tile` that serves all `Accesses` came to.
/// Requires: each pattern stays inside the tile's rows, vectors included.
template <class Tile, tile_pattern... Accesses> struct layout_search {
 private:
  static constexpr tile_extents extents = extents_of<Tile>;
  using trial = detail::layout_trial<sizeof...(Accesses)>;
  static constexpr const trial& patterns = detail::trial_of<Tile, Accesses...>;
  static_assert(sizeof...(Accesses) > 0 && patterns.fits(),
                "conflict_free_swizzle<Tile, Accesses...> requires accesses that stay inside the rows of the tile");

  static constexpr auto plain = patterns.cost({extents.columns}, trial::never);
  static constexpr auto best = detail::best_of<detail::trial_of<Tile, Accesses...>, patterns.stages()>;
  static constexpr auto chosen = best.choice;
  static constexpr auto reached = patterns.cost(chosen, trial::never);

  template <int Pitch, int Bits, int Base, int Shift> struct layout_type { using type = swizzle_t<Bits, Base, Shift>; };
  template <int Pitch, int Base, int Shift> struct layout_type<Pitch, 0, Base, Shift> { using type = pitch_t<Pitch>; };

 public:
  /// Whether no access conflicts in `layout`.
  static constexpr bool exists = best.extra_wavefronts == 0;
  /// The layout, or where there is none the one with the fewest wavefronts over all accesses.
  using layout = typename layout_type<chosen.pitch, chosen.swizzle.bits, chosen.swizzle.base, chosen.swizzle.shift>::type;
  /// For each access, the most words that a bank owes in one phase: in `layout`, and in `plain_ways` without a swizzle.
  static constexpr fixed_array<int, sizeof...(Accesses)> ways = reached.ways;
  static constexpr fixed_array<int, sizeof...(Accesses)> plain_ways = plain.ways;
};

namespace diagnosis {

// The best that was found, and its ways for each access.
/// In a compile error: the best layout that was found, and its conflict ways for each access.
template <class Layout, int... Ways> struct best_of_all_layouts {};

template <bool Ok, class Facts> struct layout_for_all {
  static_assert(Ok, "TG210: no pad and no swizzle frees all of these accesses of bank conflicts; serve fewer from one tile, "
                    "use narrower vectors, or excuse one");
};

}  // namespace diagnosis

namespace detail {

template <class Search, std::size_t... N> constexpr auto facts_of(tg::detail::index_sequence<N...>) {
  return diagnosis::best_of_all_layouts<typename Search::layout, Search::ways[N]...>{};
}

}  // namespace detail

/// A layout for `tg::shared` in which none of the accesses has a bank conflict: a `pitch_t` or a `swizzle_t`.
/// Errors: TG210 where there is none, with the best that there is; `layout_search` says so without an error.
/// Source: the bank model of tg/analysis/shared.hpp.
template <class Tile, tile_pattern... Accesses>
inline constexpr auto conflict_free_swizzle = [] {
  using search = layout_search<Tile, Accesses...>;
  using facts = decltype(detail::facts_of<search>(tg::detail::make_index_sequence<sizeof...(Accesses)>{}));
  (void)sizeof(diagnosis::layout_for_all<search::exists, facts>);
  return typename search::layout{};
}();

}  // namespace tg
