#include <kernels/block_swiglu.hpp>

#include <cmath>
#include <string>

#include "blocks.hpp"

using namespace tg::kernels;

namespace {

/// A row times a vector: the sum, and how far off a sum of floats may be.
struct product { double value = 0, bound = 0; };

template <class Format>
product row_times(std::string_view name, const std::vector<std::uint8_t>& bytes, const float* x, unsigned columns, unsigned row,
                  double roundings) {
  product out;
  for (unsigned j = 0; j < columns; ++j) {
    const auto w = blocks::weight<Format>(name, bytes, std::size_t{row} * columns + j);
    out.value += w.value * x[j];
    out.bound += w.size * std::abs(x[j]);
  }
  out.bound *= roundings * 1.001 * inputs::unit_roundoff;
  return out;
}

template <class Format, unsigned Vectors, unsigned Warps>
void check(std::string_view name, unsigned rows, unsigned columns, inputs::generator& random) {
  CAPTURE(std::string(name));
  CAPTURE(rows);
  CAPTURE(columns);
  tg::device gpu;
  const auto gate = blocks::any<Format>(name, std::size_t{rows} * columns, random);
  const auto up = blocks::any<Format>(name, std::size_t{rows} * columns, random);
  const auto x = random.floats(std::size_t{Vectors} * columns);
  const auto on_gate = gpu.upload(blocks::numbers(gate)), on_up = gpu.upload(blocks::numbers(up));
  inputs::rows<float> on_x(gpu, x, Vectors, columns, columns + 4), on_y(gpu, Vectors, rows, rows + 3);
  const unsigned numbers = block_numbers<Format>(columns);
  gpu.launch(block_swiglu<Format, Vectors, Warps>, block_matvec_grid<Warps>(rows), tg::matrix(on_gate, rows, numbers),
             tg::matrix(on_up, rows, numbers), on_x.matrix(), on_y.matrix(), rows, columns);
  const auto y = on_y.to_host();
  // As of one product (block_matvec.cpp).
  const double roundings = 2 + 8 * std::ceil(std::ceil(columns / 256.0) / Warps) + 5 + Warps;
  for (unsigned b = 0; b < Vectors; ++b)
    for (unsigned r = 0; r < rows; ++r) {
      const float* own = &x[std::size_t{b} * columns];
      const auto g = row_times<Format>(name, gate, own, columns, r, roundings);
      const auto u = row_times<Format>(name, up, own, columns, r, roundings);
      const double silu = g.value / (1 + std::exp(-g.value));
      // The slope of silu is below 1.1; silu itself is within 4 ulp, which are 8 roundings, and a product is one.
      const double of_silu = 1.1 * g.bound + 8 * inputs::unit_roundoff * (std::abs(silu) + 1.1 * g.bound) + 0x1p-126;
      const double bound = of_silu * (std::abs(u.value) + u.bound) + std::abs(silu) * u.bound +
                           inputs::unit_roundoff * std::abs(silu * u.value) + 0x1p-126;
      CHECK(std::abs(y[std::size_t{b} * rows + r] - silu * u.value) <= 1.001 * bound);
    }
}

template <class Format, unsigned Vectors = 1, unsigned Warps = 1> void check_sizes(std::string_view name) {
  inputs::generator random;
  INFO("seed ", random.seed);
  constexpr unsigned v = Format::values;
  for (const unsigned columns : {v, 512u, 256 * Warps + v, 13 * v}) check<Format, Vectors, Warps>(name, 3, columns, random);
  for (const unsigned rows : {1u, 8 / Warps - (Warps < 8), 8 / Warps, 8 / Warps + 1, 19u})
    check<Format, Vectors, Warps>(name, rows, 2 * v, random);
}

}  // namespace

TEST_CASE("gated products of two matrices of each format") {
  blocks::each_format([]<class Format>(Format, std::string_view name) { check_sizes<Format>(name); });
}

TEST_CASE("gated products of vectors at once, and warps for a row") {
  check_sizes<q4_1, 8>("q4_1");
  check_sizes<q5_0, 1, 8>("q5_0");
  check_sizes<q4_k, 3, 2>("q4_k");
}
