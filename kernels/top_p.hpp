// Draws a token from each row of logits among the fewest that have a share p together, however many these are: a vocabulary of
// any size. sampling.hpp is for at most 64 of them, and reads a row once.
//
// The depth of a logit is its distance from the largest of its row; a weight halves every 64 units of it. Depth rounded down is
// the bin of a logit, and bins are as narrow relative to a weight for cold rows as for hot ones. Weights of a bin are added up
// as whole numbers on a scale that suits the bin: the sums are exact and do not depend on the order of additions. From the
// first bin on, the one at which the sum reaches its share has the least logit that is kept. The few logits of this bin are put
// in order.
//
// Depth grows, or stays, as logits fall, whatever is rounded on the way: no logit of a bin is larger than one of a bin before.
#pragma once

#include <cstdint>
#include <kernels/radix_sort.hpp>
#include <tg/dsl.hpp>
#include <tg/dsl/block/block_reduce.hpp>
#include <tg/dsl/flow/unroll_by.hpp>
#include <tg/dsl/math/approx.hpp>
#include <tg/dsl/math/philox.hpp>
#include <tg/dsl/memory/atomic_access.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/dsl/value/bits.hpp>

namespace tg::kernels {

/// Logits of one bin that `sample_top_p` puts in order at once; a row with more of them in question is read more often.
inline constexpr unsigned most_candidates_of_top_p = 512;

namespace detail {

// Over an octave weights fall to a half. Behind the last octave they are below 2^-38 and count as 0.
inline constexpr unsigned bins_of_octave = 64, octaves_of_top_p = 38, bins_of_top_p = bins_of_octave * octaves_of_top_p;

/// The weight of a logit of this depth: 1 at depth 0.
template <class D> auto weight_at(const D& depth) { return tg::let(tg::approx::exp2_ftz(depth * -0x1p-6f)); }
/// A weight in units of 2^-38, rounded down.
template <class W> auto whole_weight(const W& weight) { return tg::let(tg::cast<std::uint64_t>(weight * 0x1p38f)); }
/// A weight on the scale of its octave: 2^24 where that begins, 2^23 where it ends. The bits of a float, less those of its
/// exponent, are such a number.
template <class D, class B> auto mass_at(const D& depth, const B& bin) {
  return tg::let(tg::bit_cast<unsigned>(weight_at(depth)) + (bin / bins_of_octave << 23u) - 0x3e800000u);
}
/// A word that grows with the key and, where it is equal, falls with the column.
template <class K, class C> auto word_of(const K& key, const C& column) {
  return tg::let(tg::cast<std::uint64_t>(key) << 24u | tg::cast<std::uint64_t>(column ^ 0xffffffu));
}
/// The word of a logit. The two zeros are equal.
template <class X, class C> auto word_of_logit(const X& x, const C& column) {
  return word_of(ordered_bits<float>(x + 0.0f), column);
}
/// The logit in such a word.
template <class W> auto logit_of(const W& own) {
  const auto ordered = tg::let(tg::cast<unsigned>(own >> 24u));
  return tg::let(tg::bit_cast<float>(tg::select(ordered >= 0x80000000u, ordered ^ 0x80000000u, ~ordered)));
}

/// Sums of masses in shared memory, 64 bits as two words: an atomic addition of 32 bits is one instruction on every GPU, and
/// one addition in 256 carries.
class sums_of_bins {
 public:
  /// Sets all to 0, by a block of 1024.
  template <class T> void clear(const T& thread) const {
    tg::for_(tg::range(thread, constant<bins_of_top_p>{}, 1024_c), [&](auto i) { low_(i) = 0u, high_(i) = 0u; });
  }
  /// Adds to the sum of a bin, which others may do at the same time.
  template <class B, class M> void add(const B& bin, const M& mass) const {
    const auto old = tg::let(tg::atomic_add(low_(tg::scatter(bin)), mass));
    tg::if_(old + mass < mass, [&] { tg::atomic_add(high_(tg::scatter(bin)), 1u); });
  }
  /// Calls `take(i, sum)` for each i of four neighbours.
  template <class G, class Take> void each(const G& group, Take take) const {
    const auto low = low_.template vec<4>(group * 4_c).get(), high = high_.template vec<4>(group * 4_c).get();
    tg::unroll<4>([&](auto i) { take(i, tg::let(tg::cast<std::uint64_t>(high(i)) << 32u | tg::cast<std::uint64_t>(low(i)))); });
  }

