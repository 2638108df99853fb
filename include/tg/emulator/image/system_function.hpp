// The functions that the emulator provides where PTX only declares them.
#pragma once

#include <string_view>

#include <tg/emulator/image/call_site.hpp>

namespace tg::emulator {

/// Returns: none for a name that the emulator does not provide.
constexpr system_function to_system_function(std::string_view name) {
  struct row {
    std::string_view name;
    system_function function;
  };
  constexpr row rows[] = {
      {"vprintf", system_function::vprintf}, {"__assertfail", system_function::assertfail},
      {"malloc", system_function::malloc},   {"free", system_function::free},
      {"memcpy", system_function::memcpy},   {"memmove", system_function::memmove},
      {"memset", system_function::memset},
  };
  for (const row& r : rows)
    if (r.name == name) return r.function;
  return system_function::none;
}

}  // namespace tg::emulator
