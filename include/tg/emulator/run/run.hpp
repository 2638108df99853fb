// Runs a kernel of a loaded program over a grid.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <tg/emulator/counters/counters.hpp>
#include <tg/emulator/decode/program.hpp>
#include <tg/emulator/launch/launch_shape.hpp>

namespace tg::emulator {

/// Runs kernel `kernel_index` to its end. `params` is laid out as `kernel_info::parameters` says. Adds to `*counted`
/// when given. Errors: TG400 to TG409 for accesses, TG420 to TG425 for synchronisation, TG430 to TG434 for the launch.
void run(memory& memory, const program& program, std::size_t kernel_index, const launch_shape& shape,
         std::span<const std::byte> params, const options& options = {}, counters* counted = nullptr);

}  // namespace tg::emulator
