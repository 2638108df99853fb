#include <kernels/block_matvec.hpp>

#include <cmath>
#include <string>

#include "blocks.hpp"

using namespace tg::kernels;

namespace {

template <class Format, unsigned Vectors, unsigned Warps>
void check(std::string_view name, unsigned rows, unsigned columns, inputs::generator& random) {
  CAPTURE(std::string(name));
  CAPTURE(rows);
  CAPTURE(columns);
  tg::device gpu;
  const auto bytes = blocks::any<Format>(name, std::size_t{rows} * columns, random);
  const auto x = random.floats(std::size_t{Vectors} * columns);
  const auto on_w = gpu.upload(blocks::numbers(bytes));
  inputs::rows<float> on_x(gpu, x, Vectors, columns, columns + 4), on_y(gpu, Vectors, rows, rows + 3);
  gpu.launch(block_matvec<Format, Vectors, Warps>, block_matvec_grid<Warps>(rows),
             tg::matrix(on_w, rows, block_numbers<Format>(columns)), on_x.matrix(), on_y.matrix(), rows, columns);
  const auto y = on_y.to_host();
  // Two roundings of a weight; additions of a lane, of lanes and of warps.
  const double roundings = 2 + 8 * std::ceil(std::ceil(columns / 256.0) / Warps) + 5 + Warps;
  for (unsigned b = 0; b < Vectors; ++b)
    for (unsigned r = 0; r < rows; ++r) {
      double wanted = 0, size = 0;
      for (unsigned j = 0; j < columns; ++j) {
        const auto w = blocks::weight<Format>(name, bytes, std::size_t{r} * columns + j);
        const double by = x[std::size_t{b} * columns + j];
        wanted += w.value * by;
        size += w.size * std::abs(by);
      }
      CHECK(std::abs(y[std::size_t{b} * rows + r] - wanted) <= roundings * 1.001 * inputs::unit_roundoff * size);
    }
}

template <class Format, unsigned Vectors = 1, unsigned Warps = 1> void check_sizes(std::string_view name) {
  inputs::generator random;
  INFO("seed ", random.seed);
  constexpr unsigned v = Format::values;
  for (const unsigned columns : {v, 256u - 256 % v, 512 - v, 256 + v, 256 * Warps, 256 * Warps + v, 13 * v})
    if (columns > 0) check<Format, Vectors, Warps>(name, 3, columns, random);
  for (const unsigned rows : {1u, 8 / Warps - (Warps < 8), 8 / Warps, 8 / Warps + 1, 19u})
    check<Format, Vectors, Warps>(name, rows, 2 * v, random);
}

}  // namespace

TEST_CASE("products with weights of each format") {
  blocks::each_format([]<class Format>(Format, std::string_view name) { check_sizes<Format>(name); });
}

TEST_CASE("vectors at once, and warps for a row") {
  check_sizes<q4_0, 8>("q4_0");
  check_sizes<q5_1, 3, 2>("q5_1");
  check_sizes<q8_0, 2, 8>("q8_0");
  check_sizes<q4_k, 4, 4>("q4_k");
  check_sizes<q6_k, 1, 8>("q6_k");
  check_sizes<nf4, 5, 8>("nf4");
}
