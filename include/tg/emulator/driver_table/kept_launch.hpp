// The launches of CUDA 3: block shape, shared memory and parameters are set call by call and kept with the kernel.
// PyCUDA sets the block shape this way before each prepared launch.
// Source: CUDA Driver API 13.0, "Execution Control [DEPRECATED]".
#pragma once

#include <tg/emulator/driver_table/launch.hpp>

namespace tg::emulator::entry {

inline result cuFuncSetBlockShape(function_handle function, int x, int y, int z) {
  return guarded([&](machine& m) {
    kept_launch& kept = m.functions.at(function)->kept;
    require(x > 0 && y > 0 && z > 0);
    kept.block_x = x, kept.block_y = y, kept.block_z = z;
  });
}

inline result cuFuncSetSharedSize(function_handle function, unsigned bytes) {
  return guarded([&](machine& m) { m.functions.at(function)->kept.shared_bytes = bytes; });
}

/// The bytes of parameters a kernel can take. Source: CUDA C++ Programming Guide 13.0, "Function Parameters".
inline constexpr std::size_t most_parameter_bytes = 32764;

inline result cuParamSetSize(function_handle function, unsigned bytes) {
  return guarded([&](machine& m) {
    kept_launch& kept = m.functions.at(function)->kept;
    require(bytes <= most_parameter_bytes);
    kept.parameters.resize(bytes);
  });
}

/// Parameters may be set before their size is.
inline result cuParamSetv(function_handle function, int offset, void* value, unsigned bytes) {
  return guarded([&](machine& m) {
    kept_launch& kept = m.functions.at(function)->kept;
    require(value && offset >= 0);
    const std::size_t end = static_cast<std::size_t>(offset) + bytes;
    require(end <= most_parameter_bytes);
    if (kept.parameters.size() < end) kept.parameters.resize(end);
    std::memcpy(kept.parameters.data() + offset, value, bytes);
  });
}
inline result cuParamSeti(function_handle function, int offset, unsigned value) {
  return cuParamSetv(function, offset, &value, sizeof value);
}
inline result cuParamSetf(function_handle function, int offset, float value) {
  return cuParamSetv(function, offset, &value, sizeof value);
}

/// Errors: invalid_value where the block shape, or some parameters, were not set.
inline result cuLaunchGridAsync(function_handle function, int width, int height, stream_handle stream) {
  return guarded([&](machine& m) {
    current(m);
    kept_launch& kept = m.functions.at(function)->kept;
    require(kept.block_x > 0 && width > 0 && height > 0);
    const auto key = [](driver::launch_extra e) { return reinterpret_cast<void*>(e); };
    std::size_t bytes = kept.parameters.size();
    std::byte none{};
    void* extra[] = {key(driver::launch_extra::buffer_pointer), bytes == 0 ? &none : kept.parameters.data(),
                     key(driver::launch_extra::buffer_size), &bytes, nullptr};
    submit(m, stream,
           make_kernel_work(m, {function, static_cast<unsigned>(width), static_cast<unsigned>(height), 1,
                                static_cast<unsigned>(kept.block_x), static_cast<unsigned>(kept.block_y),
                                static_cast<unsigned>(kept.block_z), kept.shared_bytes, nullptr, extra, nullptr, nullptr}));
  });
}
inline result cuLaunchGrid(function_handle function, int width, int height) {
  return cuLaunchGridAsync(function, width, height, nullptr);
}
inline result cuLaunch(function_handle function) { return cuLaunchGrid(function, 1, 1); }

}  // namespace tg::emulator::entry
