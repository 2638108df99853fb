// A warp's loads, stores and atomics: finds the memory, checks, counts, moves.
#pragma once

#include <algorithm>

#include <tg/analysis/global.hpp>
#include <tg/analysis/shared.hpp>
#include <tg/base/config.hpp>
#include <tg/emulator/report.hpp>

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
    for (std::uint32_t r = 0; r < b.group.run_count; ++r) {
      const lane_group::run& run = b.group.runs[r];
      for (std::uint32_t w = run.first_warp; w < run.first_warp + run.warps; ++w)
        if (const std::uint32_t active = b.active(o, w); active != 0) one_warp(b, o, a, w, active);
    }
  }

 private:
  using addresses = std::array<std::uint64_t, 32>;

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
    if (m_.options.align && (s.any_bits & (a.bytes() - 1)) != 0) misaligned(b, o, a, w, active, at);
    ptx::token space = a.space;
    if (space == ptx::token::generic)
      space = window_of(s.lowest) == window_of(s.highest) ? window_of(s.lowest) : ptx::token::generic;
    if (m_.counts) count(o, a, space, active, at, w);
    std::uint64_t base = 0;
    switch (space) {
      case ptx::token::global:
      case ptx::token::const_:
        base = global_base(b, o, a, w, active, at, s);
        break;
      case ptx::token::shared:
        base = shared_base(b, o, a, w, active, at, s, a.space == ptx::token::generic);
        break;
      case ptx::token::local:
        base = local_base(b, o, a, w, active, at, s);
        break;
      case ptx::token::param:
        base = param_base(b, o, a, w, active, at, s);
        break;
      default:
        mixed(b, o, a, w, active, at);
        break;
    }
    move(b, o, a, w, active, base, at, s.is_contiguous && space != ptx::token::local && space != ptx::token::generic);
  }

  void move(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
            std::uint64_t base, addresses& at, bool is_contiguous) {
    if (a.is_atomic) return atomic(b, o, a, w, active, base, at);
    for (std::size_t k = 0; k < a.elements; ++k) {
      std::byte* const slot = b.slot(o, k, w);
      const std::size_t slot_size = o.slot_bytes[k];
      if (is_contiguous && active == 0xffffffffu && a.elements == 1 && slot_size == a.element_bytes) {
        if (a.is_write)
          std::memcpy(reinterpret_cast<void*>(base + at[0]), slot, 32 * slot_size);
        else
          std::memcpy(slot, reinterpret_cast<const void*>(base + at[0]), 32 * slot_size);
        return;
      }
      if (a.is_write) {
        if (active == 0xffffffffu)
          m_.lanes.scatter(base, at.data(), slot, slot_size, a.element_bytes);
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
    return ptx::token::global;  // null and its neighbours
  }

  static bool inside(const address_summary& s, std::uint64_t begin, std::uint64_t end, std::uint64_t bytes) {
    return s.lowest >= begin && s.highest < end && end - s.highest >= bytes;
  }

  std::uint64_t global_base(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                            const addresses& at, const address_summary& s) {
    if (!m_.options.bounds) return m_.host_offset;
    last_allocation& known = last_[o.detail];
    if (!inside(s, known.begin, known.end, a.bytes())) {
      find(known, s.lowest);
      if (!inside(s, known.begin, known.end, a.bytes()))
        for (std::uint32_t left = active; left != 0; left &= left - 1) {
          const auto i = static_cast<std::size_t>(std::countr_zero(left));
          find(known, at[i]);
          check_write(b, o, a, w, i, at[i], known);
          if (at[i] < known.begin || at[i] >= known.end || known.end - at[i] < a.bytes())
            outside_global(b, o, a, w, i, at[i]);
        }
    }
    if (a.is_write && known.is_constant)
      check_write(b, o, a, w, static_cast<std::size_t>(std::countr_zero(active)), s.lowest, known);
    return m_.host_offset;
  }

  void find(last_allocation& known, std::uint64_t address) const {
    const allocation_table& table = *m_.table;
    const auto after = std::upper_bound(table.begin(), table.end(), address,
                                        [](std::uint64_t key, const allocation& a) { return key < a.address; });
    known = {};
    if (after == table.begin() || !(after - 1)->is_live) return;
    known = {(after - 1)->address, (after - 1)->end(), (after - 1)->is_constant};
  }

  std::uint64_t shared_base(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                            const addresses& at, const address_summary& s, bool is_generic) {
    const std::uint64_t begin = is_generic ? shared_window : 0, end = begin + m_.shared_bytes;
    if (m_.options.bounds && !inside(s, begin, end, a.bytes()))
      outside_window(b, o, a, w, active, at, begin, end, "shared memory of the block", 404);
    return reinterpret_cast<std::uint64_t>(b.shared) - begin;
  }

  std::uint64_t local_base(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                           addresses& at, const address_summary& s) {
    const std::uint64_t end = local_window + m_.image.local_bytes;
    if (m_.options.bounds && !inside(s, local_window, end, a.bytes()))
      outside_window(b, o, a, w, active, at, local_window, end, "local memory of the thread", 405);
    for (std::size_t i = 0; i < 32; ++i) at[i] += (std::uint64_t{w} * 32 + i) * m_.image.local_bytes;
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

  /// Generic accesses whose lanes go to different spaces: each lane's address becomes a host address.
  void mixed(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
             addresses& at) {
    addresses host{};
    for (std::uint32_t left = active; left != 0; left &= left - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(left));
      addresses one;
      one.fill(at[i]);
      const address_summary s{at[i], at[i], at[i], false};
      const std::uint32_t lane = std::uint32_t{1} << i;
      std::uint64_t base = 0;
      switch (window_of(at[i])) {
        case ptx::token::shared:
          base = shared_base(b, o, a, w, lane, one, s, true);
          break;
        case ptx::token::local:
          base = local_base(b, o, a, w, lane, one, s);
          break;
        case ptx::token::param:
          base = param_base(b, o, a, w, lane, one, s);
          break;
        default:
          base = global_base(b, o, a, w, lane, one, s);
          break;
      }
      host[i] = base + one[i];
    }
    for (std::size_t i = 0; i < 32; ++i)
      at[i] = (active >> i) & 1 ? host[i] : host[static_cast<std::size_t>(std::countr_zero(active))];
  }

  void count(const operation& o, const memory_access& a, ptx::token space, std::uint32_t active, const addresses& at,
             std::uint32_t w) {
    instruction_count& c = counts_[o.instruction];
    const bool is_full = active == m_.lanes_of(w);
    ++c.requests;
    c.full_requests += is_full;
    c.bytes += static_cast<std::uint64_t>(std::popcount(active)) * a.bytes();
    c.space = space;
    analysis::request request;
    for (std::size_t i = 0; i < 32; ++i) request.address_bytes[i] = static_cast<std::int64_t>(at[i]);
    request.active = active;
    request.access_bytes = static_cast<int>(a.bytes());
    if (space == ptx::token::global || space == ptx::token::const_) {
      const analysis::global_cost cost = analysis::count_global(request);
      c.sectors += static_cast<std::uint64_t>(cost.sectors);
      c.lines += static_cast<std::uint64_t>(cost.lines);
      if (is_full) {
        c.sectors_min = std::min(c.sectors_min, static_cast<std::uint32_t>(cost.sectors));
        c.sectors_max = std::max(c.sectors_max, static_cast<std::uint32_t>(cost.sectors));
      }
    } else if (space == ptx::token::shared) {
      const analysis::shared_cost cost = analysis::count_shared(request);
      c.wavefronts += static_cast<std::uint64_t>(cost.wavefronts);
      if (is_full) {
        c.wavefronts_min = std::min(c.wavefronts_min, static_cast<std::uint32_t>(cost.wavefronts));
        c.wavefronts_max = std::max(c.wavefronts_max, static_cast<std::uint32_t>(cost.wavefronts));
      }
    }
  }

  std::string what(const operation& o, const memory_access& a, std::uint64_t address) const {
    return describe(m_, o) + " of " + std::to_string(a.bytes()) + " bytes at " + hex(address);
  }

  [[noreturn]] TG_COLD void misaligned(const block& b, const operation& o, const memory_access& a, std::uint32_t w,
                                       std::uint32_t active, const addresses& at) const {
    for (std::uint32_t left = active;; left &= left - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
      if ((at[i] & (a.bytes() - 1)) == 0) continue;
      fail(m_, 403, o,
           what(o, a, at[i]) + " " + by_thread(b, w, i) + " is misaligned: " + std::to_string(at[i] % a.bytes()) +
               " bytes past a multiple of " + std::to_string(a.bytes()),
           a.elements > 1 ? "align the start of the vector to its whole size, or use a narrower one"
                          : "align the address to the size of the access");
    }
  }

  [[noreturn]] TG_COLD void outside_global(const block& b, const operation& o, const memory_access& a, std::uint32_t w,
                                           std::size_t lane, std::uint64_t address) const {
    bool was_released = false;
    for (const allocation& known : *m_.table)
      was_released = was_released || (!known.is_live && address >= known.address && address < known.end());
    const std::string start = what(o, a, address) + " " + by_thread(b, w, static_cast<std::uint32_t>(lane));
    if (was_released)
      fail(m_, 407, o, start + " is a use after free: " + nearest_allocation(m_, address, a.bytes()),
           "release the buffer after the last kernel that uses it");
    if (address < 4096)
      fail(m_, 408, o, start + " follows a null pointer", "check that every pointer parameter was given a buffer");
    fail(m_, 402, o, start + " is out of bounds: " + nearest_allocation(m_, address, a.bytes()),
         "check the index against the number of elements");
  }

  [[noreturn]] TG_COLD void outside_window(const block& b, const operation& o, const memory_access& a, std::uint32_t w,
                                           std::uint32_t active, const addresses& at, std::uint64_t begin,
                                           std::uint64_t end, std::string_view whose, int number) const {
    for (std::uint32_t left = active;; left &= left - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(left));
      if (at[i] >= begin && at[i] < end && end - at[i] >= a.bytes()) continue;
      std::string text = what(o, a, at[i]) + " " + by_thread(b, w, i) + " is outside the " +
                         std::to_string(end - begin) + " bytes of the " + std::string(whose);
      if (number == 404 && !m_.kernel.shared.empty()) text += ", behind '" + m_.kernel.shared.back().name + "'";
      fail(m_, number, o, text,
           number == 404 ? "check the index, or ask for more dynamic shared memory at launch"
                         : "check the index against the size of the variable");
    }
  }

  void check_write(const block& b, const operation& o, const memory_access& a, std::uint32_t w, std::size_t lane,
                   std::uint64_t address, const last_allocation& known) const {
    if (!a.is_write || !known.is_constant) return;
    fail(m_, 409, o,
         what(o, a, address) + " " + by_thread(b, w, static_cast<std::uint32_t>(lane)) + " writes to constant memory",
         "write to a .global variable or a buffer");
  }

  template <class T>
  static T combined(combine how, T old, T b, T c) {
    switch (how) {
      case combine::add:
        return static_cast<T>(old + b);
      case combine::min:
        return old < b ? old : b;
      case combine::max:
        return old > b ? old : b;
      case combine::exchange:
        return b;
      case combine::compare_exchange:
        return old == b ? c : old;
      default:
        break;
    }
    if constexpr (std::is_unsigned_v<T>) {
      switch (how) {
        case combine::and_:
          return old & b;
        case combine::or_:
          return old | b;
        case combine::xor_:
          return old ^ b;
        case combine::increment:
          return old >= b ? T{0} : static_cast<T>(old + 1);
        case combine::decrement:
          return old == 0 || old > b ? b : static_cast<T>(old - 1);
        default:
          break;
      }
    }
    return b;
  }

  /// Word is T as memory holds it.
  template <class Word, class T>
  void atomic_as(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                 std::uint64_t base, const addresses& at) {
    auto* result = reinterpret_cast<Word*>(b.slot(o, 0, w));
    auto* second = reinterpret_cast<const Word*>(b.slot(o, 1, w));
    auto* third = reinterpret_cast<const Word*>(b.slot(o, 2, w));
    for (std::uint32_t left = active; left != 0; left &= left - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(left));
      auto* const cell = reinterpret_cast<Word*>(base + at[i]);
      const Word y = second[i], z = third[i];
      Word old = __atomic_load_n(cell, __ATOMIC_RELAXED);
      while (!__atomic_compare_exchange_n(
          cell, &old,
          std::bit_cast<Word>(combined(a.how, std::bit_cast<T>(old), std::bit_cast<T>(y), std::bit_cast<T>(z))), false,
          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
      }
      result[i] = old;
    }
  }

  void atomic(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
              std::uint64_t base, const addresses& at) {
    switch (a.type) {
      case lane_type::s32:
        return atomic_signed<std::uint32_t, std::int32_t>(b, o, a, w, active, base, at);
      case lane_type::s64:
        return atomic_signed<std::uint64_t, std::int64_t>(b, o, a, w, active, base, at);
      case lane_type::f32:
        return atomic_as<std::uint32_t, float>(b, o, a, w, active, base, at);
      case lane_type::f64:
        return atomic_as<std::uint64_t, double>(b, o, a, w, active, base, at);
      case lane_type::u64:
        return atomic_as<std::uint64_t, std::uint64_t>(b, o, a, w, active, base, at);
      default:
        return atomic_as<std::uint32_t, std::uint32_t>(b, o, a, w, active, base, at);
    }
  }

  /// Only the order of numbers depends on the sign.
  template <class Word, class T>
  void atomic_signed(block& b, const operation& o, const memory_access& a, std::uint32_t w, std::uint32_t active,
                     std::uint64_t base, const addresses& at) {
    if (a.how == combine::min || a.how == combine::max) return atomic_as<Word, T>(b, o, a, w, active, base, at);
    atomic_as<Word, Word>(b, o, a, w, active, base, at);
  }

  const machine& m_;
  std::vector<instruction_count>& counts_;
  std::vector<last_allocation> last_;
};

}  // namespace tg::emulator
