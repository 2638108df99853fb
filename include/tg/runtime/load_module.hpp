// Gets a kernel's code onto a device: from a package, from the disk cache, or from the driver's compiler.
#pragma once

#include <string>
#include <string_view>

#include <tg/runtime/context.hpp>
#include <tg/runtime/kernel_source.hpp>

namespace tg::runtime {

/// A module and what loading it cost and said. Whoever gets it unloads it.
struct loaded_module {
  driver::module_handle native = nullptr;
  std::string ptx;       // as the driver and the device took it
  std::string log;       // of the driver's compiler
  std::string warnings;  // its error log, when it made code nevertheless
  double load_us = 0;
  code_origin origin = code_origin::compiler;
};

/// Loads PTX, or the machine code that comes with it. The name is for messages.
/// Errors: TG505 with the log of the driver's compiler, TG506, TG550 for the options, TG551 for a text that is no PTX.
loaded_module load_module(context& device, std::string_view name, const kernel_source& source, source_location where = {},
                          const load_options& options = {});

/// Machine code that the driver makes of PTX, for `options.target` or for this device.
/// Errors: as above.
machine_code make_code(context& device, std::string_view name, const kernel_source& source, source_location where = {},
                       const load_options& options = {});

}  // namespace tg::runtime
