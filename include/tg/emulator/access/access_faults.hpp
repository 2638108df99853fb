// What is said of a load, store or atomic that must not be: the finding with its number, the thread, the address and what is
// near.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/emulator/access/heap_report.hpp>
#include <tg/emulator/block/block.hpp>
#include <tg/emulator/block/machine.hpp>
#include <tg/ptx/ir/token_name.hpp>

namespace tg::emulator {

/// The space that a generic address lies in.
inline ptx::token window_of(std::uint64_t address) {
  if (address >= memory::first_address) return ptx::token::global;
  if (address - shared_window < window_bytes) return ptx::token::shared;
  if (address - local_window < window_bytes) return ptx::token::local;
  if (address - param_window < window_bytes) return ptx::token::param;
  if (address - cluster_window < max_cluster_blocks * window_bytes) return ptx::token::shared_cluster;
  return ptx::token::global;  // null and its neighbours
}

/// The range that an access may stay in is that of its variable, where that is known.
inline void narrow(const memory_access& a, std::uint64_t window, std::uint64_t& begin, std::uint64_t& end) {
  if (a.extent_end == 0) return;
  begin = window + a.extent_begin;
  end = window + a.extent_end;
}

/// The allocation that an instruction used last.
struct last_allocation {
  std::uint64_t begin = 1;
  std::uint64_t end = 0;
  bool is_constant = false;
};

/// Ends a launch at an access that must not be.
class access_faults {
 public:
  using addresses = std::array<std::uint64_t, 32>;

  explicit access_faults(const machine& m) : m_(m) {}

  /// Whether the device that runs the kernel may use the allocation.
  bool is_permitted(const allocation& a) const { return (a.devices >> m_.shape.device & 1) != 0; }

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
      if (known.is_live && !is_permitted(known) && address >= known.address && address < known.end())
        is_wrong(411, "is in memory that is not mapped for device " + std::to_string(m_.shape.device),
                 "enable peer access, or give the device access to the pool or the mapping");
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

 private:
  const machine& m_;
};

}  // namespace tg::emulator
