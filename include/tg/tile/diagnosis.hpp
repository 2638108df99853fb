// What the C++ compiler says of tiles that are misused: one class template per finding.
#pragma once

#include <tg/dsl/verdict/diagnosis.hpp>

namespace tg::diagnosis {

/// In a compile error: rows and columns of a tile.
template <int Rows, int Columns> struct tile_extents {};

template <bool Ok, class Operands = void> struct tile_operands {
  static_assert(
      Ok, "TG138: elements of the host are no operand of tiles: pass a buffer of them to the kernel, and load a tile of it");
};
template <bool Ok, class Facts = void> struct fitting_tiles {
  static_assert(Ok, "TG602: tiles of one expression have the same rows and columns, or one row or column that stands for all");
};
template <bool Ok, class Facts = void> struct equally_spread {
  static_assert(Ok,
                "TG604: these tiles are spread over the threads in different ways; convert one with tg::spread_like(x, other)");
};
template <bool Ok, class Facts = void> struct fixed_tile {
  static_assert(Ok,
                "TG127: what tg::eval, tg::load, a reduction or an expression gives is fixed; make a tile that changes, with "
                "tg::zeros, tg::full_like_load or tg::full_per_row, and assign that");
};
template <bool Ok, class Facts = void> struct tile_that_changes {
  static_assert(Ok, "TG127: a tile that changes is no const: write auto sum = tg::zeros<float, 64, 64>(block), and [&] where a "
                    "lambda captures it");
};
template <bool Ok, class Facts = void> struct element_of_tile {
  static_assert(Ok, "TG116: a tile in registers has no element by row and column: each thread holds some; choose by "
                    "tg::where(tg::rows_of(x, 0) == 3u, ...), or reduce; x(k) is register k of this thread");
};
template <bool Ok, class Facts = void> struct tile_as_condition {
  static_assert(Ok, "TG114: C++ cannot ask a tile: choose elements by tg::where(condition, a, b), or ask once for a warp by "
                    "tg::if_(tg::any_in_warp(condition), [&] { ... })");
};
template <bool Ok, class Facts = void> struct stage_is_read {
  static_assert(Ok, "TG105: a stage of a pipeline is read only: name a tile that is computed from it, tg::eval(tg::tile_at<64, "
                    "64>(stage, 0_c, 0_c) * 2)");
};
template <bool Ok, class Facts = void> struct tile_of_rectangle {
  static_assert(Ok, "TG606: a rectangle in registers has a power of two of rows and columns; what reaches past the matrix is "
                    "zeros when it is read, and is not written");
};
template <bool Ok, class Facts = void> struct place_of_rectangle {
  static_assert(Ok,
                "TG109: the first row and column of a rectangle are whole numbers: 0_c, unsigned, or tg::cast<unsigned>(x)");
};
template <bool Ok, class Cost = void> struct sectors_of_rectangle {
  static_assert(Ok, "TG202: neighbouring threads do not reach neighbouring bytes of this rectangle: promise that rows begin at "
                    "multiples of 16 bytes, tg::in2<float, tg::multiple_of<4>>, of 16 bits 8, or cut more columns");
};
template <bool Ok, class Facts = void> struct rectangle_of_view {
  static_assert(Ok, "TG605: a rectangle is cut from a view whose extents are known: write tg::sized(view, rows, columns)");
};
template <bool Ok, class Facts = void> struct read_of_shared {
  static_assert(Ok, "TG605: tiles in shared memory are operands of tg::dot; in an expression, cut a rectangle: "
                    "tg::tile_at<rows, columns>(part, 0_c, 0_c)");
};
template <bool Ok, class Facts = void> struct known_spread {
  static_assert(Ok, "TG605: nothing here says how the tile is spread over the threads; name it with tg::load(block, x)");
};

template <bool Ok, class Facts = void> struct tile_product {
  static_assert(
      Ok,
      "TG607: tg::dot(a, b) needs as many columns of a as rows of b, of types that mma.sync multiplies; b lies in shared memory, "
      "by tg::pipeline or tg::to_shared; operands of 8 or 32 bits lie with their depth along the rows of memory: b as "
      "tg::transposed(x); floats lie both in shared memory, b as tg::transposed(x) in steps of 32; tg::in_registers takes a "
      "tile as it lies");
};
template <bool Ok, class Facts = void> struct product_spread {
  static_assert(
      Ok,
      "TG608: a product is summed where its sums lie: into tg::zeros<T, rows, columns>(scope) of these extents, T float, or "
      "int for integers; floats into a scope of tg::warps<R, C, tg::cuda_cores>(block), all others, for sm_90, into one that "
      "names no cores");
};

template <bool Ok, class Facts = void> struct left_in_registers {
  static_assert(
      Ok, "TG609: a left operand in registers has each row in one warp, as sums over tg::warps<N, 1>(block) have it; over "
          "warps beside each other, read it from shared memory: tg::tile_at<Rows, Depth>(part, 0_c, 0_c)");
};

}  // namespace tg::diagnosis
