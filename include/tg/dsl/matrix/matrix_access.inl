// Loads of matrices, which are refused in a block whose last warp is not full.
#pragma once

#include <tg/dsl/matrix/matrix_access.hpp>

#include <string>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/recorder/tape.hpp>
#include <tg/dsl/recorder/tracer.hpp>
#include <tg/dsl/verdict/request_counter.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void require_whole_warps(tracer& t, const char* word, source_location where) {
  const int threads = t.recorded().block.threads();
  if (threads % analysis::warp_lanes != 0)
    throw error(code{117}, std::string(word) + " in a block of " + count(threads, "threads") + ", whose last warp is not full",
                "make the number of threads a multiple of 32", where);
}

TG_LIBRARY_FUNCTION void load_matrices(ptx::operand* registers, int matrices, ptx::token trans, const place& from) {
  auto& t = tracer::current();
  for (int k = 0; k < matrices; ++k) registers[k] = t.new_register(ptx::token::b32);
  t.emit_access(ptx::opcode::ldmatrix,
                {ptx::token::sync, ptx::token::aligned, ptx::token::m8n8, matrix_count_token(matrices), trans,
                 ptx::token::shared, ptx::token::b16},
                {t.new_vector(registers, static_cast<std::size_t>(matrices)), from.address}, from.entry);
}

}  // namespace tg::detail
