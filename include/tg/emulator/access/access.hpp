// A warp's loads, stores and atomics: finds the memory, checks, counts, moves.
#pragma once

#include <algorithm>

#include <tg/base/config.hpp>
#include <tg/emulator/access/access_faults.hpp>
#include <tg/emulator/access/access_places.hpp>
#include <tg/emulator/access/atomic.hpp>
#include <tg/emulator/access/count_request.hpp>
#include <tg/emulator/access/memory_traffic.hpp>
#include <tg/emulator/block/even_access.hpp>
#include <tg/emulator/check/watch.hpp>
#include <tg/emulator/memory/program_accesses.hpp>

namespace tg::emulator {

/// Memory accesses of the blocks that one worker runs.
class memory_unit {
 public:
  memory_unit(const machine& m, dynamic_array<instruction_count>& counts) : m_(m), counts_(counts), faults_(m), places_(m) {}

  /// Runs a load, store or atomic for the active lanes of each warp of the group.
  void operator()(block& b, const operation& o) {
    const memory_access& a = m_.image.accesses[o.detail];
    if (at_once(b, o, a)) return;
    b.patterns.settle(o);
    for (std::uint32_t r = 0; r < b.group.run_count; ++r) {
      const lane_group::run& run = b.group.runs[r];
      for (std::uint32_t w = run.first_warp; w < run.first_warp + run.warps; ++w)
        if (const std::uint32_t active = b.active(o, w) & a.lanes; active != 0) one_warp(b, o, a, w, active);
    }
  }

  /// The counts of an operation's instruction. Requires: that the machine counts.
  instruction_count& counts_of(const operation& o) { return counts_[o.instruction]; }

  /// The host's view of `bytes` bytes at one lane's address, after the checks of a load or store.
  std::byte* place(block& b, const operation& o, const memory_access& named, std::uint32_t w, std::uint32_t lane,
                   std::uint64_t address, std::uint32_t bytes, std::uint32_t alignment) {
    memory_access a = named;
    a.element_bytes = bytes;
    a.elements = 1;
    if (m_.options.check.memory && address % alignment != 0)
      faults_.wrong(
          b, 403, o, a, w, lane, address,
          "is misaligned: " + std::to_string(address % alignment) + " bytes past a multiple of " + std::to_string(alignment),
          "align the address to a multiple of " + std::to_string(alignment));
    bool is_generic = a.space == ptx::token::generic;
    if (a.space == ptx::token::shared && a.is_cluster && address >= cluster_window - shared_window) {
      address += shared_window;
      is_generic = true;
    }
    const ptx::token space = is_generic ? window_of(address) : a.space;
    return reinterpret_cast<std::byte*>(places_.host_address(b, o, a, w, lane, address, space, is_generic));
  }

 private:
  using addresses = access_faults::addresses;

  /// Moves whole ranges of lanes whose addresses are evenly spaced, where nobody asks for single warps.
  /// Returns: false when each warp must be looked at; then nothing has happened.
  bool at_once(block& b, const operation& o, const memory_access& a) {
    const std::uint32_t address_slot = o.slots[o.slot_count - 1u];
    if (!moves_ranges_ || a.is_atomic || a.lanes != 0xffffffffu || !b.patterns.is_even(address_slot)) return false;
    const even_values& v = b.patterns.values(address_slot, false);
    if (!v.is_exact || ((v.any_bits | a.offset) & (a.bytes() - 1)) != 0 || !is_moderate(a.offset)) return false;
    if (o.guard != no_slot) b.patterns.settle(o.guard);
    const bool is_full = b.group.is_whole && o.guard == no_slot, is_same = v.is_uniform();
    lane_ranges ranges;
    even_access access(m_, v, a.offset, b.abreast);
    const ptx::token space = space_of(a, v);
    const bool loads_once = is_full && is_same && !a.is_write && space != ptx::token::local;
    if ((!loads_once || is_followed_) && !ranges.find(b, o)) return false;
    if (!place(b, o, a, space, v, access, ranges)) return false;
    for (std::size_t k = 0; a.is_write && k < a.elements; ++k) b.patterns.settle(o.slots[k]);
    if (is_followed_ && !m_.watch->access(b, o, a, space, v, ranges)) return false;
    const program_accesses racing;
    if (loads_once) {
      access.load_same(b, o, a);
      return true;
    }
    for (std::size_t k = 0; !a.is_write && k < a.elements; ++k)
      is_full ? b.patterns.replace(o.slots[k]) : b.patterns.forget(o.slots[k]);
    for (const lane_range& lanes : ranges) access.move(b, o, a, lanes);
    return true;
  }

