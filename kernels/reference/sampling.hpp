// Sampling in f64: which token a number between 0 and 1 draws from a row of logits.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tg::kernels::reference {

/// The four words of Philox 4x32-10. Source: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", 2011.
inline std::array<std::uint32_t, 4> philox(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t a = std::uint64_t{0xD2511F53} * counter[0], b = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(b >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(b),
               static_cast<std::uint32_t>(a >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(a)};
    key[0] += 0x9E3779B9u;
    key[1] += 0xBB67AE85u;
  }
  return counter;
}
/// The number in [0, 1) that a row draws.
inline double drawn(unsigned row, unsigned step, unsigned seed) {
  return (philox({row, step, 0, 0}, {seed, 0})[0] >> 8) * 0x1p-24;
}

/// Columns that can be drawn, the likeliest first, and the probability of each and all before it.
struct choices {
  std::vector<unsigned> column;
  std::vector<double> up_to;

  choices(const float* logits, unsigned columns, unsigned k, double p, double temperature) : column(columns) {
    std::iota(column.begin(), column.end(), 0u);
    std::stable_sort(column.begin(), column.end(), [&](unsigned a, unsigned b) { return logits[a] > logits[b]; });
    column.resize(std::min(k, columns));
    double sum = 0;
    for (const unsigned c : column) up_to.push_back(sum += std::exp((double{logits[c]} - logits[column[0]]) / temperature));
    std::size_t kept = 1;
    while (kept < column.size() && up_to[kept - 1] < p * sum) ++kept;
    column.resize(kept);
    up_to.resize(kept);
    const double mass = up_to.back();
    for (double& own : up_to) own /= mass;
  }

  /// Whether `u` draws the column, if the sums may be wrong by `tolerance`.
  bool may_draw(unsigned wanted, double u, double tolerance) const {
    for (std::size_t i = 0; i < column.size(); ++i)
      if (column[i] == wanted) return u >= (i == 0 ? 0 : up_to[i - 1]) - tolerance && u <= up_to[i] + tolerance;
    return false;
  }
};

}  // namespace tg::kernels::reference
