// The text of a kernel, and what it asks of driver and device.
#pragma once

#include <tg/dsl/kernel/ptx_text.hpp>

#include <string>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/ptx/meaning/block_reach.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION ptx_text write(const recordable& kernel) {
  lowered_kernel lowered = lower(kernel);
  const std::string& suffix = lowered.module.target_suffix;
  return {std::move(lowered.ptx), lowered.module.version, lowered.module.sm, suffix.empty() ? '\0' : suffix[0],
          ptx::block_reach(lowered.module.functions[0])};
}

}  // namespace tg::detail
