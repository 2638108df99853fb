// What threads wrote to memory, seen by wgmma and by bulk copies.
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

/// What this thread wrote to buffers before is seen by copies of the async proxy that come later in this thread, which read
/// them; `block.sync()` after it makes it so for those of other threads of the block. `tg::fence_async_proxy` is for tiles
/// only. PTX: fence.proxy.async.global; sm_90. Source: PTX ISA 9.0, membar/fence.
inline void fence_async_proxy_of_buffers(source_location where = source_location::current()) {
  auto& t = detail::tracer::current(where);
  t.at(where);
  t.emit(ptx::opcode::fence, {ptx::token::proxy, ptx::token::async, ptx::token::global}, {});
}

}  // namespace tg
