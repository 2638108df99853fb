// The bytes of tiles in dynamic shared memory: what a loaded kernel asks the driver for, and what a launch asks for.
#pragma once

#include <cstdint>
#include <string_view>

#include <tg/base/source_location.hpp>
#include <tg/runtime/module_cache.hpp>
#include <tg/runtime/shared_plan.hpp>

namespace tg::runtime {

class context;

/// Reads from the PTX of a loaded kernel what its launches add: the tensor maps of its views, and its tiles, for which the
/// driver is asked for what they need beyond 48 KB. Errors: TG567 where the tiles of fixed size do not fit, with their bytes
/// and lines.
void plan_launches(context& device, compiled_kernel& kernel, source_location where);

/// Bytes of all tiles in a launch with these packed parameters.
/// Errors: TG526 for a broken contract of a row length, TG567 for tiles that do not fit.
std::uint32_t shared_bytes_for(std::string_view kernel, const shared_plan& plan, const void* parameters, source_location where);

}  // namespace tg::runtime
