// What threads wrote to shared memory, seen by wgmma and by bulk copies.
#pragma once

#include <tg/dsl/recorder/tracer.hpp>

namespace tg {

/// What this thread wrote to shared memory before is seen by wgmma, and by copies of the async proxy, that come later in this
/// thread; `block.sync()` after it makes it so for those of other threads.
/// PTX: fence.proxy.async.shared::cta; sm_90.
inline void fence_async_proxy(source_location where = source_location::current()) {
  auto& t = detail::tracer::current(where);
  t.at(where);
  t.emit(ptx::opcode::fence, {ptx::token::proxy, ptx::token::async, ptx::token::shared_cta}, {});
}

}  // namespace tg
