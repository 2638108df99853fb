// The C++ line that a kernel statement was written on.
#pragma once

namespace tg {

/// File and line of a statement; stands in for `std::source_location`, which clang 14 with libstdc++ 12 lacks.
struct source_location {
  const char* file = "";
  int line = 0;

  /// The caller's place when used as a default argument.
  static constexpr source_location current(const char* file = __builtin_FILE(), int line = __builtin_LINE()) {
    return {file, line};
  }

  constexpr bool is_known() const { return line > 0; }
};

}  // namespace tg
