// Histogram equalisation on the host, byte for byte as OpenCV's equalizeHist.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <vector>

namespace tg::kernels::reference {

/// What each byte becomes in a picture that has bins[v] bytes v. Bytes below the smallest that occurs become 0.
inline std::vector<std::uint8_t> equalize_table(const std::vector<unsigned>& bins) {
  const unsigned total = std::accumulate(bins.begin(), bins.end(), 0u);
  std::size_t least = 0;
  while (bins[least] == 0) ++least;
  std::vector<std::uint8_t> table(256);
  if (bins[least] == total) {
    for (std::size_t v = 0; v < 256; ++v) table[v] = static_cast<std::uint8_t>(v);
    return table;
  }
  const float scale = 255.0f / static_cast<float>(total - bins[least]);
  unsigned sum = 0;
  for (std::size_t v = least + 1; v < 256; ++v) {
    sum += bins[v];
    table[v] = static_cast<std::uint8_t>(std::nearbyint(static_cast<float>(sum) * scale));
  }
  return table;
}

}  // namespace tg::kernels::reference
