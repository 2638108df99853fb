// Streams of other libraries beside the one of assignments.
#pragma once

#include <tg/runtime/context.hpp>

namespace tg::detail {

/// Later work of `later` waits for the work of `earlier` so far. Null: the legacy default stream, on which assignments run.
inline void order_streams(runtime::context& context, driver::stream_handle earlier, driver::stream_handle later) {
  driver::event_handle done = nullptr;
  context.call(context.api().cuEventCreate, &done, driver::event_flag::disable_timing);
  context.call(context.api().cuEventRecord, done, earlier);
  context.call(context.api().cuStreamWaitEvent, later, done, 0u);
  context.release(context.api().cuEventDestroy, done);
}

}  // namespace tg::detail
