// The rounding direction and the flushing of subnormals that lane code runs under.
#pragma once

#include <cstdint>

#include <tg/ptx/instruction.hpp>

namespace tg::emulator {

/// A mode as the machine's control register holds it; 0 stands for nearest even with subnormals.
/// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 10.2.3.
class floating_mode {
 public:
  static constexpr std::uint32_t masked_exceptions = 0x1f80;
  static constexpr std::uint32_t down = 1u << 13, up = 2u << 13, toward_zero = 3u << 13;
  static constexpr std::uint32_t flush = (1u << 15) | (1u << 6);

  /// What the modifiers `.rm .rp .rz .ftz` of an instruction ask for; `rounding_of` leaves out `.ftz`.
  static std::uint32_t of(const ptx::instruction& i) { return rounding_of(i) | (i.has(ptx::token::ftz) ? flush : 0); }
  static std::uint32_t rounding_of(const ptx::instruction& i) {
    return i.has(ptx::token::rm) ? down : i.has(ptx::token::rp) ? up : i.has(ptx::token::rz) ? toward_zero : 0;
  }

  /// From here to the end of its life the thread computes in `mode`.
  explicit floating_mode(std::uint32_t mode) : before_(__builtin_ia32_stmxcsr()) {
    __builtin_ia32_ldmxcsr(masked_exceptions | mode);
  }
  ~floating_mode() { __builtin_ia32_ldmxcsr(before_); }
  floating_mode(const floating_mode&) = delete;
  floating_mode& operator=(const floating_mode&) = delete;

 private:
  std::uint32_t before_;
};

}  // namespace tg::emulator
