// The rounding direction and the flushing of subnormals that lane code runs under.
#pragma once

#include <cstdint>

#include <tg/ptx/ir/instruction.hpp>

namespace tg::emulator {

/// A mode as the machine's control register holds it; 0 stands for nearest even with subnormals.
/// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, volume 1, 10.2.3 (MXCSR); Arm Architecture Reference
/// Manual for A-profile, D19.2 (FPCR: RMode, FZ).
class floating_mode {
 public:
#if defined(__x86_64__) || defined(__i386__)
  static constexpr std::uint32_t down = 1u << 13, up = 2u << 13, toward_zero = 3u << 13;
  static constexpr std::uint32_t flush = (1u << 15) | (1u << 6);
#elif defined(__aarch64__)
  static constexpr std::uint32_t up = 1u << 22, down = 2u << 22, toward_zero = 3u << 22;
  static constexpr std::uint32_t flush = 1u << 24;
#else
#error "the emulator is for x86-64 and AArch64"
#endif

  /// What the modifiers `.rm .rp .rz .ftz` of an instruction ask for; `rounding_of` leaves out `.ftz`.
  static std::uint32_t of(const ptx::instruction& i) { return rounding_of(i) | (i.has(ptx::token::ftz) ? flush : 0); }
  static std::uint32_t rounding_of(const ptx::instruction& i) {
    return i.has(ptx::token::rm) ? down : i.has(ptx::token::rp) ? up : i.has(ptx::token::rz) ? toward_zero : 0;
  }

  /// From here to the end of its life the thread computes in `mode`.
  explicit floating_mode(std::uint32_t mode) : before_(read()) { write(untrapped | mode); }
  ~floating_mode() { write(before_); }
  floating_mode(const floating_mode&) = delete;
  floating_mode& operator=(const floating_mode&) = delete;

 private:
#if defined(__x86_64__) || defined(__i386__)
  static constexpr std::uint32_t untrapped = 0x1f80;  // every exception masked
  static std::uint32_t read() { return __builtin_ia32_stmxcsr(); }
  static void write(std::uint32_t mode) { __builtin_ia32_ldmxcsr(mode); }
#else
  static constexpr std::uint32_t untrapped = 0;
  static std::uint32_t read() {
    std::uint64_t mode = 0;
    asm volatile("mrs %0, fpcr" : "=r"(mode) : : "memory");
    return static_cast<std::uint32_t>(mode);
  }
  static void write(std::uint32_t mode) { asm volatile("msr fpcr, %0" : : "r"(std::uint64_t{mode}) : "memory"); }
#endif

  std::uint32_t before_;
};

}  // namespace tg::emulator
