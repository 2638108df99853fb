// The text of a kernel.
#pragma once

#include <tg/dsl/kernel/to_ptx.hpp>

#include <string>

#include <tg/base/config.hpp>
#include <tg/dsl/kernel/ptx_text.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION std::string text_of(const recordable& kernel) { return write(kernel).text; }

}  // namespace tg::detail
