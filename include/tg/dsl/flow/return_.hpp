// The end of a thread.
#pragma once

#include <tg/dsl/recorder/tracer.hpp>

namespace tg {

/// The threads that come here end: `tg::if_(i >= n, [&] { tg::return_(); });`. It is the last statement of its body. Threads
/// that have left do not come to a barrier or an exchange of their warp, so that none may follow, unless the condition is
/// one of parameters and of the number of the block, by which all threads of a block leave or none.
/// Errors: TG182 for statements behind it in the body, TG183 for a barrier or an exchange that follows. PTX: exit.
inline void return_(source_location where = source_location::current()) {
  detail::tracer::current(where).leave(detail::jump::return_, where);
}

}  // namespace tg
