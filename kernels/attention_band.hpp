// What a warp holds of 16 queries while it goes through the keys: the softmax of their scores, kept relative to the
// largest so far, and the sums of the values by its weights.
#pragma once

#include <deque>
#include <vector>

#include <tg/dsl.hpp>
#include <tg/dsl/matrix/to_operand.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// 16 queries against 64 keys, of whose rows a lane has two.
template <class T, int HeadSize> struct attention_band {
  using operand = tg::a_fragment<16, 16, T>;
  using sums = tg::accumulator<16, 16, float>;

  std::vector<operand> query{};
  static std::deque<sums> zeros(std::size_t count) {
    std::deque<sums> out;
    const auto zero = tg::let(tg::var<float>(0.0f));
    while (out.size() < count) out.emplace_back(zero);
    return out;
  }

  std::deque<sums> score{}, out = zeros(HeadSize / 16);
  tg::regs<float, 2> peak = -tg::largest_finite<float>;  // as a power of two
  tg::regs<float, 2> total = 0.0f;                       // of the lane's own columns

  /// Register i of sums is in row i % 4 / 2 of the two.
  static constexpr int row_of(int i) { return i % 4 / 2; }

  /// Scores become weights; what has been summed so far shrinks to the new peak.
  template <class Warp, class Factor> void weigh(const Warp& warp, const Factor& factor) {
    tg::regs<float, 2> shrink = 1.0f;
    for (int row = 0; row < 2; ++row) {
      const auto each = [&](auto body) {
        for (auto& keys : score)
          for (int i = 0; i < sums::registers; ++i)
            if (row_of(i) == row) body(keys(i));
      };
      tg::var<float> largest = tg::let(score[0](row * 2));
      each([&](auto& s) { largest = tg::max(largest, s); });
      const auto now = tg::let(tg::max(peak(row), warp.max(largest, 4_c) * factor));
      shrink(row) = tg::approx::exp2(peak(row) - now);
      peak(row) = now;
      total(row) *= shrink(row);
      each([&](auto& s) {
        s = tg::approx::exp2(tg::fma(s, factor, -now));
        total(row) += s;
      });
    }
    tg::if_(warp.any(tg::min(shrink(0), shrink(1)) < 1.0f), [&] {
      for (auto& values : out)
        for (int i = 0; i < sums::registers; ++i) values(i) *= shrink(row_of(i));
    });
  }

  /// Sums become averages; 0 where no key was seen.
  template <class Warp> void finish(const Warp& warp) {
    for (int row = 0; row < 2; ++row) {
      const auto all = tg::let(warp.sum(total(row), 4_c));
      const auto share = tg::let(tg::select(all == 0.0f, 0.0f, tg::approx::rcp(all)));
      for (auto& values : out)
        for (int i = 0; i < sums::registers; ++i)
          if (row_of(i) == row) values(i) *= share;
    }
  }
};

}  // namespace tg::kernels
