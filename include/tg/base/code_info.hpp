// What each error code means, for tables and messages.
#pragma once

#include <array>
#include <string_view>

#include <tg/base/code.hpp>

namespace tg {

/// What a code means, what usually causes it, what to do; one row of the table in docs/pages/errors.md.
struct code_info {
  int number;
  std::string_view meaning;
  std::string_view usual_cause;
  std::string_view what_to_do;
};

}  // namespace tg
