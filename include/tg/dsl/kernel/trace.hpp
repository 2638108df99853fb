// Runs a kernel's lambda once and records what it does.
#pragma once

#include <tg/dsl/kernel/recordable.hpp>
#include <tg/dsl/recorder/traced_kernel.hpp>

namespace tg {

namespace detail { traced_kernel record(const recordable& kernel); }

/// The IR of a kernel as its statements say it. Errors: TG119, TG121, TG122, TG128, TG135, TG315, TG201 to TG204 where C++
/// integers decide.
template <recordable_kernel K> traced_kernel trace(const K& kernel) { return detail::record(detail::to_recordable(kernel)); }

}  // namespace tg
