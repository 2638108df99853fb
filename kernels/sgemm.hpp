// C = epilogue(A * B) in float arithmetic, for row-major matrices of any size.
//
//   block    256 threads own 128 x Columns of C; two stages of 8 along k: one is multiplied while the next is copied
//   warp     64 columns, and as many rows as 8 warps leave each other
//   thread   every fourth row of its warp, and two runs of 4 columns
//
//   lane  r1 s2 s1 s0 r0   reads A(r + 4 * i, k .. k + 3), which 8 lanes share,
//   bit    4  3  2  1  0   and B(k, 4 * s + 32 * h ..), which 4 lanes share
//
// A stays as it lies in memory, so that both matrices are copied 16 bytes at a time, and no read meets a bank twice.
// Lanes whose numbers differ in bit 0 share B, in bit 1 A: 16 bytes per lane then take two cycles, not four.
// Source: NVIDIA developer forum, "Unexpected shared memory bank conflict", on pairs of threads with one address.
#pragma once

#include <kernels/tiled_body.hpp>
#include <tg/dsl.hpp>
#include <tg/dsl/async/copy_tile.hpp>
#include <tg/dsl/async/fill_groups.hpp>
#include <tg/dsl/async/stages.hpp>
#include <tg/dsl/kernel/launch_bounds.hpp>
#include <tg/dsl/memory/vec_at.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Rows and columns of C that a block of `sgemm` makes.
struct sgemm_extents {
  int rows = 128, columns = 128;

  friend constexpr bool operator==(const sgemm_extents&, const sgemm_extents&) = default;
};

/// The element of C that an epilogue makes.
template <class C, class Row, class Column> struct sgemm_place {
  C c;
  Row row;
  Column column;

  sgemm_place(C c, Row row, Column column) : c(c), row(row), column(column) {}

  /// What C held before. An epilogue that does not ask does not read C.
  auto old() const { return c(row, column).get(); }
};

namespace detail {

template <int Rows, int Columns> struct sgemm_tile {
  static_assert(Rows == 128 && (Columns == 128 || Columns == 256), "sgemm<Rows, Columns> requires 128 x 128 or 128 x 256");
  static constexpr int depth = 8;
  static constexpr int threads = 256;
  static constexpr int warps_across = Columns / 64;
  static constexpr int warp_rows = Rows * warps_across / 8;
  static constexpr int thread_rows = warp_rows / 4;
  static constexpr int blocks = thread_rows == 8 ? 2 : 1;  // on a multiprocessor
};

/// sum += A * B for the rows and columns of one thread, over a stage of 8 along k.
template <int ThreadRows, class A, class B, class Row, class Column>
void multiply_stage(tg::regs<float, ThreadRows, 8>& sum, const A& a, const B& b, const Row& row, const Column& column) {
  for (int half = 0; half < 8; half += 4) {
    const auto at = [&](int k, int h) {
      return tg::vec_at<4>(b, tg::uniform(half + k), column + tg::uniform<32>(32 * h)).get();
    };
    const tg::vec<float, 4> right[] = {at(0, 0), at(0, 1), at(1, 0), at(1, 1), at(2, 0), at(2, 1), at(3, 0), at(3, 1)};
    for (int i = 0; i < ThreadRows; ++i) {
      const auto left = tg::vec_at<4>(a, row + tg::uniform<4>(4 * i), tg::uniform<4>(half)).get();
      for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 8; ++j) {
          const auto& four = right[2 * k + j / 4];
          sum(i, j) = tg::fma(left(k), four(j % 4), sum(i, j));
        }
    }
  }
}

}  // namespace detail

