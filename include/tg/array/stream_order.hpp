// Streams of other libraries beside the one of assignments.
#pragma once

#include <tg/runtime/context.hpp>

namespace tg::detail {

/// Later work of `later` waits for the work of `earlier` so far. Null: the legacy default stream, on which assignments run.
/// Errors: TG533 when one of the two is captured: the legacy stream is in no graph, so nothing could wait for the other.
inline void order_streams(runtime::context& context, driver::stream_handle earlier, driver::stream_handle later) {
  for (const driver::stream_handle s : {earlier, later})
    if (context.is_captured(s))
      throw error(runtime::capture_forbidden,
                  "a stream that is captured and the legacy default stream cannot wait for each other",
                  "share arrays before the capture or after");
  driver::event_handle done = nullptr;
  context.call(context.api().cuEventCreate, &done, driver::event_flag::disable_timing);
  context.call(context.api().cuEventRecord, done, earlier);
  context.call(context.api().cuStreamWaitEvent, later, done, 0u);
  context.release(context.api().cuEventDestroy, done);
}

}  // namespace tg::detail
