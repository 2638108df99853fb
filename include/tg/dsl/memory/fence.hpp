// Order among the memory accesses of one thread, as others see them.
#pragma once

#include <tg/dsl/memory/memory_order.hpp>
#include <tg/dsl/recorder/tracer.hpp>

namespace tg {

/// What this thread wrote before is seen by whoever sees what it writes after, and the other way round for reads:
/// `tg::fence<tg::order::acq_rel, tg::scope::gpu>()`. `sequential` also puts all such fences in one order.
/// Errors: TG158. PTX: fence.acq_rel or fence.sc, sm_70; sm_90 for a cluster.
template <order O = order::acq_rel, scope S = scope::gpu> void fence(source_location where = source_location::current()) {
  using found = diagnosis::ordering<O == order::acq_rel || O == order::sequential, diagnosis::given_order<O>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    auto& t = detail::tracer::current(where);
    t.at(where);
    t.emit(ptx::opcode::fence, {detail::token_of(O), detail::token_of(S)}, {});
  }
}

}  // namespace tg
