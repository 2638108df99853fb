// Fits a kernel's PTX to the driver that reads it and the device that runs it, before either sees it.
#pragma once

#include <string_view>

#include <tg/runtime/compatibility.hpp>
#include <tg/runtime/context.hpp>
#include <tg/runtime/kernel_source.hpp>

namespace tg::runtime {

/// The source with a version and target that driver and device take: its own, or lower ones when its instructions
/// allow. A target other than 0 stands for the device. Errors: TG506, with the instruction that needs more and its C++
/// line.
kernel_source negotiate(const context& device, std::string_view kernel, const kernel_source& source, source_location where,
                        int target = 0);

}  // namespace tg::runtime
