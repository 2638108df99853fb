// Draws a token from each row of logits among the fewest that have a share p together, however many these are: a vocabulary of
// any size. sampling.hpp is for at most 64 of them, and reads a row once.
//
// Weights are whole numbers, so that their sums do not depend on the order of additions. The least logit that is kept is found
// digit by digit, 8 bits at a time, as a radix sort goes: the weights of each digit's logits are summed, and from the largest
// digit down, the one at which the sum reaches its share is the digit of the least logit.
#pragma once

#include <cstdint>
#include <kernels/radix_sort.hpp>
#include <tg/dsl.hpp>
#include <tg/dsl/block/block_scan.hpp>
#include <tg/dsl/math/philox.hpp>
#include <tg/dsl/value/assume_uniform.hpp>

namespace tg::kernels {

namespace detail {

/// exp(below / temperature) for a logit that is `below` the largest of its row, in units of 2^-38, rounded down.
template <class X, class T> auto whole_weight(const X& below, const T& temperature) {
  return tg::let(tg::cast<std::uint64_t>(tg::exp(below / temperature) * 0x1p38f));
}
/// The float whose ordered bits these are.
template <class K> auto float_of(const K& ordered) {
  return tg::let(tg::bit_cast<float>(tg::select(ordered >= 0x80000000u, ordered ^ 0x80000000u, ~ordered)));
}

}  // namespace detail

/// tokens(r): a column of row r, drawn with a probability in proportion to exp(logit / temperature) among the fewest of the
/// largest logits (of equals the lower columns) that have at least the share `p` of the sum over the row; the largest is always
/// among them. The number that is drawn is that of `sample_tokens`: word x of `tg::philox(row, step, 0, 0, seed, 0)`. Launch
/// with `tg::grid(rows)`.
/// Requires: 0 <= p <= 1, temperature > 0; each row has a finite logit and no NaN or infinity; -infinity is never drawn;
/// columns < 2^24.
/// Units: weights are below 2^-38 from those of `tg::exp`.
/// Cost: reads a row six times, and of an eighth of it once more; a row of up to 2^17 columns stays in the second-level cache.
inline constexpr auto sample_top_p = tg::kernel<"sample_top_p">(
    tg::block<256>,
    [](auto block, tg::in2<float> logits, tg::out<unsigned> tokens, tg::scalar<unsigned, tg::at_most<(1 << 24) - 1>> columns,
       tg::scalar<float> p, tg::scalar<float> temperature, tg::scalar<unsigned> seed, tg::scalar<unsigned> step) {
      const auto row = block.index.x;
      const auto thread = block.thread.x;
      const auto warp = block.warp();
      // The two zeros are equal.
      const auto logit = [&](const auto& j) { return tg::let(logits(row, j) + 0.0f); };
      tg::var<float> own_largest = -tg::infinity<float>;
      tg::for_(tg::range(thread, columns, 256_c), [&](auto j) { own_largest = tg::max(own_largest, logit(j)); });
      const auto largest = tg::let(tg::block_max(block, own_largest));
      const auto weight = [&](const auto& x) { return detail::whole_weight(x - largest, temperature); };

      const auto bins = tg::shared<std::uint64_t>(tg::shape<256>);
      tg::var<std::uint64_t> wanted = std::uint64_t{0}, above = std::uint64_t{0};
      tg::var<unsigned> least = 0u;  // the digits found so far
      for (unsigned shift = 32; shift > 0;) {
        shift -= 8;
        bins(thread) = std::uint64_t{0};
        block.sync();
        tg::for_(tg::range(thread, columns, 256_c), [&](auto j) {
          const auto x = logit(j);
          const auto key = detail::ordered_bits<float>(x);
          const auto add = [&] { tg::atomic_add(bins(tg::scatter(key >> shift & 255u)), weight(x)); };
          if (shift == 24) add();
          else tg::if_(key >> (shift + 8) == least, add);
        });
        block.sync();
        const auto sums = tg::block_scan_sum(block, tg::let(bins(255u - thread)));
        if (shift == 24) {
          const auto share = tg::let(tg::cast<std::uint64_t>(tg::cast<double>(sums.total) * tg::cast<double>(p)));
          wanted = tg::max(tg::min(share, sums.total), std::uint64_t{1});
        }
        // One thread has the digit at which the sum reaches its share.
        const auto is_there = tg::let(above + sums.before < wanted && wanted <= above + sums.through);
        const auto digit = tg::let(tg::block_sum(block, tg::let(tg::select(is_there, 255u - thread, 0u))));
        above = tg::block_sum(block, tg::let(tg::select(is_there, above + sums.before, std::uint64_t{0})));
        least = least << 8u | digit;
      }

      // `ties` logits are kept that are equal to the least. Each warp takes a run of columns.
      const auto tie_weight = weight(detail::float_of(least));
      const auto ties = tg::let(tg::cast<unsigned>((wanted - above + (tie_weight - std::uint64_t{1})) / tie_weight));
      const auto run = tg::let((columns + 255u) / 256u * 32u);
      const auto begin = tg::assume_warp_uniform(warp.index * run);
      const auto end = tg::assume_warp_uniform(tg::min(begin + run, columns));
      tg::var<std::uint64_t> own_above = std::uint64_t{0};
      tg::var<unsigned> own_ties = 0u;
      tg::for_(tg::range(begin + warp.lane, end, 32_c), [&](auto j) {
        const auto x = logit(j);
        const auto key = detail::ordered_bits<float>(x);
        tg::if_(key > least, [&] { own_above += weight(x); }).else_if_(key == least, [&] { own_ties += 1u; });
      });
      const auto warp_above = tg::let(warp.sum(own_above));
      const auto warp_ties = tg::let(warp.sum(own_ties));
      const auto all_above = tg::shared<std::uint64_t>(tg::shape<8>);
      const auto all_ties = tg::shared<unsigned>(tg::shape<8>);
      tg::if_(warp.lane == 0u, [&] {
        all_above(warp.index) = warp_above;
        all_ties(warp.index) = warp_ties;
      });
      block.sync();
      tg::var<std::uint64_t> kept = std::uint64_t{0}, before = std::uint64_t{0}, through = std::uint64_t{0};
      tg::var<unsigned> ties_seen = 0u, ties_before = 0u;
      for (unsigned w = 0; w < 8; ++w) {
        const auto is_own = warp.index == w;
        tg::if_(is_own, [&] { before = kept.copy(), ties_before = ties_seen.copy(); });
        const auto own = tg::let(tg::min(ties_seen + all_ties(w), ties) - tg::min(ties_seen, ties));
        kept += all_above(w) + tg::cast<std::uint64_t>(own) * tie_weight;
        ties_seen += all_ties(w);
        tg::if_(is_own, [&] { through = kept.copy(); });
      }
      const auto drawn = tg::let(tg::cast<std::uint64_t>(tg::philox(row, step, 0u, 0u, seed, 0u).x >> 8u));
      const auto target = tg::let((kept >> 24u) * drawn + ((kept & std::uint64_t{0xffffff}) * drawn >> 24u));

      // One warp has the token in its run.
      const auto is_there = tg::let(before <= target && target < through);
      tg::if_(tg::assume_warp_uniform(warp.ballot(is_there)) != 0u, [&] {
        tg::for_(tg::range(begin, end, 32_c), [&](auto from) {
          const auto j = tg::let(from + warp.lane);
          tg::var<std::uint64_t> own = std::uint64_t{0};
          tg::var<unsigned> key = 0u;
          tg::if_(j < end, [&] {
            const auto x = logit(j);
            key = detail::ordered_bits<float>(x);
            tg::if_(key >= least, [&] { own = weight(x); });
          });
          const auto tied = tg::let(warp.ballot(key == least));
          const auto rank = tg::let(ties_before + tg::popcount(tied & ((1u << warp.lane) - 1u)));
          tg::if_(key == least && rank >= ties, [&] { own = std::uint64_t{0}; });
          const auto up_to = tg::let(before + warp.inclusive_sum(own));
          tg::if_(up_to > target && up_to - own <= target, [&] { tokens(row) = j; });
          before = warp.shuffle(up_to, 31u);
          ties_before += tg::popcount(tied);
        });
      });
    });

}  // namespace tg::kernels
