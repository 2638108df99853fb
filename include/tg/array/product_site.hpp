// Where the recorder of an expression's kernel and the tiles of a product of matrices meet: what is known of types is on one
// side, the expression around the product on the other.
#pragma once

#include <type_traits>

#include <tg/array/facts.hpp>
#include <tg/base/source_location.hpp>

namespace tg::detail {

class array_recorder;

/// What a block computes.
struct product_tile {
  int rows, columns;  // of the result
  int products;       // of the same left operand and different right ones
};
constexpr product_tile product_tile_of(product_form form) {
  return form == product_form::single ? product_tile{128, 128, 1} : product_tile{128, 64, 2};
}
/// Rows of tiles that take turns, so that blocks that run at the same time share operands in the second-level cache.
inline constexpr int product_band = 8;
/// What products of Ts are summed in.
template <class T> using sum_of_products = std::conditional_t<std::is_integral_v<T>, int, float>;
/// Threads of a block: floats are multiplied by CUDA cores.
template <class T> inline constexpr int product_threads = std::is_same_v<T, float> ? 256 : 128;
/// Whether tiles of these elements are multiplied that lie across the depth: 8-bit elements are not.
template <class T> inline constexpr bool has_products_across = sizeof(T) > 1;

/// One tile of a product, as the kernel that computes it is recorded. Numbers are registers of 32 bits.
struct product_site {
  array_recorder* recorder = nullptr;
  bool by_groups = false;  // products by warpgroups, for sm_90
  product_layout left_layout, right_layout;
  product_form form = product_form::single;
  bool is_left_along, is_right_along;     // of operands that are computed: neighbours in memory lie along the depth
  int left_number = 0, right_number = 0;  // among the kernel's arrays
  int other_number = 0;                   // of a pair: the other right operand
  ptx::operand left, right, other;        // where the operands begin, of those that are not computed
  ptx::operand left_pitch, right_pitch;   // bytes
  ptx::operand rows, columns, depth;      // of the product
  ptx::operand length;                    // how much of the depth this tile takes: all of it, or nothing
  ptx::operand down, across;              // the tile's number
  source_location where;
};

/// Records the kernel of one tile of a product of Ts. Defined in product_tiles.hpp.
template <class T> void record_product(const product_site& site);
/// An element of an operand that is computed: in this row of the left one, or column of a right one.
ptx::operand element_of_product(const product_site& site, product_operand which, const ptx::operand& along,
                                const ptx::operand& depth);
/// The rest of the kernel. `sums`: with `run` columns of the tile for each lane, register run * i + e of a thread is in row
/// `warps * i + warp` of the tile, in column `run * lane + e`; those of a pair's other product follow.
void finish_product(const product_site& site, const ptx::operand* sums);

}  // namespace tg::detail
