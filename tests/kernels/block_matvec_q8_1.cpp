#include <kernels/block_matvec_q8_1.hpp>

#include <cmath>
#include <string>

#include <tg/emulator/counters/counters.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/launch/launch_shape.hpp>

#include "blocks.hpp"
#include "q8_1_groups.hpp"

using namespace tg::kernels;

namespace {

template <class Check> void each_format(Check check) {
  blocks::each_format([&]<class Format>(Format own, std::string_view name) {
    if constexpr (!std::is_same_v<Format, nf4> && !std::is_same_v<Format, q8_1>) check(own, name);
  });
}

template <class Format, unsigned Vectors, unsigned Warps>
void check(std::string_view name, unsigned rows, unsigned columns, inputs::generator& random) {
  CAPTURE(std::string(name));
  CAPTURE(rows);
  CAPTURE(columns);
  tg::device gpu;
  const auto bytes = blocks::any<Format>(name, std::size_t{rows} * columns, random);
  const blocks::q8_1_groups x(std::size_t{Vectors} * columns, random);
  const auto on_w = gpu.upload(blocks::numbers(bytes));
  inputs::rows<std::int8_t> on_q(gpu, x.q, Vectors, columns, columns + 32);
  const auto on_ds = gpu.upload(x.ds);
  inputs::rows<float> on_y(gpu, Vectors, rows, rows + 3);
  gpu.launch(block_matvec_q8_1<Format, Vectors, Warps>, block_matvec_grid<Warps>(rows),
             tg::matrix(on_w, rows, block_numbers<Format>(columns)), on_q.matrix(), tg::matrix(on_ds, Vectors, columns / 32),
             on_y.matrix(), rows, columns);
  const auto y = on_y.to_host();
  // Four roundings of a product; four additions for each turn of a lane; the join of two sums; additions of lanes and of warps.
  const double roundings = 4 + 4 * std::ceil(std::ceil(columns / 1024.0) / Warps) + 1 + 5 + Warps;
  for (unsigned b = 0; b < Vectors; ++b)
    for (unsigned r = 0; r < rows; ++r) {
      double wanted = 0, size = 0;
      for (unsigned j = 0; j < columns; ++j) {
        const std::size_t i = std::size_t{r} * columns + j;
        const double by = x.number(std::size_t{b} * columns + j);
        const auto w = blocks::weight<Format>(name, bytes, i);
        wanted += w.value * by;
        size += (w.size + 2 * blocks::distance_of_zero<Format>(name, bytes, i)) * std::abs(by);
      }
      CHECK(std::abs(y[std::size_t{b} * rows + r] - wanted) <= roundings * 1.001 * inputs::unit_roundoff * size);
    }
}

template <class Format, unsigned Vectors = 1, unsigned Warps = 1> void check_sizes(std::string_view name) {
  inputs::generator random;
  INFO("seed ", random.seed);
  constexpr unsigned v = Format::values;
  for (const unsigned columns :
       {v, 512 - v, 512u, 512 + v, 1024 - v, 1024 * Warps, 1024 * Warps + v, 1024 * Warps + 512, 37 * v})
    check<Format, Vectors, Warps>(name, 3, columns, random);
  for (const unsigned rows : {1u, 8 / Warps - (Warps < 8), 8 / Warps, 8 / Warps + 1, 19u})
    check<Format, Vectors, Warps>(name, rows, 2 * v, random);
}

}  // namespace

TEST_CASE("products of bytes with weights of each format") {
  each_format([]<class Format>(Format, std::string_view name) { check_sizes<Format>(name); });
}

TEST_CASE("vectors of Q8_1 at once, and warps for a row") {
  check_sizes<q4_0, 8>("q4_0");
  check_sizes<q5_1, 3, 2>("q5_1");
  check_sizes<q8_0, 2, 8>("q8_0");
  check_sizes<q4_k, 4, 4>("q4_k");
  check_sizes<q6_k, 1, 8>("q6_k");
}

TEST_CASE("few instructions for each weight") {
  tg::device gpu;
  if (!gpu.is_emulated()) return;
  // The lanes of a warp stay together: with a seed, the emulator also runs a part of them ahead.
  const tg::emulator::options before = tg::emulator::launch_options();
  tg::emulator::options together = before;
  together.seed = 0;
  tg::emulator::set_launch_options(together);
  each_format([&]<class Format>(Format, std::string_view name) {
    inputs::generator random;
    const unsigned rows = 8, columns = 16 * 1024;
    const auto w = gpu.upload(blocks::numbers(blocks::any<Format>(name, rows * columns, random)));
    const blocks::q8_1_groups x(columns, random);
    const auto q = gpu.upload(x.q);
    const auto ds = gpu.upload(x.ds);
    auto y = gpu.zeros<float>(rows);
    tg::emulator::count_launches(true);
    gpu.launch(block_matvec_q8_1<Format>, block_matvec_grid(rows), tg::matrix(w, rows, block_numbers<Format>(columns)),
               tg::matrix(q, 1, columns), tg::matrix(ds, 1, columns / 32), tg::matrix(y, 1, rows), rows, columns);
    gpu.synchronize();
    tg::emulator::count_launches(false);
    double executed = 0;
    for (const auto& i : tg::emulator::counters_of_last_launch().instructions) executed += static_cast<double>(i.executions);
    const double each = 32 * executed / (rows * columns);
    MESSAGE(std::string(name), ": ", each, " instructions for each weight");
    CHECK(each <= (name.starts_with("q5") || name == "q6_k" ? 5.6 : 4.2));
  });
  tg::emulator::set_launch_options(before);
}
