// Launches that overlap: `gpu.launch(second, tg::grid(n).overlapping(), ...)` begins while the grid before it still runs.
#pragma once

#include <tg/dsl/recorder/tracer.hpp>

namespace tg {

/// The launch behind this one may begin once all blocks have said so or ended: `tg::launch_dependents();` where the rest of the
/// block leaves room. What is written after it is seen there only behind `tg::wait_for_prior_grids`.
/// PTX: griddepcontrol.launch_dependents; sm_90.
inline void launch_dependents(source_location where = source_location::current()) {
  detail::tracer::begin(where).emit(ptx::opcode::griddepcontrol, {ptx::token::launch_dependents}, {});
}

/// Waits until the grids that this launch overlaps have ended; what they wrote is seen. Of a launch that overlaps none, nothing
/// is waited for. PTX: griddepcontrol.wait; sm_90.
inline void wait_for_prior_grids(source_location where = source_location::current()) {
  detail::tracer::begin(where).emit(ptx::opcode::griddepcontrol, {ptx::token::wait}, {});
}

}  // namespace tg
