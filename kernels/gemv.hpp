// y = alpha A x + beta y for a row-major matrix A, and with A transposed, for one matrix or a batch.
//
//   gemv              some lanes, a warp, or a block for each row: each lane takes 16 bytes of the row at a time
//   gemv_transposed   a block for 128 bytes of columns and a part of the rows
//
//   lane  r1 r0 c2 c1 c0   of gemv_transposed reads 16 bytes of row 4 * warp + r, so that a warp reads 4 lines
//
// A tall matrix has few columns, so blocks must share its rows. Parts of the sums go through memory and the last block of a
// column adds them in their order: atomics would save that memory, but floats would be added in another order each time.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tg/dsl.hpp>
#include <tg/dsl/block/block_reduce.hpp>
#include <tg/dsl/block/block_vote.hpp>
#include <tg/dsl/flow/unroll_by.hpp>
#include <tg/dsl/memory/scoped_atomic.hpp>
#include <tg/dsl/memory/vec_at.hpp>
#include <tg/dsl/vector/vec_cast.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// What sums of T are kept in: double for double, float for all others.
template <class T> using gemv_sum = std::conditional_t<std::is_same_v<T, double>, double, float>;
/// Elements of T in 16 bytes. Rows of matrices and of x begin at multiples of this.
template <class T> inline constexpr unsigned gemv_step = 16 / sizeof(T);
/// Rows that a block of `gemv<T, Lanes>` takes.
template <unsigned Lanes> inline constexpr unsigned gemv_rows = 256 / Lanes;
/// Columns that a block of `gemv_transposed<T>` takes: 128 bytes.
template <class T> inline constexpr unsigned gemv_columns = 8 * gemv_step<T>;

namespace detail {

/// Rows of a tile in which column c of a block lies at c % step * pitch + c / step, so that neither neighbouring columns nor
/// columns `step` apart meet a bank twice.
template <class T> inline constexpr unsigned gemv_pitch = gemv_step<T> == 8 ? 12 : 8;

/// y(b, i) becomes alpha * sum + beta * y(b, i). Where beta is 0, y is not read.
template <class T, class Y, class B, class I, class Scale>
void update_element(const Y& y, const B& b, const I& i, const tg::value<gemv_sum<T>>& sum, const Scale& alpha,
                    const Scale& beta) {
  using S = gemv_sum<T>;
  tg::var<S> all = alpha * sum;
  tg::if_(beta != S{0}, [&] { all = tg::fma(beta, tg::cast<S>(y(b, i)), all); });
  y(b, i) = tg::cast<T>(all);
}

}  // namespace detail

/// y(b, r) = alpha * sum of a(b * rows + r, j) * x(b, j) + beta * y(b, r), over j < columns, for rows r of matrix b of a batch
/// whose matrices lie below each other. `Lanes` lanes for each row: a power of two up to 32, or 256 for few long rows. T:
/// float, double, f16, bf16. Launch with `gemv_grid<Lanes>(rows, batch)`.
/// Requires: batch * rows < 2^32; columns + 256 * `gemv_step<T>` < 2^32.
/// Units: sums in `gemv_sum<T>`, one rounding to T. y is not read where beta is 0.
/// Cost: reads a once, 16 bytes per lane.
template <class T, unsigned Lanes = 32>
inline constexpr auto gemv = tg::kernel<"gemv">(tg::block<256>, [](auto block, tg::in2<T, tg::multiple_of<gemv_step<T>>> a,
                                                                   tg::in2<T, tg::multiple_of<gemv_step<T>>> x, tg::inout2<T> y,
                                                                   tg::scalar<gemv_sum<T>> alpha, tg::scalar<gemv_sum<T>> beta,
                                                                   tg::scalar<unsigned> rows, tg::scalar<unsigned> columns) {
  static_assert(Lanes == 256 || Lanes == 32 || Lanes == 16 || (Lanes == 8 && sizeof(T) >= 4), "gemv: 8, 16, 32 or 256 lanes");
  using S = gemv_sum<T>;
  constexpr auto step = constant<gemv_step<T>>{};
  constexpr auto lanes = constant<Lanes>{};
  const auto batch = block.index.y;
  const auto lane = tg::let(block.thread.x % lanes);
  const auto row = tg::let(block.index.x * constant<gemv_rows<Lanes>>{} + block.thread.x / lanes);
  tg::var<S> own = S{0};
  tg::if_(row < rows, [&] {
    const auto from = tg::let(batch * rows + row);
    const auto steps = tg::let(columns / step);
    tg::unroll_by<4>(tg::range(lane, steps, lanes), [&](auto i) {
      const auto left = tg::cast<S>(tg::vec_at<gemv_step<T>>(a, from, i * step).get());
      const auto right = tg::cast<S>(tg::vec_at<gemv_step<T>>(x, batch, i * step).get());
      tg::unroll<gemv_step<T>>([&](auto k) { own = tg::fma(left(k), right(k), own); });
    });
    tg::for_(tg::range(steps * step + lane, columns, lanes),
             [&](auto j) { own = tg::fma(tg::cast<S>(a(from, j)), tg::cast<S>(x(batch, j)), own); });
  });
  const auto sum = [&] {
    if constexpr (Lanes == 256) return block_sum(block, own);
    else return block.warp().sum(own, lanes);
  }();
  tg::if_(lane == 0u && row < rows, [&] { detail::update_element<T>(y, batch, row, sum, alpha, beta); });
});

