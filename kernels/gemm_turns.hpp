// How the tiles of one product are shared out among any number of blocks: each has as many whole tiles as all can have, and
// then its share of the steps of the tiles that are left, which may end one tile and begin another.
#pragma once

#include <cstdint>
#include <utility>

#include <kernels/gemm_options.hpp>
#include <tg/dsl.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/dsl/value/bits.hpp>

namespace tg::kernels {

namespace detail {

/// A number that all threads of a block share.
using shared_number = decltype(tg::assume_uniform(std::declval<const value<unsigned>&>()));
template <class X> shared_number share(const X& x) { return tg::assume_uniform(tg::let(value<unsigned>(x))); }

/// Divides numbers below 2^31 by one that the launch says: the high half of a number times `inverse`, which is
/// floor((2^32 - 1) / divisor), is the quotient or one less.
class divisor {
 public:
  struct result { shared_number quotient, rest; };

  template <class X> explicit divisor(const X& by) : by_(share(by)), inverse_(share(0xffffffffu / by_)) {}

  const shared_number& number() const { return by_; }
  template <class X> result operator()(const X& x) const {
    const auto low = tg::let(tg::mul_high(x, inverse_));
    const auto rest = tg::let(x - low * by_);
    const auto is_more = rest >= by_;
    return {share(tg::select(is_more, low + 1u, low)), share(tg::select(is_more, rest - by_, rest))};
  }

 private:
  shared_number by_, inverse_;
};

}  // namespace detail

/// The tiles of a product with these options in steps of `Step` along k, and who makes them. Requires: m, n and k of 1 at
/// least, or no block has a tile.
template <gemm_options Options, int Step> class gemm_turns {
  using number = detail::shared_number;

 public:
  template <class Blocks, class M, class N, class K>
  gemm_turns(const Blocks& blocks, const M& m, const N& n, const K& k)
      : blocks_(detail::share(blocks)),
        down_(detail::share((m + 127u) / 128u)),
        steps_(tg::max((k + unsigned{Step - 1}) / unsigned{Step}, 1u)),
        of_band_(tg::max((n + unsigned{Options.columns - 1}) / unsigned{Options.columns}, 1u) * unsigned{Options.band}),
        of_last_((down_ + unsigned{Options.band - 1}) % unsigned{Options.band} + 1u),
        full_(detail::share(tiles() / blocks_)),
        each_(detail::share(left() * steps_.number() / blocks_)),
        more_(detail::share(left() * steps_.number() % blocks_)) {}

  /// A tile's place, in tiles.
  struct place { number down, across; };
  /// Where tile `tile` is: tiles go down a band, then to its next column.
  template <class Tile> place place_of(const Tile& tile) const {
    const auto band = of_band_(tile);
    if constexpr (Options.band == 1) return {band.quotient, band.rest};
    else {
      const auto first = tg::let(band.quotient * unsigned{Options.band});
      const auto is_last = first + unsigned{Options.band} > down_;
      const auto short_one = of_last_(band.rest);
      const auto row = tg::select(is_last, short_one.rest, band.rest % unsigned{Options.band});
      const auto column = tg::select(is_last, short_one.quotient, band.rest / unsigned{Options.band});
      return {detail::share(first + row), detail::share(column)};
    }
  }

  /// What one block makes.
  struct block_turns {
    const gemm_turns& of;
    number own;    // its number
    number whole;  // steps in whole tiles
    number begin;  // its first step of the rest
    number count;  // steps

    /// One step of it.
    struct step { number tile, step; };
    template <class Turn> step step_of(const Turn& turn) const {
      const auto is_whole = turn < whole;
      const auto found = of.steps_(tg::let(tg::select(is_whole, turn, turn - whole + begin)));
      const auto tile = tg::select(is_whole, found.quotient * of.blocks_ + own, of.full_ * of.blocks_ + found.quotient);
      return {detail::share(tile), found.rest};
    }
    /// Steps from this turn to the last one that the block has of its tile.
    template <class Turn> number length_from(const Turn& turn) const {
      return detail::share(tg::min(of.steps_.number() - step_of(turn).step, count - turn));
    }
    /// Behind whole tiles: 0 in the first tile that the block has a part of, 1 in the next.
    template <class Turn> auto part_of(const Turn& turn) const {
      return tg::min((turn - whole + begin) / of.steps_.number() - begin / of.steps_.number(), 1u);
    }
    /// Whether it has all steps of the tile whose last one is this.
    template <class Turn> auto has_all(const Turn& turn, const step& at) const {
      return at.step + 1u == of.steps_.number() && (turn < whole || turn - whole >= at.step);
    }
  };
  template <class Block> block_turns of_block(const Block& block) const {
    const auto own = detail::share(block), begin = begin_of(own), whole = detail::share(full_ * steps_.number());
    return {*this, own, whole, begin, detail::share(whole + begin_of(own + 1u) - begin)};
  }

  /// The first of the tiles that are left.
  number first_left() const { return detail::share(full_ * blocks_); }
  /// How many there are.
  auto left() const { return tg::let(tiles() - full_ * blocks_); }
  /// Steps of one tile.
  const number& steps() const { return steps_.number(); }
  /// The step of the rest at which a block begins.
  template <class Block> number begin_of(const Block& block) const {
    return detail::share(block * each_ + tg::min(block, more_));
  }
  /// The block that has step `s` of the rest.
  template <class Position> number block_of(const Position& s) const {
    const auto longer = tg::let(more_ * (each_ + 1u));
    const auto behind = tg::let(more_ + (s - tg::min(s, longer)) / tg::max(each_, 1u));
    return detail::share(tg::select(s < longer, s / (each_ + 1u), behind));
  }

 private:
  auto tiles() const { return tg::let(down_ * (of_band_.number() / unsigned{Options.band})); }

  number blocks_, down_;
  detail::divisor steps_, of_band_, of_last_;
  number full_;  // whole tiles of each block
  number each_;  // steps of the rest that a block has at least
  number more_;  // so many blocks have one more
};

}  // namespace tg::kernels
