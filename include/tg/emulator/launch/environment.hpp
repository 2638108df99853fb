// How the environment says that launches are to be checked:
//   TG_EMULATOR_CHECK=memory,init,race,sync,leak   which checkers; also `all`, `none`, and `strict` for more races
//   TG_EMULATOR_REPORT=path                        where findings go: JSON where the path ends in .json, else text
//   TG_EMULATOR_SEED=n, TG_EMULATOR_THREADS=n, TG_EMULATOR_CACHE_BYTES=n      as in `options`
#pragma once

#include <charconv>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include <tg/emulator/launch/launch_shape.hpp>

namespace tg::emulator::check {

namespace detail {

inline std::string_view variable(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? std::string_view{} : value;
}

[[noreturn]] inline void refuse(std::string_view name, std::string_view value, const std::string& wanted) {
  throw error(code{443}, std::string(name) + "='" + std::string(value) + "' means nothing", wanted);
}

template <class Number>
void read_number(const char* name, Number& to, Number least = 0, Number most = std::numeric_limits<Number>::max()) {
  const std::string_view value = variable(name);
  if (value.empty()) return;
  Number read = 0;
  const auto [end, problem] = std::from_chars(value.data(), value.data() + value.size(), read);
  if (problem != std::errc{} || end != value.data() + value.size()) refuse(name, value, "give a number, 0 or more");
  if (read < least || read > most)
    refuse(name, value, "give a number from " + std::to_string(least) + " to " + std::to_string(most));
  to = read;
}

}  // namespace detail

/// Changes what the environment has a word about. Errors: TG443 for a value that means nothing.
inline void read_environment(options& how, std::string& report_path) {
  if (const std::string_view list = detail::variable("TG_EMULATOR_CHECK"); !list.empty()) {
    const std::optional<checkers> wanted = to_checkers(list);
    if (!wanted)
      detail::refuse("TG_EMULATOR_CHECK", list, "list some of memory, init, race, sync, leak and strict, or say all or none");
    how.check = *wanted;
  }
  detail::read_number("TG_EMULATOR_SEED", how.seed);
  detail::read_number("TG_EMULATOR_THREADS", how.threads);
  detail::read_number("TG_EMULATOR_CACHE_BYTES", how.cache_bytes);
  report_path = detail::variable("TG_EMULATOR_REPORT");
}

}  // namespace tg::emulator::check
