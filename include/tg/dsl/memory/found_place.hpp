// Where elements of views and tiles are and what their accesses cost, found by functions of plain data: a type makes the data,
// and the functions are compiled once.
#pragma once

#include <tg/analysis/advice.hpp>
#include <tg/dsl/memory/judge.hpp>
#include <tg/dsl/memory/view_options.hpp>

namespace tg::detail {

/// How the stride of a dimension is passed: that of rows in 32 bits, so that a product with an index is one instruction,
/// those of outer dimensions in 64.
constexpr ptx::token stride_type(int rank, int dimension) { return dimension + 2 == rank ? ptx::token::u32 : ptx::token::u64; }

/// The parameters of a view: its base, which is returned, and the strides that its type does not know, from the rows outwards.
ptx::operand load_view(tracer& t, const view_facts& facts, int element_bytes, ptx::operand* strides);

/// A view as a kernel is given it.
struct view_registers {
  const view_facts* facts;
  int number;  // among the kernel's parameters
  ptx::operand base;
  const ptx::operand* strides;  // in bytes, outermost first; none for those that the type knows
};

/// Where the element at these indices is. `at`: one for each dimension.
ptx::operand view_address(const view_registers& view, int element_bytes, const index_operand* at);

/// Where elements of a view are, and what their access costs. Errors: TG202, TG203.
place find_in_view(const view_registers& view, const access_facts<analysis::global_cost>& known, ptx::token cache,
                   const index_operand* at, source_location where, const char* reason);

/// The layout of a tile as numbers.
struct tile_layout {
  const int* pitches;  // how many elements neighbours along each dimension are apart
  const int* extents;  // how many elements each dimension has
  int rank;
  const analysis::swizzle_bits* terms;  // of a swizzle
  int term_count;
};

/// A tile's variable in shared memory, and its address in a register.
struct tile_registers {
  ptx::operand variable;
  ptx::operand base;
};

/// A tile of so many bytes, which the statement on this line makes. Errors: TG123, TG124.
tile_registers make_tile(std::int64_t bytes, source_location where);

/// The index of an element of a tile: the sum of index * pitch, of each dimension but the last, whose pitch is 1. `gathered`:
/// of what is gathered in it, as if all else were 0, a divisor; 0 where nothing is.
recorded_index to_linear(const index_operand* at, int rank, const ptx::operand* pitches, std::int64_t gathered);

/// The index of an element of a tile after the layout.
recorded_index to_physical(const tile_layout& layout, const index_operand* at, std::int64_t gathered);

/// The address of element `index` of what begins at `base` in shared memory.
ptx::operand address_from(const ptx::operand& base, int element_bytes, const ptx::operand& index);

/// The address of element `index` after the layout.
ptx::operand tile_address(const tile_registers& tile, int element_bytes, const ptx::operand& index);

/// Where elements of a tile are, and what their access costs. Errors: TG119 for a C++ number outside of its dimension, TG201,
/// TG203.
place find_in_tile(const tile_layout& layout, const tile_registers& tile, const access_facts<analysis::shared_cost>& known,
                   const index_operand* at, std::int64_t gathered, source_location where, const char* reason);

}  // namespace tg::detail
