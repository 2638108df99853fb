// What the driver layer can say is wrong: TG500 to TG519.
#pragma once

#include <array>

#include <tg/base/code_info.hpp>
#include <tg/driver/result.hpp>

namespace tg::driver {

inline constexpr code call_failed{500};
inline constexpr code no_library{501};
inline constexpr code no_function{502};
inline constexpr code no_such_device{503};
inline constexpr code out_of_memory{504};
inline constexpr code ptx_refused{505};
inline constexpr code driver_too_old{506};
inline constexpr code no_such_kernel{507};
inline constexpr code kernel_fault{508};
inline constexpr code launch_refused{509};
inline constexpr code handle_invalid{510};
inline constexpr code capture_broken{511};

inline constexpr auto codes = std::to_array<code_info>({
    {500, "a driver call failed", "the message has the driver's own name for it", "look the driver's name up"},
    {501, "the CUDA driver is not available", "no NVIDIA driver is installed, or TG_LIBCUDA names another file",
     "install the driver, or run with TG_DEVICE=emulator"},
    {502, "the driver lacks a function", "the driver is older than the function", "update the driver"},
    {503, "there is no such device", "TG_DEVICE or a constructor asks for a device that is not there",
     "ask for one that nvidia-smi lists, or for the emulator"},
    {504, "device memory is exhausted", "buffers are alive that nobody needs, or one is larger than the device",
     "free buffers or work in parts"},
    {505, "the PTX does not compile", "hand-written PTX has an error", "read the log in the message"},
    {506, "the driver or the device is too old for the kernel", "the kernel uses a newer instruction",
     "update the driver, or avoid the instruction on this device"},
    {507, "the module has no such kernel or variable", "the name is misspelt or not visible", "compare the names"},
    {508, "a kernel failed while it ran", "an address outside its buffers, a misaligned access, a failed assertion",
     "run it with TG_DEVICE=emulator, which names the line and the thread"},
    {509, "the launch asks for more than the device has", "the block's registers, threads or shared memory",
     "use a smaller block"},
    {510, "a handle is stale or foreign", "an object is used after it was destroyed or on another context",
     "keep the object alive as long as it is used"},
    {511, "a stream capture failed", "a call that synchronises was made while capturing", "make such calls before the capture"},
});

/// The code that a result of the driver is reported under.
constexpr code code_of(result r) {
  switch (r) {
    case result::no_device:
    case result::invalid_device:
    case result::device_unavailable:
    case result::device_not_licensed: return no_such_device;
    case result::out_of_memory: return out_of_memory;
    case result::invalid_image:
    case result::invalid_ptx:
    case result::invalid_source:
    case result::jit_compiler_not_found:
    case result::jit_compilation_disabled: return ptx_refused;
    case result::no_binary_for_gpu:
    case result::unsupported_ptx_version:
    case result::call_requires_newer_driver:
    case result::system_driver_mismatch:
    case result::compat_not_supported_on_device: return driver_too_old;
    case result::stub_library: return no_library;
    case result::not_found:
    case result::shared_object_symbol_not_found: return no_such_kernel;
    case result::launch_out_of_resources:
    case result::cooperative_launch_too_large:
    case result::invalid_cluster_size: return launch_refused;
    case result::invalid_handle:
    case result::invalid_context:
    case result::context_is_destroyed:
    case result::deinitialized:
    case result::not_initialized: return handle_invalid;
    case result::stream_capture_unsupported:
    case result::stream_capture_invalidated:
    case result::stream_capture_merge:
    case result::stream_capture_unmatched:
    case result::stream_capture_unjoined:
    case result::stream_capture_isolation:
    case result::stream_capture_implicit:
    case result::stream_capture_wrong_thread:
    case result::captured_event: return capture_broken;
    default: return is_sticky(r) ? kernel_fault : call_failed;
  }
}

/// What to do about a code of this range.
constexpr std::string_view fix_of(code c) {
  for (const code_info& info : codes)
    if (code{info.number} == c) return info.what_to_do;
  return {};
}

}  // namespace tg::driver