  /// Where all of the addresses lie; generic where they do not lie in one space.
  static ptx::token space_of(const memory_access& a, const even_values& v) {
    const ptx::token first = window_of(static_cast<std::uint64_t>(v.lowest + a.offset));
    const bool is_one = first == window_of(static_cast<std::uint64_t>(v.highest + a.offset));
    return a.space == ptx::token::generic && is_one ? first : a.space;
  }

  /// Finds the memory of the ranges. Returns: false when some address may lie outside it.
  bool place(const block& b, const operation& o, const memory_access& a, ptx::token space, const even_values& v,
             even_access& access, const lane_ranges& ranges) {
    const auto lowest = static_cast<std::uint64_t>(v.lowest + a.offset);
    std::uint64_t begin = 0, end = m_.shared_bytes;
    switch (space) {
      case ptx::token::global:
      case ptx::token::const_: {
        access.place(0);
        if (m_.image.uses_heap) return false;
        const last_allocation& known = places_.allocation_of(o.detail, lowest);
        if (known.is_constant && a.is_write) return false;
        begin = known.begin;
        end = known.end;
        break;
      }
      case ptx::token::shared:
        if (a.space == ptx::token::generic) begin = shared_window, end += shared_window;
        access.place(reinterpret_cast<std::uint64_t>(b.shared) - begin, static_cast<std::int64_t>(b.shared_stride));
        narrow(a, begin, begin, end);
        break;
      case ptx::token::local:
        if (!v.is_uniform()) return false;
        begin = local_window;
        end = local_window + m_.local_bytes;
        access.place(reinterpret_cast<std::uint64_t>(b.local) - local_window, 0, static_cast<std::int64_t>(m_.local_bytes));
        narrow(a, 0, begin, end);
        break;
      default: return false;
    }
    const auto is_inside = [&](std::int64_t low, std::int64_t high) {
      return low >= static_cast<std::int64_t>(begin) && high + a.bytes() <= static_cast<std::int64_t>(end);
    };
    if (is_inside(v.lowest + a.offset, v.highest + a.offset)) return true;
    if (ranges.begin() == ranges.end()) return false;
    return std::ranges::all_of(ranges, [&](const lane_range& lanes) { return access.lies(lanes, is_inside); });
  }

  void one_warp(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active) {
    const std::size_t address_slot = o.slot_count - 1u;
    alignas(64) addresses at;
    m_.lanes.addresses(at.data(), b.slot(o, address_slot, w), o.slot_bytes[address_slot], a.offset);
    if (active != 0xffffffffu) {
      const std::uint64_t first = at[static_cast<std::size_t>(std::countr_zero(active))];
      for (std::size_t i = 0; i < 32; ++i)
        if (((active >> i) & 1) == 0) at[i] = first;
    }
    const address_summary s = m_.lanes.summarize(at.data(), a.bytes());
    if ((m_.options.check.memory || a.is_atomic) && (s.any_bits & (a.alignment() - 1)) != 0)
      faults_.misaligned(b, o, a, w, active, at);
    ptx::token space = a.space;
    if (space == ptx::token::generic)
      space = window_of(s.lowest) == window_of(s.highest) ? window_of(s.lowest) : ptx::token::generic;
    if (a.is_cluster && s.highest >= cluster_window - shared_window) {
      for (std::uint64_t& address : at) address += shared_window;
      space = ptx::token::shared_cluster;
    }
    if (m_.counts) count(o, a, space, active, at, w);
    std::uint64_t base = 0;
    switch (space) {
      case ptx::token::global:
      case ptx::token::const_: places_.check_global(b, o, a, w, active, at, s); break;
      case ptx::token::shared: base = places_.shared_base(b, o, a, w, active, at, s, a.space == ptx::token::generic); break;
      case ptx::token::local: base = places_.local_base(b, o, a, w, active, at, s); break;
      case ptx::token::param: base = places_.param_base(b, o, a, w, active, at, s); break;
      default: places_.mixed(b, o, a, w, active, at); break;
    }
    if (is_followed_) follow(b, o, a, w, active);
    move(b, o, a, w, active, base, at, s.is_contiguous && space != ptx::token::local && space != ptx::token::generic);
  }