/// A kernel (a, b, c, m, n, k, extra...) that writes epilogue(sum, place, extra...) to each element of c, where a is
/// m x k, b is k x n and c is m x n. Launch with `sgemm_grid(kernel, m, n)`.
/// Shapes: 128 x 128 for results that fill the device only so, 128 x 256 for larger ones. `Leading` is the contract of
/// the leading dimensions of a and b: `multiple_of<4>` copies 16 bytes at a time, `multiple_of<1>` takes any.
/// Requires: m, n, k and the leading dimensions leave 256 below 2^32, the matrices have less than 2^32 elements.
/// Units: the sum is within k * 2^-24 * (|A| * |B|) of the exact one.
/// Example: sgemm<128, 256, tg::multiple_of<4>, tg::in<float>>(
///              [](auto sum, auto at, auto bias) { return sum + bias(at.column); })
template <int Rows, int Columns, class Leading = tg::multiple_of<4>, class... Extra, class Epilogue>
constexpr auto sgemm(Epilogue epilogue) {
  using own = detail::sgemm_tile<Rows, Columns>;
  return tg::kernel<"sgemm">(
      tg::block<own::threads> | tg::min_blocks<own::blocks>,
      with_tile<sgemm_extents{Rows, Columns}>([epilogue](auto block, tg::in2<float, Leading> a, tg::in2<float, Leading> b,
                                                         tg::inout2<float> c, tg::scalar<unsigned> m, tg::scalar<unsigned> n,
                                                         tg::scalar<unsigned> k, Extra... extra) {
        constexpr constant<own::depth> depth{};
        const auto warp = block.warp();
        const auto top = tg::let(block.index.y * constant<Rows>{});
        const auto left = tg::let(block.index.x * constant<Columns>{});
        const auto warp_row = tg::let(warp.index / constant<own::warps_across>{} * constant<own::warp_rows>{});
        const auto warp_column = tg::let(warp.index % constant<own::warps_across>{} * 64_c);
        const auto lane_row = tg::let(warp.lane / 16_c * 2_c + warp.lane % 2_c);
        const auto lane_column = tg::let(warp.lane / 2_c % 8_c * 4_c);

        auto a_ring = tg::stages<float, 2>(tg::shape<Rows, own::depth>);
        auto b_ring = tg::stages<float, 2>(tg::shape<own::depth, Columns>);
        const auto fetch = [&](const auto& part) {
          tg::copy_tile(block, a_ring.fill(part % 2_c), a, top, part * depth, m, k);
          tg::copy_tile(block, b_ring.fill(part % 2_c), b, part * depth, left, k, n);
        };

        tg::regs<float, own::thread_rows, 8> sum = 0.0f;
        const auto parts = tg::range((k + (depth - 1_c)) / depth);
        auto rest = tg::for_groups(parts, tg::fill_groups<1>(fetch), [&](auto part, auto groups) {
          auto ready = groups.wait();
          block.sync();
          const auto a_stage = a_ring.read(ready, part % 2_c);
          const auto b_stage = b_ring.read(ready, part % 2_c);
          fetch(part + 1_c);
          auto next = ready.commit();
          detail::multiply_stage(sum, a_stage, b_stage, warp_row + lane_row, warp_column + lane_column);
          return next;
        });
        (void)rest.wait();

        // Four rows at a time pass through shared memory, so that neighbouring lanes get neighbouring elements of C.
        const auto staged = tg::shared<float>(tg::shape<own::threads / 8, 64>, tg::pitch<80>);
        const auto own_row = tg::let(warp.index * 4_c);
        const auto first_row = tg::let(top + warp_row);
        const auto first_column = tg::let(left + warp_column + warp.lane);
        for (int i = 0; i < own::thread_rows; ++i) {
          for (int h = 0; h < 2; ++h)
            tg::vec_at<4>(staged, own_row + lane_row, lane_column + tg::uniform<32>(32 * h)) = sum.template vec<4>(i, 4 * h);
          warp.sync();
          const auto each = [&](auto body) {
            for (int e = 0; e < 8; ++e) {
              const auto across = tg::uniform<32>(e % 2 * 32);
              const auto row = tg::let(first_row + tg::uniform(4 * i + e / 2));
              const auto column = tg::let(first_column + across);
              tg::if_(row < m && column < n, [&] { body(e, across, sgemm_place(c, row, column)); });
            }
          };
          tg::regs<float, 8> result = 0.0f;
          each([&](int e, const auto& across, const auto& at) {
            result(e) = epilogue(staged(own_row + tg::uniform(e / 2), across + warp.lane).get(), at, extra...);
          });
          each([&](int e, const auto&, const auto& at) { c(at.row, at.column) = result(e); });
          warp.sync();
        }
      }));
}

/// Blocks for a result of m x n of a kernel that `sgemm` made, or of variants of one. Errors: TG165.
template <class Kernel>
constexpr auto sgemm_grid(const Kernel&, unsigned m, unsigned n, source_location where = source_location::current()) {
  using tile = tile_of_kernel<sgemm_extents, Kernel>;
  (void)sizeof(grid_of_a_kernel<tile::value, Kernel>);
  constexpr unsigned rows = tile::value_of.rows, columns = tile::value_of.columns;
  return tg::grid((n + columns - 1) / columns, (m + rows - 1) / rows, where);
}
/// The tile by numbers may be another than the kernel's. Errors: TG165.
template <auto... Numbers> constexpr auto sgemm_grid(unsigned m, unsigned n) {
  (void)sizeof(grid_of_a_kernel<(sizeof...(Numbers) > 2)>);
  return tg::grid(m, n);
}

}  // namespace tg::kernels
