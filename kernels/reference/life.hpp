// Conway's Game of Life on a torus, on the host.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tg::kernels::reference {

/// The next generation of rows of cells, which are 0 and 1.
inline std::vector<std::uint8_t> life(const std::vector<std::uint8_t>& cells, std::size_t width, std::size_t height) {
  std::vector<std::uint8_t> out(cells.size());
  for (std::size_t r = 0; r < height; ++r)
    for (std::size_t c = 0; c < width; ++c) {
      int neighbours = -int{cells[r * width + c]};
      for (const std::size_t i : {height - 1, std::size_t{0}, std::size_t{1}})
        for (const std::size_t k : {width - 1, std::size_t{0}, std::size_t{1}})
          neighbours += cells[(r + i) % height * width + (c + k) % width];
      out[r * width + c] = neighbours == 3 || (neighbours == 2 && cells[r * width + c] == 1);
    }
  return out;
}

}  // namespace tg::kernels::reference
