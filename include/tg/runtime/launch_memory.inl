// Forgets the answers about functions that are gone.
#pragma once

#include <tg/runtime/launch_memory.hpp>

#include <tg/base/config.hpp>

namespace tg::runtime {

TG_LIBRARY_FUNCTION void launch_memory::forget(driver::function_handle function) {
  const std::lock_guard lock(mutex_);
  std::erase_if(answers_, [&](const auto& a) { return a.first.function == function; });
}

}  // namespace tg::runtime
