// A warp's loads, stores and atomics: finds the memory, checks, counts, moves.
#pragma once

#include <algorithm>

#include <tg/base/config.hpp>
#include <tg/emulator/access/atomic.hpp>
#include <tg/emulator/access/count_request.hpp>
#include <tg/emulator/access/heap_report.hpp>
#include <tg/emulator/block/cluster.hpp>
#include <tg/emulator/block/even_access.hpp>
#include <tg/emulator/check/watch.hpp>

namespace tg::emulator {

/// The allocation that an instruction used last.
struct last_allocation {
  std::uint64_t begin = 1;
  std::uint64_t end = 0;
  bool is_constant = false;
};

/// Memory accesses of the blocks that one worker runs.
class memory_unit {
 public:
  memory_unit(const machine& m, std::vector<instruction_count>& counts)
      : m_(m), counts_(counts), last_(m.image.accesses.size()) {}

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
      wrong(b, 403, o, a, w, lane, address,
            "is misaligned: " + std::to_string(address % alignment) + " bytes past a multiple of " + std::to_string(alignment),
            "align the address to a multiple of " + std::to_string(alignment));
    bool is_generic = a.space == ptx::token::generic;
    if (a.space == ptx::token::shared && a.is_cluster && address >= cluster_window - shared_window) {
      address += shared_window;
      is_generic = true;
    }
    const ptx::token space = is_generic ? window_of(address) : a.space;
    return reinterpret_cast<std::byte*>(host_address(b, o, a, w, lane, address, space, is_generic));
  }

 private:
  using addresses = std::array<std::uint64_t, 32>;

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
        last_allocation& known = last_[o.detail];
        if (lowest < known.begin || lowest >= known.end) find(known, lowest);
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
    if ((m_.options.check.memory || a.is_atomic) && (s.any_bits & (a.alignment() - 1)) != 0) misaligned(b, o, a, w, active, at);
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
      case ptx::token::const_: check_global(b, o, a, w, active, at, s); break;
      case ptx::token::shared: base = shared_base(b, o, a, w, active, at, s, a.space == ptx::token::generic); break;
      case ptx::token::local: base = local_base(b, o, a, w, active, at, s); break;
      case ptx::token::param: base = param_base(b, o, a, w, active, at, s); break;
      default: mixed(b, o, a, w, active, at); break;
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

  static ptx::token window_of(std::uint64_t address) {
    if (address >= memory::first_address) return ptx::token::global;
    if (address - shared_window < window_bytes) return ptx::token::shared;
    if (address - local_window < window_bytes) return ptx::token::local;
    if (address - param_window < window_bytes) return ptx::token::param;
    if (address - cluster_window < max_cluster_blocks * window_bytes) return ptx::token::shared_cluster;
    return ptx::token::global;  // null and its neighbours
  }

