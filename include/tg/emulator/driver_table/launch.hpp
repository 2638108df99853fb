// The emulated driver's launches of kernels.
#pragma once

#include <tg/emulator/driver_table/occupancy.hpp>
#include <tg/emulator/driver_table/stream.hpp>

namespace tg::emulator::entry {

/// The parameters as one buffer, from an array of pointers or from the packed buffer in `extra`, where each lies as in the
/// code. Errors: a buffer that is longer than the code's is one resource too many, as an H100 says it.
inline dynamic_array<std::byte> pack(const kernel_info& k, void** parameters, void** extra) {
  require(parameters == nullptr || extra == nullptr);
  dynamic_array<std::byte> out(k.parameter_bytes);
  if (extra) {
    const void* buffer = nullptr;
    const std::size_t* size = nullptr;
    for (void** key = extra; *key != nullptr; key += 2) {
      const auto kind = static_cast<driver::launch_extra>(reinterpret_cast<std::uintptr_t>(*key));
      if (kind == driver::launch_extra::buffer_pointer) buffer = key[1];
      else if (kind == driver::launch_extra::buffer_size) size = static_cast<const std::size_t*>(key[1]);
      else throw refused{result::invalid_value};
    }
    require(buffer && size && *size >= k.parameter_bytes_in_code);
    require(*size <= k.parameter_bytes_in_code, result::launch_out_of_resources);
    for (const parameter& p : k.parameters)
      std::memcpy(out.data() + p.offset_bytes, static_cast<const std::byte*>(buffer) + p.offset_in_code_bytes, p.size_bytes);
  } else {
    require(parameters || k.parameters.empty());
    for (std::size_t i = 0; i < k.parameters.size(); ++i) {
      require(parameters[i]);
      std::memcpy(out.data() + k.parameters[i].offset_bytes, parameters[i], k.parameters[i].size_bytes);
    }
  }
  return out;
}

/// Refuses a launch that the device or the kernel cannot do.
inline void check_launch(const function& f, const launch_shape& shape) {
  const auto &grid = shape.grid, &block = shape.block;
  require(grid.count() > 0 && block.count() > 0);
  require(grid.x <= unsigned{limits::grid_x} && grid.y <= limits::grid_yz && grid.z <= limits::grid_yz);
  require(block.x <= limits::threads_per_block && block.y <= limits::threads_per_block && block.z <= limits::block_z);
  require(block.count() <= static_cast<unsigned>(limits::threads_per_block));
  require(block.count() <= static_cast<unsigned>(max_threads(f.info())), result::launch_out_of_resources);
  require(shape.dynamic_shared_bytes <= static_cast<unsigned>(f.max_dynamic_shared_bytes));
}

/// The kernel as one launch or one node of a graph runs it.
inline kernel_work make_kernel_work(machine& m, const driver::kernel_node_parameters& p) {
  const auto handle = p.function ? p.function : reinterpret_cast<function_handle>(p.kernel);
  const auto f = m.functions.at(handle);
  launch_shape shape;
  shape.grid = {p.grid_x, p.grid_y, p.grid_z};
  shape.block = {p.block_x, p.block_y, p.block_z};
  shape.dynamic_shared_bytes = p.shared_bytes;
  check_launch(*f, shape);
  const context& here = *m.contexts.at(current(m));
  shape.device = static_cast<unsigned>(here.device);
  return {f, handle, shape, pack(f->info(), p.parameters, p.extra), here.limits};
}

inline result cuLaunchKernel(function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z, unsigned block_x,
                             unsigned block_y, unsigned block_z, unsigned shared_bytes, stream_handle stream, void** parameters,
                             void** extra) {
  return guarded([&](machine& m) {
    current(m);
    submit(m, stream,
           make_kernel_work(m, {function, grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, parameters, extra,
                                nullptr, nullptr}));
  });
}

/// Takes cluster and cooperation from the attributes; the others change no result.
inline void apply(kernel_work& work, const driver::launch_attribute& a) {
  const auto& e = a.value.extent;
  if (a.id == driver::launch_attribute_id::cooperative) work.shape.cooperative = a.value.number != 0;
  else if (a.id == driver::launch_attribute_id::cluster_dimension) work.shape.cluster = {e.x, e.y, e.z};
}

/// Blocks that must all be resident, or clusters that must divide the grid.
inline void check_together(const kernel_work& work) {
  const launch_shape& s = work.shape;
  require(s.cluster.count() > 0 && s.grid.x % s.cluster.x == 0 && s.grid.y % s.cluster.y == 0 && s.grid.z % s.cluster.z == 0 &&
              s.cluster.count() <= static_cast<unsigned>(work.function->allows_big_clusters
                                                             ? limits::blocks_per_cluster_non_portable
                                                             : limits::blocks_per_cluster),
          result::invalid_cluster_size);
}

inline result cuLaunchKernelEx(const driver::launch_config* config, function_handle function, void** parameters, void** extra) {
  return guarded([&](machine& m) {
    require(config && (config->attributes || config->attribute_count == 0));
    current(m);
    const auto& c = *config;
    kernel_work work = make_kernel_work(m, {function, c.grid_x, c.grid_y, c.grid_z, c.block_x, c.block_y, c.block_z,
                                            c.shared_bytes, parameters, extra, nullptr, nullptr});
    for (unsigned i = 0; i < c.attribute_count; ++i) apply(work, c.attributes[i]);
    check_together(work);
    submit(m, c.stream, std::move(work));
  });
}

inline result cuLaunchCooperativeKernel(function_handle function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                                        stream_handle stream, void** parameters) {
  driver::launch_attribute together{driver::launch_attribute_id::cooperative, {}, {}};
  together.value.number = 1;
  const driver::launch_config config{grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes, stream, &together, 1};
  return cuLaunchKernelEx(&config, function, parameters, nullptr);
}

}  // namespace tg::emulator::entry
