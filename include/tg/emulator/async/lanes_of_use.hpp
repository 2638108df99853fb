// The operands of an asynchronous operation, lane by lane.
#pragma once

#include <bit>
#include <cstring>

#include <tg/emulator/access/access.hpp>
#include <tg/emulator/async/arrival.hpp>

namespace tg::emulator::detail {

/// One thread that runs an asynchronous operation.
struct async_lane {
  block& b;
  const operation& o;
  const async_use& use;
  memory_unit& memory;
  std::uint32_t warp;
  std::uint32_t lane;

  std::uint32_t thread() const { return warp * 32 + lane; }

  /// The bits of slot `k`.
  std::uint64_t value(std::size_t k) const {
    std::uint64_t bits = 0;
    std::memcpy(&bits, at(k), o.slot_bytes[k]);
    return bits;
  }
  void set(std::size_t k, std::uint64_t bits) const { std::memcpy(at(k), &bits, o.slot_bytes[k]); }

  const memory_access& access(std::size_t k) const { return b.the_machine().image.accesses[use.accesses[k]]; }

  /// Address `k` as the program wrote it.
  std::uint64_t address(std::size_t k) const {
    const std::size_t slot = o.slot_count - use.address_count + k;
    const std::uint64_t sum = value(slot) + static_cast<std::uint64_t>(access(k).offset);
    return o.slot_bytes[slot] == 4 ? sum & 0xffffffff : sum;
  }

  /// The host's view of `bytes` bytes there, checked as a load or store would be.
  std::byte* place(std::size_t k, std::uint32_t bytes, std::uint32_t alignment) const {
    return memory.place(b, o, access(k), warp, lane, address(k), bytes, alignment);
  }
  std::byte* place_at(std::size_t k, std::uint64_t where, std::uint32_t bytes, std::uint32_t alignment) const {
    return memory.place(b, o, access(k), warp, lane, where, bytes, alignment);
  }

  mbarrier_place mbarrier_at(std::size_t k) const { return mbarrier_place(b, o, thread(), place(k, 8, 8)); }

  [[noreturn]] TG_COLD void refuse(int number, const std::string& what, std::string_view fix) const {
    fail(b.the_machine(), number, o, describe(b.the_machine(), o) + " " + by_thread(b, warp, lane) + " " + what, fix);
  }

 private:
  std::byte* at(std::size_t k) const { return b.slot(o, k, warp) + std::size_t{lane} * o.slot_bytes[k]; }
};

/// Calls `visit` for each active lane of the group.
template <class Visit> void each_async_lane(block& b, const operation& o, memory_unit& memory, Visit visit) {
  const async_use& use = b.the_machine().image.async_uses[o.detail];
  for (std::uint32_t w = 0; w < b.the_machine().warps; ++w)
    for (std::uint32_t left = b.active(o, w); left != 0; left &= left - 1)
      visit(async_lane{b, o, use, memory, w, static_cast<std::uint32_t>(std::countr_zero(left))});
}

}  // namespace tg::emulator::detail
