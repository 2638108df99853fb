// Environment variables.
#pragma once

#include <cstdlib>

namespace tg {

/// What a variable says that names code to load or files to write. Null where it is unset or empty, and in a program that runs
/// with other rights than the user who started it, as setuid programs do: that user must not decide what it loads.
inline const char* trusted_variable(const char* name) {
#if defined(__GLIBC__)
  const char* const out = ::secure_getenv(name);
#else
  const char* const out = std::getenv(name);
#endif
  return out != nullptr && *out != '\0' ? out : nullptr;
}

}  // namespace tg
