// The lock that numbers are added under, and whether a number is an address of memory that this process has.
#pragma once

#include <tg/runtime/capture_numbers.hpp>

#include <sys/mman.h>
#include <unistd.h>

#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <mutex>

#include <tg/base/config.hpp>

namespace tg::runtime {

namespace detail {

inline bool is_mapped(std::uint64_t address) {
  constexpr std::uint64_t end_of_user_space = std::uint64_t{1} << 47;
  if (address < 4096 || address >= end_of_user_space) return false;
  static const auto page = static_cast<std::uint64_t>(sysconf(_SC_PAGESIZE));
  unsigned char resident = 0;
  return mincore(reinterpret_cast<void*>(address / page * page), 1, &resident) == 0 || errno != ENOMEM;
}

inline std::mutex& numbers_mutex() {
  static std::mutex adding;
  return adding;
}

}  // namespace detail

TG_LIBRARY_FUNCTION void lock_numbers() { detail::numbers_mutex().lock(); }
TG_LIBRARY_FUNCTION void unlock_numbers() { detail::numbers_mutex().unlock(); }

TG_LIBRARY_FUNCTION bool may_hold_address(const void* bytes, std::size_t size) {
  for (std::size_t i = 0; i + 8 <= size; i += 8) {
    std::uint64_t word;
    std::memcpy(&word, static_cast<const unsigned char*>(bytes) + i, 8);
    if (detail::is_mapped(word)) return true;
  }
  return false;
}

}  // namespace tg::runtime