 private:
  decltype(tg::shared<unsigned>(tg::shape<bins_of_top_p>)) low_ = tg::shared<unsigned>(tg::shape<bins_of_top_p>),
                                                           high_ = tg::shared<unsigned>(tg::shape<bins_of_top_p>);
};

/// Lane l: the sum over what warps 0 to l of a block of 1024 have.
template <class Block, class Tile, class X> auto sum_of_warps(const Block& block, const Tile& partials, const X& own) {
  const auto warp = block.warp();
  tg::if_(warp.lane == 0u, [&] { partials(warp.index) = own; });
  block.sync();
  return tg::let(warp.inclusive_sum(tg::let(partials(warp.lane))));
}

}  // namespace detail

/// tokens(r): a column of row r, drawn with a probability in proportion to exp(logit / temperature) among the fewest of the
/// largest logits (of equals the lower columns) that have at least the share `p` of the sum over the row; the largest is always
/// among them. The number that is drawn is that of `sample_tokens`: word x of `tg::philox(row, step, 0, 0, seed, 0)`. Launch
/// with `tg::grid(rows)`.
/// Requires: 0 <= p <= 1, a finite temperature > 0; each row has a finite logit and no NaN or infinity; -infinity is never
/// drawn; columns < 2^24.
/// Units: a logit that is d temperatures below the largest has the weight exp(-d), to (d + 1) * 2^-22 of it, and none where
/// that is below 2^-38. A temperature below 2^-120 counts as 2^-120.
/// Cost: reads a row three times, and a 32nd of it once more; a row of up to 2^15 columns stays in the second-level cache.
/// Where more than `most_candidates_of_top_p` logits of one bin are in question (equal, or up to 0.011 temperatures apart), it
/// is read twice more, and again twice where that leaves too many that differ in their last bits alone.
inline constexpr auto sample_top_p = tg::kernel<"sample_top_p">(
    tg::block<1024>,
    [](auto block, tg::in2<float> logits, tg::out<unsigned> tokens, tg::scalar<unsigned, tg::at_most<(1 << 24) - 1>> columns,
       tg::scalar<float> p, tg::scalar<float> temperature, tg::scalar<unsigned> seed, tg::scalar<unsigned> step) {
      constexpr unsigned groups = detail::bins_of_top_p / 4;
      const auto row = block.index.x;
      const auto thread = block.thread.x;
      const auto warp = block.warp();
      const auto sums = detail::sums_of_bins();
      const auto partials = tg::shared<std::uint64_t>(tg::shape<32>);
      const auto needed = tg::shared<std::uint64_t>(tg::shape<1>);  // of the mass of the chosen bin
      const auto cut = tg::shared<std::uint64_t>(tg::shape<1>);
      const auto number = tg::shared<unsigned>(tg::shape<1>);  // that is drawn
      const auto chosen = tg::shared<unsigned>(tg::shape<1>);
      const auto count = tg::shared<unsigned>(tg::shape<1>);
      const auto least_key = tg::shared<unsigned>(tg::shape<1>), largest_key = tg::shared<unsigned>(tg::shape<1>);
      const auto candidates = tg::shared<std::uint64_t>(tg::shape<most_candidates_of_top_p>);
      const auto masses = tg::shared<unsigned>(tg::shape<most_candidates_of_top_p>);
      const auto run_sums = tg::shared<std::uint64_t>(tg::shape<32>);

      sums.clear(thread);
      tg::if_(thread == 0u, [&] {
        number(0_c) = tg::philox(row, step, 0u, 0u, seed, 0u).x >> 8u;
        needed(0_c) = std::uint64_t{0}, cut(0_c) = std::uint64_t{0}, chosen(0_c) = 0u;
      });
      tg::if_(thread < most_candidates_of_top_p, [&] { candidates(thread) = std::uint64_t{0}; });
      tg::var<float> own_largest = -tg::infinity<float>;
      tg::for_(tg::range(thread, columns, 1024_c),
               [&](auto j) { own_largest = tg::max(own_largest, tg::let(logits(row, j))); });
      const auto largest = tg::let(tg::block_max(block, own_largest));  // its barrier is behind the bins that are cleared
      const auto steep = tg::let(0x1.715476p6f / tg::max(temperature, 0x1p-120f));
      const auto depth_of = [&](const auto& x) { return tg::let((largest - x) * steep); };

      // Chooses the bin at which the sum reaches what is wanted, and how much of its mass that needs. The mass of a group of
      // four bins counts as 2^(left - right) times itself.
      const auto choose = [&](const auto& wanted_of, unsigned left, const auto& right) {
        tg::var<std::uint64_t> mass = std::uint64_t{0};
        tg::if_(thread < groups, [&] { sums.each(thread, [&](auto, const auto& of_bin) { mass += of_bin; }); });
        const auto own = tg::let(mass << left >> right);
        const auto through = tg::let(warp.inclusive_sum(own));
        const auto of_warp = tg::let(warp.shuffle(through, 31u));
        const auto all = detail::sum_of_warps(block, partials, of_warp);
        const auto wanted = tg::let(wanted_of(tg::let(warp.shuffle(all, 31u))));
        const auto before = tg::let(warp.shuffle(all, warp.index) - of_warp + through - own);
        tg::if_(thread < groups && before < wanted && wanted <= before + own, [&] {
          tg::var<std::uint64_t> need = ((wanted - before << right) + ((std::uint64_t{1} << left) - 1)) >> left;
          tg::var<unsigned> bin = thread * 4u;
          sums.each(thread, [&](auto i, const auto& of_bin) {
            tg::if_(bin == thread * 4u + static_cast<unsigned>(i) && need > of_bin, [&] { need -= of_bin, bin += 1u; });
          });
          tg::atomic_store(needed(0_c), need);
          tg::atomic_store(chosen(0_c), bin);
        });
        tg::if_(thread == 0u, [&] { count(0_c) = 0u, least_key(0_c) = ~0u, largest_key(0_c) = 0u; });
        block.sync();
      };

      // From the end on, which may still be in the cache.
      tg::for_(tg::range(thread, columns, 1024_c), [&](auto j) {
        const auto depth = depth_of(logits(row, columns - 1u - j));
        const auto bin = tg::let(tg::cast<unsigned>(depth));
        tg::if_(bin < detail::bins_of_top_p, [&] { sums.add(bin, detail::mass_at(depth, bin)); });
      });
      block.sync();
      choose(
          [&](const auto& total) {
            const auto share = tg::let(tg::cast<std::uint64_t>(tg::cast<double>(total) * tg::cast<double>(p)));
            return tg::max(tg::min(share, total), std::uint64_t{1});
          },
          14, thread * 4u / detail::bins_of_octave);

      // Each warp takes a run of columns: what is above the candidates is added up, and these are collected.
      const auto part = tg::let((columns + 1023u) / 1024u);
      const auto run = tg::let(part * 32u);
      const auto gather = [&](auto at_once, const auto& is_above, const auto& is_candidate) {
        const auto begin = tg::let(warp.index * run);
        const auto end = tg::let(tg::min(begin + run, columns));
        tg::var<std::uint64_t> above = std::uint64_t{0};
        tg::unroll_by<at_once.value>(tg::range(begin + warp.lane, end, 32_c), [&](auto j) {
          const auto x = tg::let(logits(row, j));
          const auto depth = depth_of(x);
          tg::if_(is_above(x, depth, j), [&] {
            above += detail::whole_weight(detail::weight_at(depth));
          }).else_if_(is_candidate(x, depth, j), [&] {
            const auto word = detail::word_of_logit(x, j);
            const auto key = tg::let(tg::cast<unsigned>(word >> 24u));
            tg::atomic_min(least_key(0_c), key);
            tg::atomic_max(largest_key(0_c), key);
            const auto place = tg::let(tg::atomic_add(count(0_c), 1u));
            tg::if_(place < most_candidates_of_top_p, [&] { tg::atomic_store(candidates(tg::scatter(place)), word); });
          });
        });
        const auto of_warp = tg::let(warp.sum(above));
        tg::if_(warp.lane == 0u, [&] { run_sums(warp.index) = of_warp; });
        block.sync();
      };
      const auto first = tg::let(tg::cast<float>(tg::assume_uniform(chosen(0_c))));
      gather(
          4_c, [&](const auto&, const auto& depth, const auto&) { return depth < first; },
          [&](const auto&, const auto& depth, const auto&) { return depth < first + 1.0f; });

      // Too many candidates: digits of their words are bins, 11 bits at a time.
      tg::var<std::uint64_t> lower = std::uint64_t{0}, upper = ~std::uint64_t{0};
      const auto are_too_many = [&] { return tg::assume_uniform(count(0_c)) > most_candidates_of_top_p; };
      const auto choose_digit = [&] {
        const auto least_word = detail::word_of(least_key(0_c), columns - 1u);
        const auto largest_word = detail::word_of(largest_key(0_c), columns - 1u) | std::uint64_t{0xffffff};
        lower = tg::max(lower.get(), least_word), upper = tg::min(upper.get(), largest_word);
        const auto shift = tg::let(tg::max(tg::bit_width(upper - lower), 11u) - 11u);
        sums.clear(thread);
        block.sync();
        tg::for_(tg::range(thread, columns, 1024_c), [&](auto j) {
          const auto x = tg::let(logits(row, j));
          const auto word = detail::word_of_logit(x, j);
          tg::if_(lower <= word && word <= upper, [&] {
            const auto depth = depth_of(x);
            const auto digit = tg::let(tg::cast<unsigned>((upper - word) >> shift) & 2047u);
            sums.add(digit, detail::mass_at(depth, tg::cast<unsigned>(depth)));
          });
        });
        block.sync();
        const auto need = tg::let(needed(0_c));
        choose([&](const auto&) { return need; }, 0, 0u);
        upper -= tg::cast<std::uint64_t>(chosen(0_c)) << shift;
        lower = tg::max(lower.get(), upper - ((std::uint64_t{1} << shift) - std::uint64_t{1}));
        gather(
            1_c, [&](const auto& x, const auto&, const auto& j) { return detail::word_of_logit(x, j) > upper; },
            [&](const auto& x, const auto&, const auto& j) { return detail::word_of_logit(x, j) >= lower; });
      };
      tg::while_(are_too_many, choose_digit);

      // Each candidate adds up what comes before it; the last that is kept is the cut, and those that are kept belong to runs.
      const auto of_candidate = [&](const auto& word) { return depth_of(detail::logit_of(word)); };
      const auto many = tg::let(tg::min(tg::assume_uniform(count(0_c)), most_candidates_of_top_p));
      tg::if_(thread < most_candidates_of_top_p, [&] {
        const auto depth = of_candidate(tg::let(candidates(thread)));
        masses(thread) = detail::mass_at(depth, tg::cast<unsigned>(depth));
      });
      block.sync();
      tg::if_(thread < many, [&] {
        const auto own = tg::let(candidates(thread));
        tg::var<std::uint64_t> before = std::uint64_t{0};
        tg::for_(tg::range(0u, many),
                 [&](auto i) { tg::if_(candidates(i) > own, [&] { before += tg::cast<std::uint64_t>(masses(i)); }); });
        const auto need = tg::let(needed(0_c));
        tg::if_(before < need, [&] {
          const auto column = tg::let(~tg::cast<unsigned>(own) & 0xffffffu);
          tg::atomic_add(run_sums(tg::scatter(column / run & 31u)), detail::whole_weight(detail::weight_at(of_candidate(own))));
          tg::if_(need <= before + tg::cast<std::uint64_t>(masses(thread)), [&] { tg::atomic_store(cut(0_c), own); });
        });
      });
      block.sync();

      // One run has the token, and one of its 32 parts.
      const auto least = tg::let(cut(0_c));
      const auto of_run = tg::let(run_sums(warp.lane));
      const auto through_run = tg::let(warp.inclusive_sum(of_run));
      const auto kept = tg::let(warp.shuffle(through_run, 31u));
      const auto drawn = tg::let(tg::cast<std::uint64_t>(number(0_c)));
      const auto target = tg::let((kept >> 24u) * drawn + ((kept & std::uint64_t{0xffffff}) * drawn >> 24u));
      const auto owner = tg::let(tg::popcount(warp.ballot(through_run <= target)));
      const auto begin = tg::assume_warp_uniform(owner * run + warp.index * part);
      const auto end = tg::assume_warp_uniform(tg::min(begin + part, columns));
      const auto kept_weight = [&](const auto& j) {
        const auto x = tg::let(logits(row, j));
        return tg::let(tg::select(detail::word_of_logit(x, j) >= least, detail::whole_weight(detail::weight_at(depth_of(x))),
                                  std::uint64_t{0}));
      };
      tg::var<std::uint64_t> own_kept = std::uint64_t{0};
      tg::for_(tg::range(begin + warp.lane, end, 32_c), [&](auto j) { own_kept += kept_weight(j); });
      const auto of_part = tg::let(warp.sum(own_kept));
      const auto all_parts = detail::sum_of_warps(block, partials, of_part);
      const auto through = tg::let(warp.shuffle(through_run - of_run, owner) + warp.shuffle(all_parts, warp.index));
      tg::var<std::uint64_t> before = through - of_part;
      const auto is_there = tg::let(before <= target && target < through);
      tg::if_(tg::assume_warp_uniform(warp.ballot(is_there)) != 0u, [&] {
        tg::for_(tg::range(begin, end, 32_c), [&](auto from) {
          const auto j = tg::let(from + warp.lane);
          tg::var<std::uint64_t> own = std::uint64_t{0};
          tg::if_(j < end, [&] { own = kept_weight(j); });
          const auto up_to = tg::let(before + warp.inclusive_sum(own));
          tg::if_(up_to > target && up_to - own <= target, [&] { tg::atomic_store(chosen(0_c), j); });
          before = warp.shuffle(up_to, 31u);
        });
      });
      block.sync();
      tg::if_(thread == 0u, [&] { tokens(row) = chosen(0_c); });
    });

}  // namespace tg::kernels
