// Refuses moves of matrices in a block whose last warp is not full.
#pragma once

#include <string>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/request_counter.hpp>
#include <tg/dsl/tape.hpp>
#include <tg/dsl/tracer.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void require_whole_warps(tracer& t, const char* word, source_location where) {
  const int threads = t.recorded().block.threads();
  if (threads % analysis::warp_lanes != 0)
    throw error(code{117}, std::string(word) + " in a block of " + count(threads, "threads") + ", whose last warp is not full",
                "make the number of threads a multiple of 32", where);
}

}  // namespace tg::detail
