// The emulated driver's launch of a kernel.
#pragma once

#include <algorithm>
#include <cstring>
#include <vector>

#include <tg/emulator/driver_table/module.hpp>
#include <tg/emulator/driver_table/stream.hpp>

namespace tg::emulator::entry {

/// The parameters as one buffer, from an array of pointers or from the packed buffer in `extra`.
inline std::vector<std::byte> pack(const kernel_info& k, void** parameters, void** extra) {
  require(parameters == nullptr || extra == nullptr);
  std::vector<std::byte> out(k.parameter_bytes);
  if (extra) {
    const void* buffer = nullptr;
    const std::size_t* size = nullptr;
    for (void** key = extra; *key != nullptr; key += 2) {
      const auto kind = static_cast<driver::launch_extra>(reinterpret_cast<std::uintptr_t>(*key));
      if (kind == driver::launch_extra::buffer_pointer) buffer = key[1];
      else if (kind == driver::launch_extra::buffer_size) size = static_cast<const std::size_t*>(key[1]);
      else throw refused{result::invalid_value};
    }
    require(buffer && size && *size >= k.parameter_bytes);
    std::copy_n(static_cast<const std::byte*>(buffer), k.parameter_bytes, out.begin());
  } else {
    require(parameters || k.parameters.empty());
    for (std::size_t i = 0; i < k.parameters.size(); ++i) {
      require(parameters[i]);
      std::memcpy(out.data() + k.parameters[i].offset_bytes, parameters[i], k.parameters[i].size_bytes);
    }
  }
  return out;
}

inline result cuLaunchKernel(function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                             unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                             stream_handle stream, void** parameters, void** extra) {
  return guarded([&](machine& m) {
    current(m);
    const auto f = m.functions.at(function);
    const launch_shape shape{{grid_x, grid_y, grid_z}, {block_x, block_y, block_z}, shared_bytes};
    require(shape.grid.count() > 0 && shape.block.count() > 0);
    require(grid_x <= unsigned{limits::grid_x} && grid_y <= limits::grid_yz && grid_z <= limits::grid_yz);
    require(block_x <= limits::threads_per_block && block_y <= limits::threads_per_block && block_z <= limits::block_z);
    require(shape.block.count() <= static_cast<unsigned>(limits::threads_per_block));
    require(shape.block.count() <= static_cast<unsigned>(max_threads(f->info())), result::launch_out_of_resources);
    require(shared_bytes <= static_cast<unsigned>(f->max_dynamic_shared_bytes));
    submit(m, stream, [&m, f, shape, packed = pack(f->info(), parameters, extra)] {
      if (m.is_counting) m.counted = {};
      run(m.memory, *f->code, f->index, shape, packed, m.options, m.is_counting ? &m.counted : nullptr);
    });
  });
}

}  // namespace tg::emulator::entry
