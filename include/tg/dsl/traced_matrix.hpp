// The verdict on ldmatrix and stmatrix while a kernel is recorded, and on blocks whose last warp is not full.
#pragma once

#include <string>

#include <tg/dsl/matrix_access.hpp>
#include <tg/dsl/tape.hpp>
#include <tg/dsl/traced_judgement.hpp>

namespace tg::detail {

inline void judge_traced_matrix(tracer& t, const ptx::operand& index, access& a, int matrices, int excused,
                                source_location where) {
  a.verdict = verdict::traced;
  tape& own = t.recorded();
  for (int w = 0; w < own.block.warps(); ++w) {
    const analysis::lane_value lanes = traced_index(own, w)(index);
    const auto cost = analysis::count_matrix_rows(lanes, a.element_bytes, matrices);
    if (!lanes.known || !cost.known) refuse_unknown_lanes(where);
    if (!analysis::is_aligned(lanes, a.element_bytes, a.access_bytes, a.access_bytes, analysis::matrix_lanes(matrices)))
      throw error(code{203}, "a row of a matrix is not provably aligned to 16 bytes",
                  "multiply columns and the pitch by the elements in 16 bytes", where);
    judge_wavefronts(a, cost, w, excused, "give the tile tg::conflict_free_swizzle with tg::matrix_access", where);
  }
}

inline void require_whole_warps(tracer& t, const char* word, source_location where) {
  const int threads = t.recorded().block.threads();
  if (threads % analysis::warp_lanes != 0)
    throw error(code{117}, std::string(word) + " in a block of " + count(threads, "threads") + ", whose last warp is not full",
                "make the number of threads a multiple of 32", where);
}

}  // namespace tg::detail
