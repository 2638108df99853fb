// The text of a kernel with what it asks of driver and device.
#pragma once

#include <string>

#include <tg/dsl/kernel/recordable.hpp>
#include <tg/ptx/ir/block_limits.hpp>
#include <tg/ptx/ir/isa_version.hpp>

namespace tg {

/// The PTX of a kernel and what it asks of driver and device.
struct ptx_text {
  std::string text;
  ptx::isa_version version;
  int sm = 0;
  char target_suffix = '\0';                             // 'a' or 'f' of sm_90a
  ptx::block_limits most_blocks = ptx::no_block_limits;  // that its 32-bit arithmetic reaches
};

namespace detail { ptx_text write(const recordable& kernel); }  // namespace detail

}  // namespace tg