/// Blocks for `gemv<T, Lanes>`. Requires: batch < 65536.
template <unsigned Lanes = 32>
constexpr auto gemv_grid(unsigned rows, unsigned batch = 1, source_location where = source_location::current()) {
  return tg::grid((rows + gemv_rows<Lanes> - 1) / gemv_rows<Lanes>, batch, where);
}

/// y(b, c) = alpha * sum of a(b * rows + r, c) * x(b, r) + beta * y(b, c), over r < rows, for columns c of matrix b of a batch
/// whose matrices lie below each other. Launch with `gemv_transposed_grid<T>(columns, parts, batch)`: each part takes its share
/// of the rows.
/// Requires: `partial` has batch * parts rows of `columns` elements; `tickets` has an element for each block of columns of each
/// matrix, `gemv_tickets<T>(columns, batch)`, all 0 before the launch, and so after it; batch * rows + 32 < 2^32.
/// Units: as `gemv`. The order of additions depends on rows and parts alone.
/// Cost: reads a once, 16 bytes per lane; writes and reads `partial` once.
template <class T>
inline constexpr auto gemv_transposed = tg::kernel<"gemv_transposed">(
    tg::block<256>, [](auto block, tg::in2<T, tg::multiple_of<gemv_step<T>>> a, tg::in2<T> x, tg::inout2<T> y,
                       tg::inout2<gemv_sum<T>> partial, tg::inout<unsigned> tickets, tg::scalar<gemv_sum<T>> alpha,
                       tg::scalar<gemv_sum<T>> beta, tg::scalar<unsigned> rows, tg::scalar<unsigned> columns) {
      using S = gemv_sum<T>;
      constexpr auto step = constant<gemv_step<T>>{};
      constexpr auto width = constant<gemv_columns<T>>{};
      constexpr auto pitch = constant<detail::gemv_pitch<T>>{};
      constexpr auto room = constant<gemv_step<T> * detail::gemv_pitch<T>>{};
      const auto warp = block.warp();
      const auto thread = block.thread.x;
      const auto batch = block.index.z;
      const auto parts = block.grid.y;
      const auto first = tg::let(block.index.x * width);
      const auto share = tg::let((rows + parts - 1u) / parts);
      const auto begin = tg::let(tg::min(block.index.y * share, rows));
      const auto end = tg::let(tg::min(begin + share, rows));

      const auto of_warps = tg::shared<S>(tg::shape<8, room.value>);
      tg::unroll<(room.value + 31) / 32>(
          [&](auto k) { tg::if_(k * 32_c + warp.lane < room, [&] { of_warps(warp.index, k * 32_c + warp.lane) = S{0}; }); });
      block.sync();
      tg::regs<S, int(gemv_step<T>)> own = S{0};
      const auto rows_of = [&](auto lanes) { return tg::range(begin + thread / lanes, end, constant<256 / lanes.value>{}); };
      const auto keep = [&](auto lanes, auto place) {
        tg::unroll<width.value / lanes.value>([&](auto k) {
          tg::var<S> all = tg::let(own(k));
          for (unsigned distance = lanes.value; distance < 32; distance *= 2) all += warp.shuffle_xor(all, distance);
          tg::if_(warp.lane < lanes, [&] { of_warps(warp.index, place(k)) = all; });
        });
      };
      tg::if_(first + width <= columns, [&] {
        tg::unroll_by<4>(rows_of(8_c), [&](auto r) {
          const auto factor = tg::let(tg::cast<S>(x(batch, r)));
          const auto read = tg::cast<S>(tg::vec_at<gemv_step<T>>(a, batch * rows + r, first + thread % 8_c * step).get());
          tg::unroll<gemv_step<T>>([&](auto k) { own(k) = tg::fma(read(k), factor, own(k)); });
        });
        keep(8_c, [&](auto k) { return k * pitch + warp.lane; });
      }).else_([&] {
        // At the edge of the matrix, elements one by one, and at least 32 bytes of each row.
        constexpr auto lanes = constant<(sizeof(T) == 2 ? 16 : 8)>{};
        tg::for_(rows_of(lanes), [&](auto r) {
          const auto factor = tg::let(tg::cast<S>(x(batch, r)));
          tg::unroll<width.value / lanes.value>([&](auto k) {
            const auto column = tg::let(first + k * lanes + thread % lanes);
            tg::if_(column < columns, [&] { own(k) = tg::fma(tg::cast<S>(a(batch * rows + r, column)), factor, own(k)); });
          });
        });
        keep(lanes, [&](auto k) { return (k * lanes + warp.lane) % step * pitch + (k * lanes + warp.lane) / step; });
      });
      block.sync();
      const auto own_column = tg::let(first + thread);
      const auto writes = tg::let(thread < width && own_column < columns);
      tg::if_(writes, [&] {
        tg::var<S> sum = S{0};
        tg::unroll<8>([&](auto w) { sum += of_warps(w, thread % step * pitch + thread / step); });
        partial(batch * parts + block.index.y, own_column) = sum;
      });
      block.sync();
      tg::var<bool> is_last = false;
      tg::if_(thread == 0u, [&] {
        const auto last = parts - 1u;
        is_last = tg::atomic_increment<tg::order::acq_rel>(tickets(batch * block.grid.x + block.index.x), last) == last;
      });
      tg::if_(tg::block_any(block, is_last) && writes, [&] {
        tg::var<S> sum = S{0};
        tg::for_(tg::range(parts), [&](auto p) { sum += partial(batch * parts + p, own_column); });
        detail::update_element<T>(y, batch, own_column, sum.get(), alpha, beta);
      });
    });

/// Blocks for `gemv_transposed<T>`. Requires: parts and batch < 65536.
template <class T>
constexpr auto gemv_transposed_grid(unsigned columns, unsigned parts, unsigned batch = 1,
                                    source_location where = source_location::current()) {
  return tg::grid((columns + gemv_columns<T> - 1) / gemv_columns<T>, parts, batch, where);
}
/// Elements of `tickets` of `gemv_transposed<T>`.
template <class T> constexpr unsigned gemv_tickets(unsigned columns, unsigned batch = 1) {
  return (columns + gemv_columns<T> - 1) / gemv_columns<T> * batch;
}
/// Parts of the rows that give each multiprocessor eight blocks, as far as each part has 128 rows.
template <class T>
constexpr unsigned gemv_parts(unsigned rows, unsigned columns, unsigned multiprocessors, unsigned batch = 1) {
  const std::uint64_t wanted = std::uint64_t{8} * multiprocessors / std::max(1u, gemv_tickets<T>(columns, batch));
  return static_cast<unsigned>(std::clamp<std::uint64_t>(wanted, 1, std::max(1u, rows / 128)));
}

}  // namespace tg::kernels
