// Modules of other people's code: variables and functions.
#pragma once

#include <tg/runtime/module.hpp>

#include <charconv>

#include <tg/base/config.hpp>

namespace tg {
namespace runtime {

TG_LIBRARY_FUNCTION kernel_source with_header(std::string ptx) {
  kernel_source out;
  const auto number_after = [&](std::string_view word, std::size_t from) {
    int value = 0;
    const auto at = ptx.find(word, from);
    if (at != std::string::npos) std::from_chars(ptx.data() + at + word.size(), ptx.data() + ptx.size(), value);
    return value;
  };
  if (const auto at = ptx.find(".version "); at != std::string::npos) {
    out.version = {number_after(".version ", at), number_after(".", at + 1)};
    out.sm = number_after("sm_", at);
    const auto target = ptx.find("sm_", at);
    const auto end = target == std::string::npos ? target : ptx.find_first_not_of("0123456789", target + 3);
    if (end != std::string::npos && (ptx[end] == 'a' || ptx[end] == 'f')) out.target_suffix = ptx[end];
  }
  out.ptx = std::move(ptx);
  return out;
}

TG_LIBRARY_FUNCTION std::shared_ptr<owned_module> own_module(const std::shared_ptr<context>& on, const kernel_source& source,
                                                             const load_options& options) {
  return std::make_shared<owned_module>(on, load_module(*on, "module", source, {}, options));
}

}  // namespace runtime
}  // namespace tg
