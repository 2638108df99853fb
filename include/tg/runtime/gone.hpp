// What an object says that is used after it was moved from.
#pragma once

#include <string>

#include <tg/base/config.hpp>
#include <tg/base/error.hpp>
#include <tg/runtime/codes.hpp>

namespace tg::runtime {

/// Errors: TG532.
TG_COLD [[noreturn]] inline void fail_gone(const char* what) {
  throw error(object_gone, std::string(what) + " is used after it was moved from", "use the one that it was moved to");
}

}  // namespace tg::runtime
