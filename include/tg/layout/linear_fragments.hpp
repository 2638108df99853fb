// Fragments of matrix instructions as linear maps: the operands and sums of mma.sync, the registers of ldmatrix and stmatrix,
// the sums of wgmma and its A in registers. Input bits count elements, not 32-bit registers.
//
// Source: PTX ISA 9.0, "Matrix Fragments for mma.m16n8k16" and its neighbours, "ldmatrix", "stmatrix", "Register Fragments and
// Shared Memory Matrix Layouts" of wgmma.
#pragma once

#include <tg/layout/fragment_layout.hpp>
#include <tg/layout/thread_layout.hpp>

namespace tg {

/// `layout` of `lines` x `steps` as a linear map; lines are rows, as of A and of sums, or columns, as of B.
/// Requires: extents that are powers of two, as those of every digit are.
constexpr thread_layout to_thread_layout(const fragment_layout& layout, int lines, int steps, bool lines_are_rows = true) {
  const auto bits_of = [](int n) { return std::bit_width(static_cast<unsigned>(n)) - 1; };
  const int line_bits = static_cast<int>(bits_of(lines)), step_bits = static_cast<int>(bits_of(steps));
  thread_layout out{{0, line_bits + step_bits}, 0, 0, step_bits};
  const auto add = [&](const auto& digits) {
    for (const fragment_digit& d : digits)
      for (int by = 1; by < d.extent; by *= 2)
        out.map.add_input(static_cast<std::uint32_t>(d.line * by) << step_bits | static_cast<std::uint32_t>(d.step * by));
  };
  add(layout.element);
  out.register_bits = out.map.inputs;
  add(layout.lane);
  return lines_are_rows ? out : out.transposed();
}

/// A of mma.sync: `m` x `k`, `packed` elements in a register.
constexpr thread_layout make_a_layout(int m, int k, int packed) {
  return to_thread_layout(make_fragment_layout(m, k, packed), m, k);
}
/// B of mma.sync: `k` x `n`.
constexpr thread_layout make_b_layout(int k, int n, int packed) {
  return to_thread_layout(make_fragment_layout(n, k, packed), n, k, false);
}
/// Sums of mma.sync: `m` x `n`.
constexpr thread_layout make_sum_layout(int m, int n) { return to_thread_layout(make_fragment_layout(m, n, 2), m, n); }

/// The four warps of a warpgroup, 16 rows each, below each other.
constexpr thread_layout with_warps_of_group(const thread_layout& of_warp) {
  thread_layout out = of_warp;
  out.warp_bits = 2;
  out.map.outputs += 2;
  out.map.add_input(std::uint32_t{1} << of_warp.map.outputs);
  out.map.add_input(std::uint32_t{2} << of_warp.map.outputs);
  return out;
}
/// The sums of wgmma. Where `n` is no power of two it is of the next one, of which n / 2 registers are there.
constexpr thread_layout make_group_sum_layout(int n) {
  return with_warps_of_group(make_sum_layout(16, static_cast<int>(std::bit_ceil(static_cast<unsigned>(n)))));
}
/// A of wgmma in registers: 64 x `k`.
constexpr thread_layout make_group_a_layout(int k, int packed) { return with_warps_of_group(make_a_layout(16, k, packed)); }

/// What ldmatrix gives and stmatrix takes: 1, 2 or 4 matrices of 8 x 8 elements of 16 bits, one below the other; two elements
/// in a register, one register for each matrix. Each matrix may be transposed.
constexpr thread_layout make_matrix_rows_layout(int matrices, bool is_transposed) {
  constexpr int column_bits = 3;
  const auto along = [](int step) { return static_cast<std::uint32_t>(step); };
  const auto down = [](int line) { return static_cast<std::uint32_t>(line) << column_bits; };
  const auto place = [&](int line, int step) { return is_transposed ? down(step) | along(line) : down(line) | along(step); };
  thread_layout out{{0, 2 * column_bits}, 0, 0, column_bits};
  out.map.add_input(place(0, 1));
  for (int m = 1; m < matrices; m *= 2) {
    out.map.add_input(down(8 * m));
    ++out.map.outputs;
  }
  out.register_bits = out.map.inputs;
  for (const int step : {2, 4}) out.map.add_input(place(0, step));
  for (const int line : {1, 2, 4}) out.map.add_input(place(line, 0));
  return out;
}

// mma.m8n8k4 of f16 is four products, of the lanes whose number / 4 % 4 is the same; their matrices stand below each other.
// Source: PTX ISA 9.0, "Matrix Fragments for mma.m8n8k4 with .f16 floating point type".

/// A of the four products, 8 x 4 each.
constexpr thread_layout make_quad_pair_a_layout(bool by_row) {
  if (by_row) return {{7, 7, {1, 2, 4, 8, 32, 64, 16}}, 2, 0, 2};
  return {{7, 7, {4, 8, 1, 2, 32, 64, 16}}, 2, 0, 2};
}
/// B, 4 x 8 each.
constexpr thread_layout make_quad_pair_b_layout(bool by_row) {
  if (by_row) return {{7, 7, {1, 2, 8, 16, 32, 64, 4}}, 2, 0, 3};
  return {{7, 7, {8, 16, 1, 2, 32, 64, 4}}, 2, 0, 3};
}
/// Sums, 8 x 8 each, which lie in other places where they are f16.
constexpr thread_layout make_quad_pair_sum_layout(bool is_f16) {
  if (is_f16) return {{8, 8, {1, 2, 4, 8, 16, 64, 128, 32}}, 3, 0, 3};
  return {{8, 8, {1, 16, 4, 8, 2, 64, 128, 32}}, 3, 0, 3};
}

}  // namespace tg