  static bool inside(const address_summary& s, std::uint64_t begin, std::uint64_t end, std::uint64_t bytes) {
    return s.lowest >= begin && s.highest < end && end - s.highest >= bytes;
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
          check_write(b, o, a, w, i, at[i], known);
          if (at[i] < known.begin || at[i] >= known.end || known.end - at[i] < a.bytes()) outside_global(b, o, a, w, i, at[i]);
        }
    }
    if (a.is_write && known.is_constant)
      check_write(b, o, a, w, static_cast<std::size_t>(std::countr_zero(active)), s.lowest, known);
  }

  /// Lanes outside the device's part of the address space may use host memory that the device was told of, no other.
  TG_COLD void leaves_device(const block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                             const addresses& at) const {
    for (std::uint32_t left = active; left != 0; left &= left - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(left));
      if (!m_.device.owns(at[i], at[i], a.bytes()) && !m_.device.find(at[i]).holds(at[i], a.bytes()))
        outside_global(b, o, a, w, i, at[i]);
    }
  }

  void find(last_allocation& known, std::uint64_t address) const {
    const allocation_table& table = *m_.table;
    const auto after = std::upper_bound(table.begin(), table.end(), address,
                                        [](std::uint64_t key, const allocation& a) { return key < a.address; });
    known = {};
    if (after == table.begin() || !(after - 1)->is_live) return;
    known = {(after - 1)->address, (after - 1)->end(), (after - 1)->is_constant};
    if (!(after - 1)->is_heap) return;
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

  /// The range that an access may stay in is that of its variable, where that is known.
  static void narrow(const memory_access& a, std::uint64_t window, std::uint64_t& begin, std::uint64_t& end) {
    if (a.extent_end == 0) return;
    begin = window + a.extent_begin;
    end = window + a.extent_end;
  }

  std::uint64_t shared_base(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                            const addresses& at, const address_summary& s, bool is_generic) {
    const std::uint64_t window = is_generic ? shared_window : 0;
    std::uint64_t begin = window, end = begin + m_.shared_bytes;
    if (m_.options.check.memory) narrow(a, window, begin, end);
    if (!inside(s, begin, end, a.bytes()))
      outside_window(b, o, a, w, active, at, window, window + m_.shared_bytes, "shared memory of the block", 404);
    return reinterpret_cast<std::uint64_t>(b.shared_of(w)) - window;
  }

  /// Shared memory of another block of the cluster, for one lane.
  std::uint64_t cluster_base(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                             const addresses& at, const address_summary& s) {
    const std::uint64_t rank = (s.lowest - cluster_window) / window_bytes, begin = cluster_window + rank * window_bytes;
    const block* const owner = b.cluster->find(rank);
    if (owner == nullptr || owner->has_ended)
      wrong(b, 456, o, a, w, static_cast<std::size_t>(std::countr_zero(active)), s.lowest,
            "is in the shared memory of block " + std::to_string(rank) +
                (owner == nullptr ? " of a cluster of " + std::to_string(m_.cluster.count())
                                  : " of the cluster, which has ended"),
            "keep every block until all are done with its memory: end with barrier.cluster");
    if (!inside(s, begin, begin + m_.shared_bytes, a.bytes()))
      outside_window(b, o, a, w, active, at, begin, begin + m_.shared_bytes, "shared memory of the other block", 404);
    return reinterpret_cast<std::uint64_t>(owner->shared) - begin;
  }

  std::uint64_t local_base(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                           addresses& at, const address_summary& s) {
    std::uint64_t begin = local_window, end = local_window + m_.local_bytes;
    if (m_.options.check.memory) narrow(a, 0, begin, end);
    if (!inside(s, begin, end, a.bytes()))
      outside_window(b, o, a, w, active, at, local_window, local_window + m_.local_bytes, "local memory of the thread", 405);
    for (std::size_t i = 0; i < 32; ++i) at[i] += (std::uint64_t{w} * 32 + i) * m_.local_bytes;
    return reinterpret_cast<std::uint64_t>(b.local) - local_window;
  }

  std::uint64_t param_base(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                           const addresses& at, const address_summary& s) {
    if (a.is_write) check_write(b, o, a, w, static_cast<std::size_t>(std::countr_zero(active)), s.lowest, {0, 0, true});
    const std::uint64_t end = param_window + m_.params.size();
    if (!inside(s, param_window, end, a.bytes()))
      outside_window(b, o, a, w, active, at, param_window, end, "parameters of the kernel", 406);
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
  }

  [[noreturn]] TG_COLD void wrong(const block& b, int number, const operation& o, const memory_access& a, std::uint32_t w,
                                  std::size_t lane, std::uint64_t address, std::string detail, std::string_view fix) const {
    const ptx::token space = a.space == ptx::token::generic ? window_of(address) : a.space;
    check::finding f = start_finding(m_, check::checker::memory, number,
                                     site_of(m_, o, b.number_of(w), w % m_.warps * 32 + static_cast<std::uint32_t>(lane)));
    f.what = "Invalid __" + std::string(ptx::name(space)) + "__ " +
             (a.is_atomic  ? "atomic"
              : a.is_write ? "write"
                           : "read") +
             " of size " + std::to_string(a.bytes()) + " bytes";
    f.has_address = true;
    f.address = address;
    f.bytes = a.bytes();
    f.detail = std::move(detail);
    f.fix = fix;
    throw check::failure(std::move(f));
  }

  [[noreturn]] TG_COLD void misaligned(const block& b, const operation& o, const memory_access& a, std::uint32_t w,
                                       std::uint32_t active, const addresses& at) const {
    for (std::uint32_t left = active;; left &= left - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
      if ((at[i] & (a.alignment() - 1)) == 0) continue;
      wrong(b, 403, o, a, w, i, at[i],
            "is misaligned: " + std::to_string(at[i] % a.alignment()) + " bytes past a multiple of " +
                std::to_string(a.alignment()),
            a.alignment() > a.element_bytes ? "align the start of the vector to its whole size, or use a narrower one"
                                            : "align the address to the size of the access");
    }
  }

  [[noreturn]] TG_COLD void outside_global(const block& b, const operation& o, const memory_access& a, std::uint32_t w,
                                           std::size_t lane, std::uint64_t address) const {
    const auto is_wrong = [&](int number, std::string detail, std::string_view fix) {
      wrong(b, number, o, a, w, lane, address, std::move(detail), fix);
    };
    if (const device_heap* heap = m_.device.heap(); heap != nullptr && heap->holds(address))
      outside_heap(is_wrong, address, heap->nearest(address));
    for (const allocation& known : *m_.table)
      if (!known.is_live && address >= known.address && address < known.end())
        is_wrong(407, "is a use after free: " + nearest_allocation(m_, address, a.bytes()),
                 "release the buffer after the last kernel that uses it");
    if (address < 4096) is_wrong(408, "follows a null pointer", "check that every pointer parameter was given a buffer");
    wrong(b, 402, o, a, w, lane, address, "is out of bounds: " + nearest_allocation(m_, address, a.bytes()),
          "check the index against the number of elements");
  }

  [[noreturn]] TG_COLD void outside_window(const block& b, const operation& o, const memory_access& a, std::uint32_t w,
                                           std::uint32_t active, const addresses& at, std::uint64_t begin, std::uint64_t end,
                                           std::string_view whose, int number) const {
    for (std::uint32_t left = active;; left &= left - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
      if (at[i] >= begin && at[i] < end && end - at[i] >= a.bytes()) {
        if (!m_.options.check.memory) continue;
        const std::uint64_t window = number == 404 ? begin : 0;
        std::uint64_t first = begin, last = end;
        narrow(a, window, first, last);
        if (at[i] >= first && at[i] < last && last - at[i] >= a.bytes()) continue;
        const std::string aim = "the variable of " + std::to_string(last - first) + " bytes that it is aimed at" +
                                (number == 404 ? variable_at(m_, first - window) : "");
        wrong(b, 410, o, a, w, i, at[i],
              "is out of bounds: " +
                  (at[i] < first ? std::to_string(first - at[i]) + " bytes before "
                                 : std::to_string(at[i] + a.bytes() - last) + " bytes too far for ") +
                  aim,
              "check the index against the size of the array");
      }
      std::string text = "is out of bounds: outside the " + std::to_string(end - begin) + " bytes of the " + std::string(whose);
      if (number == 404 && !m_.kernel.shared.empty()) text += ", behind '" + m_.kernel.shared.back().name + "'";
      wrong(b, number, o, a, w, i, at[i], std::move(text),
            number == 404 ? "check the index, or ask for more dynamic shared memory at launch"
                          : "check the index against the size of the variable");
    }
  }

  void check_write(const block& b, const operation& o, const memory_access& a, std::uint32_t w, std::size_t lane,
                   std::uint64_t address, const last_allocation& known) const {
    if (!a.is_write || !known.is_constant) return;
    wrong(b, 409, o, a, w, lane, address, "writes to constant memory", "write to a .global variable or a buffer");
  }

  void atomic(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active, std::uint64_t base,
              const addresses& at) {
    std::array<std::byte*, operation::max_slots> slots;
    for (std::size_t k = 0; k + 1 < o.slot_count; ++k) slots[k] = b.slot(o, k, w);
    run_atomic(a, active, base, at.data(), slots.data());
  }

  const machine& m_;
  std::vector<instruction_count>& counts_;
  std::vector<last_allocation> last_;
  bool is_followed_ = m_.watch != nullptr && m_.watch->follows_accesses();
  bool moves_ranges_ = m_.options.patterns && !m_.counts;
  std::uint64_t heap_generation_ = 0;
};

}  // namespace tg::emulator
