// The stable number of everything tg can say is wrong. A number is never used for anything else.
#pragma once

#include <array>
#include <string_view>

namespace tg {

/// Stable error code, printed as TG<number>. 1xx language, 2xx analysis, 3xx IR, 4xx emulator, 5xx driver and runtime.
enum class code : int {};

/// What a code means, what usually causes it, what to do; one row of the table in the README.
struct code_info {
  int number;
  std::string_view meaning;
  std::string_view usual_cause;
  std::string_view what_to_do;
};

}  // namespace tg
