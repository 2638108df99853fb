// The text of a kernel.
#pragma once

#include <iosfwd>

#include <tg/dsl/kernel/recordable.hpp>

namespace tg {

namespace detail { std::string text_of(const recordable& kernel); }  // namespace detail

/// The PTX text of a kernel, a std::string. A file that calls this includes <string>, which kernels do without: it would be a
/// fifth of the time that <tg/dsl.hpp> takes to compile.
template <recordable_kernel K, class Text = std::string> auto to_ptx(const K& kernel) {
  static_assert(requires { sizeof(Text); }, "TG139: tg::to_ptx makes a std::string: include <string>");
  if constexpr (requires { sizeof(Text); }) return detail::text_of(detail::to_recordable(kernel));
}

}  // namespace tg
