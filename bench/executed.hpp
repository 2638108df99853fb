// One launch of a kernel's text on the emulator: the instructions that its threads execute, and what it leaves in its
// buffers. The same launch of another compiler's text is what to compare with.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/run/run.hpp>
#include <tg/ptx/parse/parse.hpp>

namespace bench {

/// A parameter of a kernel: a number, or a buffer and what is in it before the launch.
struct argument {
  using distance_t = double(const std::byte*, const std::byte*, std::size_t);

  std::vector<std::byte> bytes;
  distance_t* distance = nullptr;          // of two contents of a buffer; null: a number
  std::vector<std::byte> twin_bytes = {};  // what the other compiler's version takes instead; empty: the same
};

template <class T> std::vector<std::byte> bytes_of(const T* first, std::size_t count) {
  const auto* begin = reinterpret_cast<const std::byte*>(first);
  return {begin, begin + count * sizeof(T)};
}

template <class T> argument number(T x) { return {bytes_of(&x, 1)}; }

/// The distance of the rows of a matrix of T: ours takes bytes, the twin elements.
template <class T> argument row_stride(unsigned elements) {
  argument out = number(static_cast<unsigned>(elements * sizeof(T)));
  out.twin_bytes = bytes_of(&elements, 1);
  return out;
}

/// How far two elements are apart, relative to 1 + the first of them; of pairs the larger distance. Other structs that
/// differ are infinitely far apart.
template <class T> double distance_between(const T& x, const T& y) {
  if constexpr (requires { x.low, x.high; }) return std::max(distance_between(x.low, y.low), distance_between(x.high, y.high));
  else if constexpr (requires { static_cast<double>(x); })
    return std::abs(static_cast<double>(x) - static_cast<double>(y)) / (1 + std::abs(static_cast<double>(x)));
  else return std::numeric_limits<double>::infinity();
}

/// Contents are as far apart as the two elements that differ most.
template <class T> argument buffer(const std::vector<T>& contents) {
  return {bytes_of(contents.data(), contents.size()), [](const std::byte* a, const std::byte* b, std::size_t bytes) {
            double worst = 0;
            for (std::size_t at = 0; at < bytes; at += sizeof(T)) {
              if (std::memcmp(a + at, b + at, sizeof(T)) == 0) continue;
              T x, y;
              std::memcpy(&x, a + at, sizeof(T));
              std::memcpy(&y, b + at, sizeof(T));
              const double apart = distance_between(x, y);
              worst = apart <= worst ? worst : std::isnan(apart) ? std::numeric_limits<double>::infinity() : apart;
            }
            return worst;
          }};
}

/// Numbers between -1 and 1, the same in each run.
template <class T = float> std::vector<T> random_numbers(std::size_t count) {
  std::mt19937 engine{1};
  std::uniform_real_distribution<float> any(-1, 1);
  std::vector<T> out(count);
  for (T& x : out) x = static_cast<T>(any(engine));
  return out;
}

/// A tensor map that the other compiler's version takes behind the arguments: of a matrix of bf16, in boxes of `box_rows` rows
/// of 128 bytes, swizzled.
struct twin_map {
  std::size_t buffer;  // number of the buffer among the buffers
  unsigned rows, columns, box_rows;

  void make(tg::driver::tensor_map& made, std::uint64_t address) const {
    constexpr int bfloat16 = 9, swizzle_of_128_bytes = 3;  // Source: CUtensorMapDataType and CUtensorMapSwizzle in cuda.h
    const std::uint64_t extents[] = {columns, rows}, pitch = std::uint64_t{columns} * 2;
    const std::uint32_t box[] = {64, box_rows}, steps[] = {1, 1};
    const auto done = tg::emulator::driver_table().cuTensorMapEncodeTiled(
        &made, bfloat16, 2, reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), extents, &pitch, box, steps, 0,
        swizzle_of_128_bytes, 0, 0);
    if (done != tg::driver::result::success) throw std::runtime_error("a tensor map of a twin is refused");
  }
};

/// A launch that every compiler's version of a kernel takes.
struct work {
  using extent = tg::emulator::launch_shape::extent;

  extent grid;
  std::vector<argument> arguments;
  std::size_t dynamic_shared_bytes = 0;
  std::vector<twin_map> twin_maps = {};
};

/// What a launch did.
struct executed {
  std::uint64_t instructions = 0;  // of all threads
  std::uint64_t memory_bytes = 0;  // between memory and the cache, where they were counted
  std::uint64_t least_bytes = 0;   // if the cache lost nothing
  work::extent block;
  std::vector<std::vector<std::byte>> buffers;
};

