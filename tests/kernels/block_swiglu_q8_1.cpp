#include <kernels/block_swiglu_q8_1.hpp>

#include <cmath>
#include <string>

#include "blocks.hpp"
#include "q8_1_groups.hpp"

using namespace tg::kernels;

namespace {

/// A row times activations: the sum, and how far off a sum of floats may be.
struct product { double value = 0, bound = 0; };

template <class Format>
product row_times(std::string_view name, const std::vector<std::uint8_t>& bytes, const blocks::q8_1_groups& x, unsigned columns,
                  unsigned row, unsigned vector, double roundings) {
  product out;
  for (unsigned j = 0; j < columns; ++j) {
    const std::size_t i = std::size_t{row} * columns + j;
    const double by = x.number(std::size_t{vector} * columns + j);
    const auto w = blocks::weight<Format>(name, bytes, i);
    out.value += w.value * by;
    out.bound += (w.size + 2 * blocks::distance_of_zero<Format>(name, bytes, i)) * std::abs(by);
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
  const blocks::q8_1_groups x(std::size_t{Vectors} * columns, random);
  const auto on_gate = gpu.upload(blocks::numbers(gate)), on_up = gpu.upload(blocks::numbers(up));
  inputs::rows<std::int8_t> on_q(gpu, x.q, Vectors, columns, columns + 32);
  const auto on_ds = gpu.upload(x.ds);
  inputs::rows<float> on_y(gpu, Vectors, rows, rows + 3);
  const unsigned numbers = block_numbers<Format>(columns);
  gpu.launch(block_swiglu_q8_1<Format, Vectors, Warps>, block_matvec_grid<Warps>(rows), tg::matrix(on_gate, rows, numbers),
             tg::matrix(on_up, rows, numbers), on_q.matrix(), tg::matrix(on_ds, Vectors, columns / 32), on_y.matrix(), rows,
             columns);
  const auto y = on_y.to_host();
  // As of one product (block_matvec_q8_1.cpp).
  const double roundings = 4 + 4 * std::ceil(std::ceil(columns / 1024.0) / Warps) + 1 + 5 + Warps;
  for (unsigned b = 0; b < Vectors; ++b)
    for (unsigned r = 0; r < rows; ++r) {
      const auto g = row_times<Format>(name, gate, x, columns, r, b, roundings);
      const auto u = row_times<Format>(name, up, x, columns, r, b, roundings);
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
  for (const unsigned columns : {v, 512u, 1024 - v, 1024 * Warps, 1024 * Warps + v, 37 * v})
    check<Format, Vectors, Warps>(name, 3, columns, random);
  for (const unsigned rows : {1u, 8 / Warps - (Warps < 8), 8 / Warps, 8 / Warps + 1, 19u})
    check<Format, Vectors, Warps>(name, rows, 2 * v, random);
}

}  // namespace

TEST_CASE("gated products of two quantised matrices") {
  check_sizes<q4_0>("q4_0");
  check_sizes<q5_1>("q5_1");
  check_sizes<q8_0>("q8_0");
  check_sizes<q4_k>("q4_k");
  check_sizes<q5_k>("q5_k");
  check_sizes<q6_k>("q6_k");
}

TEST_CASE("gated products of vectors at once, and warps for a row") {
  check_sizes<q4_1, 8>("q4_1");
  check_sizes<q5_0, 1, 8>("q5_0");
  check_sizes<q4_k, 3, 2>("q4_k");
}