  /// Shows the access to the checkers, with the addresses as the program wrote them.
  TG_COLD void follow(const block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active) const {
    const std::size_t address_slot = o.slot_count - 1u;
    alignas(64) addresses at;
    m_.lanes.addresses(at.data(), b.slot(o, address_slot, w), o.slot_bytes[address_slot], a.offset);
    m_.watch->access(b, o, a, w, active, at.data());
  }

  void move(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active, std::uint64_t base,
            addresses& at, bool is_contiguous) {
    const program_accesses racing;
    if (a.is_atomic) return atomic(b, o, a, w, active, base, at);
    for (std::size_t k = 0; k < a.elements; ++k) {
      std::byte* const slot = b.slot(o, k, w);
      const std::size_t slot_size = o.slot_bytes[k];
      if (is_contiguous && active == 0xffffffffu && a.elements == 1 && slot_size == a.element_bytes) {
        if (a.is_write) std::memcpy(reinterpret_cast<void*>(base + at[0]), slot, 32 * slot_size);
        else std::memcpy(slot, reinterpret_cast<const void*>(base + at[0]), 32 * slot_size);
        return;
      }
      if (a.is_write) {
        if (active == 0xffffffffu) m_.lanes.scatter(base, at.data(), slot, slot_size, a.element_bytes);
        else
          for (std::uint32_t left = active; left != 0; left &= left - 1) {
            const auto i = static_cast<std::size_t>(std::countr_zero(left));
            std::memcpy(reinterpret_cast<void*>(base + at[i]), slot + i * slot_size, a.element_bytes);
          }
      } else if (active == 0xffffffffu) {
        m_.lanes.gather(slot, slot_size, base, at.data(), a.type);
      } else {
        alignas(64) std::array<std::byte, 256> loaded;
        alignas(64) std::array<std::uint32_t, 32> mask;
        m_.lanes.gather(loaded.data(), slot_size, base, at.data(), a.type);
        m_.lanes.spread(mask.data(), active);
        m_.lanes.blend(slot, loaded.data(), mask.data(), 1, slot_size);
      }
      for (std::uint64_t& address : at) address += a.element_bytes;
    }
  }

  void count(const operation& o, const memory_access& a, ptx::token space, std::uint32_t active, const addresses& at,
             std::uint32_t w) {
    instruction_count& c = counts_[o.instruction];
    const bool is_full = active == (m_.lanes_of(w) & a.lanes);
    ++c.requests;
    c.full_requests += is_full;
    c.bytes += static_cast<std::uint64_t>(std::popcount(active)) * a.bytes();
    c.space = space;
    analysis::request request;
    for (std::size_t i = 0; i < 32; ++i) request.address_bytes[i] = static_cast<std::int64_t>(at[i]);
    request.active = active;
    request.access_bytes = static_cast<int>(a.bytes());
    count_request(c, request, space, is_full);
    if (m_.traffic != nullptr) count_traffic(a, active, at);
  }

  /// Lanes that go to global memory touch the cache.
  void count_traffic(const memory_access& a, std::uint32_t active, const addresses& at) const {
    for (std::uint32_t left = active; left != 0; left &= left - 1) {
      const std::uint64_t address = at[static_cast<std::size_t>(std::countr_zero(left))];
      if (a.space != ptx::token::global && a.space != ptx::token::const_ &&
          (a.space != ptx::token::generic || window_of(address) != ptx::token::global))
        continue;
      if (a.is_atomic) m_.traffic->update(address, a.bytes());
      else if (a.is_write) m_.traffic->store(address, a.bytes());
      else m_.traffic->load(address, a.bytes());
    }
  }

  void atomic(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active, std::uint64_t base,
              const addresses& at) {
    std::array<std::byte*, operation::max_slots> slots;
    for (std::size_t k = 0; k + 1 < o.slot_count; ++k) slots[k] = b.slot(o, k, w);
    run_atomic(a, active, base, at.data(), slots.data());
  }

  const machine& m_;
  dynamic_array<instruction_count>& counts_;
  access_faults faults_;
  access_places places_;
  bool is_followed_ = m_.watch != nullptr && m_.watch->follows_accesses();
  bool moves_ranges_ = m_.options.patterns && !m_.counts;
};

}  // namespace tg::emulator
