// A record of the calls of a driver, for reports from machines that nobody else can look at: TG_LIBCUDA_TRACE=file.
#pragma once

#include <tg/driver/api.hpp>

namespace tg::driver::detail {

/// Writes each later call through `api` to `file`, as two lines: when it begins, with its arguments, and when it ends, with
/// the result, the first element of what it wrote, and how long it took. A call that never returns has the first line alone.
/// Calls of several threads are told apart by their numbers. Of one process there is one trace: the last table that is given.
/// Returns: whether the file can be written. Cost: a few microseconds for a call.
bool trace_calls(table& api, const char* file);

}  // namespace tg::driver::detail
