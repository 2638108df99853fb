// Where every byte goes through that an asynchronous operation moves.
#pragma once

#include <cstring>

#include <tg/emulator/access/memory_traffic.hpp>
#include <tg/emulator/block/block.hpp>
#include <tg/emulator/check/watch.hpp>
#include <tg/emulator/memory/program_accesses.hpp>

namespace tg::emulator::detail {

/// Counts the traffic of global memory; `is_update`: what is written is read before.
inline void count_traffic(const machine& m, const std::byte* to, const std::byte* from, std::size_t bytes,
                          bool is_update = false) {
  if (m.traffic == nullptr) return;
  const auto is_global = [&](const std::byte* p) {
    const allocation* const range = last_range_from(*m.table, reinterpret_cast<std::uint64_t>(p));
    return range != nullptr && range->holds(reinterpret_cast<std::uint64_t>(p), bytes);
  };
  if (is_global(from)) m.traffic->load(reinterpret_cast<std::uint64_t>(from), bytes);
  if (!is_global(to)) return;
  if (is_update) m.traffic->update(reinterpret_cast<std::uint64_t>(to), bytes);
  else m.traffic->store(reinterpret_cast<std::uint64_t>(to), bytes);
}

/// Copies for `o`, which block `b` issued; `to` and `from` are the host's view of shared or global memory.
inline void transfer(block& b, const operation& /*o*/, std::byte* to, const std::byte* from, std::size_t bytes) {
  if (bytes == 0) return;
  count_traffic(b.the_machine(), to, from, bytes);
  const program_accesses racing;
  std::memcpy(to, from, bytes);
  if (b.the_machine().watch != nullptr) b.the_machine().watch->moved(b, to, from, bytes);
}

/// Fills with what is read where there is nothing to read.
inline void transfer_fill(block& b, const operation& /*o*/, std::byte* to, const std::byte* pattern, std::size_t pattern_bytes,
                          std::size_t bytes) {
  if (b.the_machine().watch != nullptr) b.the_machine().watch->moved(b, to, nullptr, bytes);
  const program_accesses racing;
  for (std::size_t k = 0; k < bytes; ++k) to[k] = pattern[k % pattern_bytes];
}

}  // namespace tg::emulator::detail
