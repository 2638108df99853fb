// What the driver is told of a node of a graph.
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <type_traits>

#include <tg/runtime/stream_work.hpp>

namespace tg::runtime {

/// Calls `f` with what a kernel node is made of and the plan of its launch.
/// Errors: as `device::launch`, before anything is made.
template <class F, class K, class... A>
void with_kernel_parameters(tg::device& gpu, F f, const K& kernel, const placement& where, A&&... arguments) {
  using packed_type = packed_arguments<typename K::parameters>;
  if constexpr (packed_type::template takes<std::remove_reference_t<A>...>()) {
    context& c = *gpu.context();
    constexpr block_threads block{K::block.x, K::block.y, K::block.z};
    const launch_site site{c, K::name, where.where, &where, block};
    const packed_type packed(site, arguments...);
    const launch_plan plan = plan_launch(c, gpu.compile(kernel), where, block, packed.buffer.data());
    if (overlaps(plan)) refuse_overlap_in_graph(plan);
    with_maps(site, *plan.kernel, packed, [&](const void* parameters, std::size_t bytes) {
      launch_parameters passed(*plan.kernel, parameters, bytes);
      f(driver::kernel_node_parameters{plan.kernel->function, plan.grid[0], plan.grid[1], plan.grid[2], plan.block[0],
                                       plan.block[1], plan.block[2], plan.shared_bytes, passed.each(), passed.extra(), nullptr,
                                       nullptr},
        plan);
    });
  } else {
    packed_type::template refuse<std::remove_reference_t<A>...>();
  }
}

/// One side of a copy: a single row.
template <class Host, class Memory> driver::copy_3d_side<Host> copy_side(context& here, Memory& memory, std::size_t bytes) {
  driver::copy_3d_side<Host> out{};
  out.pitch = bytes;
  out.height = 1;
  if constexpr (device_memory<Memory>) {
    require_here(here, memory.whole().context());
    out.type = driver::memory_type::device;
    out.device = memory.whole().native();
  } else {
    static_assert(is_pinned<std::remove_const_t<Memory>>, "a graph copies device memory and tg::pinned memory");
    out.type = driver::memory_type::host;
    out.host = memory.data();
  }
  return out;
}

/// Errors: TG524, TG528.
template <class To, class From>
driver::copy_3d copy_parameters(context& here, To& to, const From& from, source_location where) {
  const auto target = elements_of(to);
  const auto source = elements_of(from);
  using element = typename decltype(target)::element_type;
  static_assert(std::same_as<element, std::remove_const_t<typename decltype(source)::element_type>>,
                "a copy is between elements of one type, and not to const ones");
  require_same_size(target.size(), source.size(), where);
  const std::size_t bytes = source.size_bytes();
  return {copy_side<const void*>(here, from, bytes), copy_side<void*>(here, to, bytes), bytes, 1, 1};
}

/// The widest row of a copy with rows, which all copies of graphs are. Source: CUDA Driver API 13.0,
/// CU_DEVICE_ATTRIBUTE_MAX_PITCH is 2^31 - 1 on every device so far; a power of two keeps the rows aligned.
inline constexpr std::size_t most_row_bytes = std::size_t{1} << 30;

/// A copy of consecutive bytes as one of rows of `most_row_bytes`, and what is left as a second one, which may be empty.
inline std::array<driver::copy_3d, 2> split_copy(const driver::copy_3d& whole) {
  const std::size_t bytes = whole.width_bytes, rows = bytes / most_row_bytes;
  if (rows < 2) return {whole, driver::copy_3d{}};
  driver::copy_3d first = whole, rest = whole;
  const auto shape = [](driver::copy_3d& c, std::size_t width, std::size_t height) {
    c.width_bytes = c.from.pitch = c.to.pitch = width;
    c.height = c.from.height = c.to.height = height;
  };
  shape(first, most_row_bytes, rows);
  const std::size_t done = rows * most_row_bytes;
  shape(rest, bytes - done, 1);
  const auto move = [&](auto& side) {
    if (side.type == driver::memory_type::host)
      side.host = static_cast<std::byte*>(const_cast<void*>(static_cast<const void*>(side.host))) + done;
    else side.device += done;
  };
  move(rest.from);
  move(rest.to);
  if (bytes == done) rest = {};
  return {first, rest};
}

/// The parameters of a node that fills memory: it writes one number to unit `number` of each element. Errors: TG524.
template <class To, class T>
driver::set_node_parameters set_parameters(context& here, To& to, const fill_units<T>& units, std::size_t number) {
  using u = fill_units<T>;
  const auto target = to.whole();
  require_here(here, target.context());
  const bool is_whole = units.is_uniform();
  return {target.native() + number * u::bytes,
          is_whole ? 0 : sizeof(T),
          units.values[number],
          static_cast<unsigned>(u::bytes),
          is_whole ? target.size() * u::count : 1,
          is_whole ? 1 : target.size()};
}

}  // namespace tg::runtime
