// What one thread can reach through a generic address, for the functions that the emulator provides.
#pragma once

#include <string>

#include <tg/emulator/check/report.hpp>

namespace tg::emulator::detail {

/// The host's view of `bytes` bytes that `thread` names by a generic address. Returns: null where they are not its own.
inline std::byte* reachable(block& b, std::uint32_t thread, std::uint64_t address, std::uint64_t bytes) {
  const machine& m = b.the_machine();
  const auto within = [&](std::uint64_t begin, std::uint64_t size) {
    return address >= begin && address - begin <= size && bytes <= size - (address - begin);
  };
  if (within(shared_window, m.shared_bytes)) return b.shared + (address - shared_window);
  if (within(local_window, m.local_bytes)) return b.threads.at(thread, address);
  const allocation known = m.device.find(address);
  if (!known.holds(address, bytes)) return nullptr;
  if (known.is_heap) {
    const heap_block own = m.device.heap()->find(address);
    if (own.size_bytes == 0 || bytes > own.end() - address) return nullptr;
  }
  return byte_at(address);
}

}  // namespace tg::emulator::detail
