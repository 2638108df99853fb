// Where an access lies on the host: the memory that its addresses are in, after the checks that they may be there.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>

#include <tg/base/config.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/access/access_faults.hpp>
#include <tg/emulator/block/cluster.hpp>

namespace tg::emulator {

/// Places of the accesses that one worker runs. What is added to an address gives its place on the host.
class access_places {
 public:
  using addresses = access_faults::addresses;

  explicit access_places(const machine& m) : m_(m), faults_(m), last_(m.image.accesses.size()) {}

  /// The allocation that access number `access` used last, or that `address` is in.
  const last_allocation& allocation_of(std::uint32_t access, std::uint64_t address) {
    last_allocation& known = last_[access];
    if (address < known.begin || address >= known.end) find(known, address);
    return known;
  }

  void check_global(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                    const addresses& at, const address_summary& s) {
    if (!m_.options.check.memory) {
      if (!m_.device.owns(s.lowest, s.highest, a.bytes())) leaves_device(b, o, a, w, active, at);
      return;
    }
    if (m_.image.uses_heap) forget_freed();
    last_allocation& known = last_[a.number];
    if (!inside(s, known.begin, known.end, a.bytes())) {
      find(known, s.lowest);
      if (!inside(s, known.begin, known.end, a.bytes()))
        for (std::uint32_t left = active; left != 0; left &= left - 1) {
          const auto i = static_cast<std::size_t>(std::countr_zero(left));
          find(known, at[i]);
          faults_.check_write(b, o, a, w, i, at[i], known);
          if (at[i] < known.begin || at[i] >= known.end || known.end - at[i] < a.bytes())
            faults_.outside_global(b, o, a, w, i, at[i]);
        }
    }
    if (a.is_write && known.is_constant)
      faults_.check_write(b, o, a, w, static_cast<std::size_t>(std::countr_zero(active)), s.lowest, known);
  }

  std::uint64_t shared_base(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                            const addresses& at, const address_summary& s, bool is_generic) {
    const std::uint64_t window = is_generic ? shared_window : 0;
    std::uint64_t begin = window, end = begin + m_.shared_bytes;
    if (m_.options.check.memory) narrow(a, window, begin, end);
    if (!inside(s, begin, end, a.bytes()))
      faults_.outside_window(b, o, a, w, active, at, window, window + m_.shared_bytes, "shared memory of the block", 404);
    return reinterpret_cast<std::uint64_t>(b.shared_of(w)) - window;
  }

  /// Shared memory of another block of the cluster, for one lane.
  std::uint64_t cluster_base(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                             const addresses& at, const address_summary& s) {
    const std::uint64_t rank = (s.lowest - cluster_window) / window_bytes, begin = cluster_window + rank * window_bytes;
    const block* const owner = b.cluster->find(rank);
    if (owner == nullptr || owner->has_ended)
      faults_.wrong(b, 456, o, a, w, static_cast<std::size_t>(std::countr_zero(active)), s.lowest,
                    "is in the shared memory of block " + std::to_string(rank) +
                        (owner == nullptr ? " of a cluster of " + std::to_string(m_.cluster.count())
                                          : " of the cluster, which has ended"),
                    "keep every block until all are done with its memory: end with barrier.cluster");
    if (!inside(s, begin, begin + m_.shared_bytes, a.bytes()))
      faults_.outside_window(b, o, a, w, active, at, begin, begin + m_.shared_bytes, "shared memory of the other block", 404);
    return reinterpret_cast<std::uint64_t>(owner->shared) - begin;
  }

  std::uint64_t local_base(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                           addresses& at, const address_summary& s) {
    std::uint64_t begin = local_window, end = local_window + m_.local_bytes;
    if (m_.options.check.memory) narrow(a, 0, begin, end);
    if (!inside(s, begin, end, a.bytes()))
      faults_.outside_window(b, o, a, w, active, at, local_window, local_window + m_.local_bytes, "local memory of the thread",
                             405);
    for (std::size_t i = 0; i < 32; ++i) at[i] += (std::uint64_t{w} * 32 + i) * m_.local_bytes;
    return reinterpret_cast<std::uint64_t>(b.local) - local_window;
  }

  std::uint64_t param_base(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                           const addresses& at, const address_summary& s) {
    if (a.is_write) faults_.check_write(b, o, a, w, static_cast<std::size_t>(std::countr_zero(active)), s.lowest, {0, 0, true});
    const std::uint64_t end = param_window + m_.params.size();
    if (!inside(s, param_window, end, a.bytes()))
      faults_.outside_window(b, o, a, w, active, at, param_window, end, "parameters of the kernel", 406);
    return reinterpret_cast<std::uint64_t>(m_.params.data()) - param_window;
  }

  /// What one lane's address is on the host.
  std::uint64_t host_address(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::size_t i,
                             std::uint64_t address, ptx::token space, bool is_generic) {
    addresses one;
    one.fill(address);
    const address_summary s{address, address, address, false};
    const std::uint32_t lane = std::uint32_t{1} << i;
    switch (space) {
      case ptx::token::shared: return shared_base(b, o, a, w, lane, one, s, is_generic) + address;
      case ptx::token::shared_cluster: return cluster_base(b, o, a, w, lane, one, s) + address;
      case ptx::token::local: {
        const std::uint64_t base = local_base(b, o, a, w, lane, one, s);
        return base + one[i];
      }
      case ptx::token::param: return param_base(b, o, a, w, lane, one, s) + address;
      default: check_global(b, o, a, w, lane, one, s); return address;
    }
  }

  /// Generic accesses whose lanes go to different spaces: each lane's address becomes a host address.
  void mixed(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active, addresses& at) {
    addresses host{};
    for (std::uint32_t left = active; left != 0; left &= left - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(left));
      host[i] = host_address(b, o, a, w, i, at[i], window_of(at[i]), true);
    }
    for (std::size_t i = 0; i < 32; ++i)
      at[i] = (active >> i) & 1 ? host[i] : host[static_cast<std::size_t>(std::countr_zero(active))];
  }

 private:
  static bool inside(const address_summary& s, std::uint64_t begin, std::uint64_t end, std::uint64_t bytes) {
    return s.lowest >= begin && s.highest < end && end - s.highest >= bytes;
  }

  /// Lanes outside the device's part of the address space may use host memory that the device was told of, no other.
  TG_COLD void leaves_device(const block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                             const addresses& at) const {
    for (std::uint32_t left = active; left != 0; left &= left - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(left));
      if (!m_.device.owns(at[i], at[i], a.bytes()) && !m_.device.find(at[i]).holds(at[i], a.bytes()))
        faults_.outside_global(b, o, a, w, i, at[i]);
    }
  }

  void find(last_allocation& known, std::uint64_t address) const {
    const allocation* const range = last_range_from(*m_.table, address);
    known = {};
    if (range == nullptr || !range->is_live || !faults_.is_permitted(*range)) return;
    known = {range->address, range->end(), range->is_constant};
    if (!range->is_heap) return;
    const heap_block own = m_.device.heap()->find(address);
    known = {own.address, own.end(), false};
  }

  /// After a free no instruction may rely on what it found before.
  void forget_freed() {
    const std::uint64_t now = m_.device.heap()->generation();
    if (now == heap_generation_) return;
    heap_generation_ = now;
    std::fill(last_.begin(), last_.end(), last_allocation{});
  }

  const machine& m_;
  access_faults faults_;
  dynamic_array<last_allocation> last_;
  std::uint64_t heap_generation_ = 0;
};

}  // namespace tg::emulator
