// Draws a token from each row of logits: temperature, the k likeliest, and of those the fewest that have a share p together.
// One block for each row, which reads it once; see top_k.hpp.
#pragma once

#include <kernels/top_k.hpp>
#include <tg/dsl/math/philox.hpp>

namespace tg::kernels {

/// tokens(r): a column of row r, drawn with a probability in proportion to exp(logit / temperature) among the k largest logits
/// (of equals the lower columns), and of these among the fewest that have at least the share `p` of their sum; the largest is
/// always among them. k = 1 takes the largest. The number that is drawn follows from `seed`, `step` and the row alone: word x
/// of `tg::philox(row, step, 0, 0, seed, 0)`. Launch with `tg::grid(rows)`. Requires: 1 <= k <= 64, a finite temperature > 0;
/// each row has a finite logit and no NaN or infinity; -infinity is never drawn.
inline constexpr auto sample_tokens = tg::kernel<"sample_tokens">(
    tg::block<256>, [](auto block, tg::in2<float> logits, tg::out<unsigned> tokens, tg::scalar<unsigned> columns,
                       tg::scalar<unsigned, tg::at_most<64>> k, tg::scalar<float> p, tg::scalar<float> temperature,
                       tg::scalar<unsigned> seed, tg::scalar<unsigned> step) {
      const auto row = block.index.x;
      detail::best_of_row(block, logits, row, columns, [&](const auto& best) {
        const auto warp = block.warp();
        // Lane l has ranks l and 32 + l. sum(r): the weights of all ranks up to its own.
        tg::regs<float, 2> logit = 0.0f, weight = 0.0f, sum = 0.0f;
        for (unsigned r = 0; r < 2; ++r) {
          const auto rank = tg::let(warp.lane + 32u * r);
          tg::if_(rank < k && rank < columns,
                  [&] { logit(r) = logits(row, tg::gather(detail::column_of(best.rank(static_cast<int>(r))))); });
          const auto below_top = tg::let((logit(r) - warp.shuffle(logit(0), 0u)) / temperature);
          weight(r) = tg::select(rank < k && rank < columns, tg::exp(below_top), 0.0f);
          sum(r) = warp.inclusive_sum(weight(r));
        }
        sum(1) += warp.shuffle(sum(0), 31u);
        const auto wanted = tg::let(p * warp.shuffle(sum(1), 31u));
        tg::var<unsigned> kept = 0u;
        for (int r = 0; r < 2; ++r) kept += tg::popcount(warp.ballot(weight(r) > 0.0f && sum(r) - weight(r) < wanted));
        const auto last = tg::let(tg::max(kept, 1u) - 1u);
        const auto at = [&](const auto& rank, const auto& low, const auto& high) {
          return tg::select(rank < 32u, warp.shuffle(low, rank % 32u), warp.shuffle(high, rank % 32u));
        };
        const auto drawn = tg::let(tg::cast<float>(tg::philox(row, step, 0u, 0u, seed, 0u).x >> 8u) * 0x1p-24f);
        const auto target = tg::let(drawn * at(last, sum(0), sum(1)));
        tg::var<unsigned> before = 0u;
        for (int r = 0; r < 2; ++r) before += tg::popcount(warp.ballot(sum(r) <= target));
        const auto column =
            at(tg::let(tg::min(before, last)), detail::column_of(best.rank(0)), detail::column_of(best.rank(1)));
        tg::if_(warp.lane == 0u, [&] { tokens(row) = column; });
      });
    });

}  // namespace tg::kernels