/// Makes the tensor maps that a kernel's launch makes of its views, behind the `parameters` that it is given. Matrices are as
/// wide as their rows are apart.
inline void make_maps(const std::string& ptx, const std::string& entry, tg::emulator::memory& memory,
                      std::vector<std::byte>& parameters) {
  if (ptx.find(".view_map ") == ptx.npos) return;
  const tg::ptx::module text = tg::ptx::parse(ptx);
  const auto places = tg::ptx::places_of_arguments(text.find(entry)->params);
  for (const tg::ptx::view_map& m : text.maps) {
    const auto value = [&](const tg::ptx::launch_number& n, std::uint64_t otherwise = 0) {
      return n.empty() ? otherwise : static_cast<std::uint64_t>(tg::ptx::evaluate(n, places, parameters.data()).value());
    };
    const std::uint64_t address = value(m.address), pitch = value(m.pitch_bytes);
    const std::uint64_t extents[] = {value(m.columns, pitch / static_cast<unsigned>(m.element_bytes)),
                                     value(m.rows, memory.size_of(address) / pitch)};
    const std::uint32_t box[] = {m.box_columns, m.box_rows}, steps[] = {1, 1};
    tg::driver::tensor_map made;
    const auto done = tg::emulator::driver_table().cuTensorMapEncodeTiled(
        &made, m.type, 2, reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)), extents, &pitch, box, steps, 0,
        m.swizzle, 0, 0);
    if (done != tg::driver::result::success) throw std::runtime_error("a tensor map of " + entry + " is refused");
    std::memcpy(&parameters[places[m.parameter].offset], &made, sizeof made);
  }
}

/// Counts the traffic of a launch of such blocks as one multiprocessor of 132 sees it, with its share of an L2 cache of 50 MB
/// and the blocks of 2048 threads at once. Source: NVIDIA H100 Tensor Core GPU Architecture whitepaper, "H100 SXM5".
inline void count_traffic(tg::emulator::options& how, std::uint64_t threads_of_block) {
  constexpr std::size_t share_of_cache_bytes = 50'000'000 / 132;
  constexpr std::uint64_t threads_at_once = 2048;
  how.cache_bytes = share_of_cache_bytes;
  how.resident_blocks = static_cast<unsigned>(std::max<std::uint64_t>(1, threads_at_once / threads_of_block));
}

/// Runs `entry` of a PTX text. Requires: a block, which makes it the twin, or a text that says which it requires.
/// `counts_memory`: traffic is counted too, which takes longer.
inline executed execute(const std::string& ptx, const std::string& entry, const work& launch, work::extent block = {0, 0, 0},
                        bool counts_memory = false) {
  const bool is_twin = block.count() != 0;
  tg::emulator::memory memory;
  const auto program = tg::emulator::program::load(ptx, memory);
  const auto kernel = program->find_kernel(entry);
  if (!kernel) throw std::runtime_error("the text has no kernel " + entry);
  const tg::emulator::kernel_info& info = program->kernels()[*kernel];
  const bool has_maps = ptx.find(".view_map ") != ptx.npos;
  const std::size_t twin_maps = is_twin ? launch.twin_maps.size() : 0;
  if (info.parameters.size() != launch.arguments.size() + twin_maps && !has_maps)
    throw std::runtime_error(entry + " has " + std::to_string(info.parameters.size()) + " parameters");
  const auto& wanted = info.required_threads;
  if (block.count() == 0) block = {wanted[0], wanted[1], wanted[2]};

  std::vector<std::byte> parameters(info.parameter_bytes);
  std::vector<std::uint64_t> addresses;
  for (std::size_t i = 0; i < launch.arguments.size(); ++i) {
    const argument& given = launch.arguments[i];
    auto value = is_twin && !given.twin_bytes.empty() ? given.twin_bytes : given.bytes;
    if (given.distance != nullptr) {
      addresses.push_back(memory.allocate(given.bytes.size()));
      std::memcpy(memory.at(addresses.back(), given.bytes.size()), given.bytes.data(), given.bytes.size());
      value = bytes_of(&addresses.back(), 1);
    }
    if (value.size() != info.parameters[i].size_bytes)
      throw std::runtime_error("parameter " + std::to_string(i) + " of " + entry + " has another size");
    std::memcpy(&parameters[info.parameters[i].offset_bytes], value.data(), value.size());
  }

  make_maps(ptx, entry, memory, parameters);
  for (std::size_t i = 0; i < twin_maps; ++i) {
    tg::driver::tensor_map made;
    launch.twin_maps[i].make(made, addresses.at(launch.twin_maps[i].buffer));
    std::memcpy(&parameters.at(info.parameters[launch.arguments.size() + i].offset_bytes), &made, sizeof made);
  }
  tg::emulator::counters counted;
  tg::emulator::options how;
  if (counts_memory) count_traffic(how, block.count());
  tg::emulator::run(memory, *program, *kernel, {launch.grid, block, launch.dynamic_shared_bytes}, parameters, how, &counted);
  executed out{counted.thread_instructions,
               counted.memory_read_bytes + counted.memory_written_bytes,
               counted.memory_least_bytes,
               block,
               {}};
  for (const std::uint64_t address : addresses) {
    const std::size_t bytes = memory.size_of(address);
    out.buffers.push_back(bytes_of(memory.at(address, bytes), bytes));
  }
  return out;
}

/// How far apart the results of two texts are.
inline double distance(const work& launch, const executed& ours, const executed& other) {
  double worst = 0;
  std::size_t next = 0;
  for (const argument& given : launch.arguments)
    if (given.distance != nullptr) {
      const auto &a = ours.buffers[next], &b = other.buffers[next];
      worst = std::max(worst, given.distance(a.data(), b.data(), a.size()));
      ++next;
    }
  return worst;
}

}  // namespace bench
