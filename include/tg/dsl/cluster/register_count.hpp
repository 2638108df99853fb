// Registers that a warpgroup gives back or asks for while the kernel runs.
#pragma once

#include <tg/dsl/block/block.hpp>

namespace tg {

namespace diagnosis {

/// In a compile error: the registers that were asked for.
template <int> struct wanted_registers {};

template <bool Ok, class Facts = void> struct register_count {
  static_assert(Ok, "TG199: setmaxnreg takes 24 to 256 registers, a multiple of 8, in a block of whole warpgroups");
};

}  // namespace diagnosis

namespace detail {

void set_registers(ptx::token direction, int count, source_location where);

template <int N, class Shape> void change_registers(ptx::token direction, source_location where) {
  constexpr bool fits = N >= 24 && N <= 256 && N % 8 == 0 && Shape::threads % 128 == 0;
  using found = diagnosis::register_count<fits, diagnosis::types<diagnosis::wanted_registers<N>, Shape>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) set_registers(direction, N, where);
}

}  // namespace detail

/// The threads of this warpgroup go on with `N` registers each, no more than before, and give back the others.
/// Requires: called by all warps of a warpgroup; the block has a bound of registers, `tg::min_blocks<1>` or
/// `tg::max_registers<N>`, without which ptxas leaves the instruction out. Errors: TG199.
/// PTX: setmaxnreg.dec; sm_90a. Source: PTX ISA 9.0, "setmaxnreg".
template <int N, class Shape>
void lower_registers(const block_handle<Shape>&, source_location where = source_location::current()) {
  detail::change_registers<N, Shape>(ptx::token::dec, where);
}
/// They wait until `N` registers each are there, no fewer than before. Errors: TG199. PTX: setmaxnreg.inc; sm_90a.
template <int N, class Shape>
void raise_registers(const block_handle<Shape>&, source_location where = source_location::current()) {
  detail::change_registers<N, Shape>(ptx::token::inc, where);
}

}  // namespace tg
