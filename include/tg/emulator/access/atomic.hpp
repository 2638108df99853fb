// Read-modify-write of memory, lane after lane.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <tg/base/config.hpp>
#include <tg/emulator/image/image.hpp>

namespace tg::emulator {

namespace atomic_math {
#include <tg/emulator/lanes/narrow.hpp>
}

namespace detail {

/// A half in memory; its sums are rounded once.
template <class Format> struct stored_half {
  std::uint16_t bits;
  float value() const { return atomic_math::widen<Format>(bits); }
  friend stored_half operator+(stored_half a, stored_half b) {
    return {static_cast<std::uint16_t>(atomic_math::narrow<Format>(a.value() + b.value()))};
  }
  friend bool operator==(stored_half a, stored_half b) { return a.bits == b.bits; }
  friend stored_half smaller(stored_half a, stored_half b) {
    return {
        static_cast<std::uint16_t>(atomic_math::narrow<Format>(atomic_math::float_min_op<false>::of(a.value(), b.value())))};
  }
  friend stored_half larger(stored_half a, stored_half b) {
    return {
        static_cast<std::uint16_t>(atomic_math::narrow<Format>(atomic_math::float_max_op<false>::of(a.value(), b.value())))};
  }
};
template <class Half> struct stored_pair {
  Half low, high;
  friend stored_pair operator+(stored_pair a, stored_pair b) { return {a.low + b.low, a.high + b.high}; }
  friend bool operator==(stored_pair a, stored_pair b) { return a.low == b.low && a.high == b.high; }
  friend stored_pair smaller(stored_pair a, stored_pair b) { return {smaller(a.low, b.low), smaller(a.high, b.high)}; }
  friend stored_pair larger(stored_pair a, stored_pair b) { return {larger(a.low, b.low), larger(a.high, b.high)}; }
};
template <class T> requires std::is_arithmetic_v<T>
T smaller(T a, T b) {
  return b < a ? b : a;
}
template <class T> requires std::is_arithmetic_v<T>
T larger(T a, T b) {
  return a < b ? b : a;
}

template <class T> T combined(combine how, T old, T b, T c) {
  switch (how) {
    case combine::add:
      if constexpr (std::is_same_v<T, float>) return atomic_math::canonical_op<atomic_math::add_op>::of(old, b);
      return static_cast<T>(old + b);
    case combine::min: return smaller(old, b);
    case combine::max: return larger(old, b);
    case combine::compare_exchange: return old == b ? c : old;
    default: break;
  }
  if constexpr (std::is_unsigned_v<T>) {
    switch (how) {
      case combine::and_: return static_cast<T>(old & b);
      case combine::or_: return static_cast<T>(old | b);
      case combine::xor_: return static_cast<T>(old ^ b);
      case combine::increment: return old >= b ? T{0} : static_cast<T>(old + 1);
      case combine::decrement: return old == 0 || old > b ? b : static_cast<T>(old - 1);
      default: break;
    }
  }
  return b;
}

/// T as memory holds it in a Word; `slots` are result, second and third operand.
template <class Word, class T>
void atomic_as(const memory_access& a, std::uint32_t active, std::uint64_t base, const std::uint64_t* at,
               std::byte* const* slots) {
  using slot = std::conditional_t<sizeof(Word) == 8, std::uint64_t, std::uint32_t>;
  const bool is_private = a.space == ptx::token::shared;  // of one host thread
  auto* result = reinterpret_cast<slot*>(slots[0]);
  auto* second = reinterpret_cast<const slot*>(slots[1]);
  auto* third = reinterpret_cast<const slot*>(slots[2]);
  for (std::uint32_t left = active; left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    auto* const cell = reinterpret_cast<Word*>(base + at[i]);
    const auto y = std::bit_cast<T>(static_cast<Word>(second[i])), z = std::bit_cast<T>(static_cast<Word>(third[i]));
    Word old = __atomic_load_n(cell, __ATOMIC_RELAXED);
    if (is_private) *cell = std::bit_cast<Word>(combined(a.how, std::bit_cast<T>(old), y, z));
    else
      while (!__atomic_compare_exchange_n(cell, &old, std::bit_cast<Word>(combined(a.how, std::bit_cast<T>(old), y, z)), false,
                                          __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {}
    result[i] = old;
  }
}

/// Only the order of numbers depends on the sign.
template <class Word, class T>
void atomic_signed(const memory_access& a, std::uint32_t active, std::uint64_t base, const std::uint64_t* at,
                   std::byte* const* slots) {
  const bool orders = a.how == combine::min || a.how == combine::max;
  (orders ? atomic_as<Word, T> : atomic_as<Word, Word>)(a, active, base, at, slots);
}

struct quad_word {
  std::uint64_t low, high;
  friend bool operator==(const quad_word&, const quad_word&) = default;
};

/// Replaces `expected` at `cell` by `wanted`; `expected` becomes what was there.
inline bool exchange_quad_word(quad_word* cell, quad_word& expected, quad_word wanted) {
#if defined(__x86_64__)
  bool was_equal;
  __asm__ __volatile__("lock cmpxchg16b %1"
                       : "=@ccz"(was_equal), "+m"(*cell), "+a"(expected.low), "+d"(expected.high)
                       : "b"(wanted.low), "c"(wanted.high)
                       : "memory");
  return was_equal;
#elif defined(__aarch64__)
  // What was read is written back where it differs: only a store that succeeds shows that both halves were read at once.
  quad_word seen, stored;
  std::uint32_t failed;
  __asm__ __volatile__("1: ldaxp %[low], %[high], %[cell]\n"
                       "cmp %[low], %[expected_low]\n"
                       "ccmp %[high], %[expected_high], #0, eq\n"
                       "csel %[new_low], %[wanted_low], %[low], eq\n"
                       "csel %[new_high], %[wanted_high], %[high], eq\n"
                       "stlxp %w[failed], %[new_low], %[new_high], %[cell]\n"
                       "cbnz %w[failed], 1b\n"
                       : [low] "=&r"(seen.low), [high] "=&r"(seen.high), [new_low] "=&r"(stored.low),
                         [new_high] "=&r"(stored.high), [failed] "=&r"(failed), [cell] "+Q"(*cell)
                       : [expected_low] "r"(expected.low), [expected_high] "r"(expected.high), [wanted_low] "r"(wanted.low),
                         [wanted_high] "r"(wanted.high)
                       : "cc", "memory");
  const bool was_equal = seen == expected;
  expected = seen;
  return was_equal;
#else
#error "the emulator is for x86-64 and AArch64"
#endif
}

/// Exchange and compare-exchange of 16 bytes; each operand has two slots.
inline void atomic_quad_word(const memory_access& a, std::uint32_t active, std::uint64_t base, const std::uint64_t* at,
                             std::byte* const* slots) {
  const auto word = [&](std::size_t k, std::size_t i) -> std::uint64_t& {
    return reinterpret_cast<std::uint64_t*>(slots[k])[i];
  };
  for (std::uint32_t left = active; left != 0; left &= left - 1) {
    const auto i = static_cast<std::size_t>(std::countr_zero(left));
    auto* const cell = reinterpret_cast<quad_word*>(base + at[i]);
    const quad_word second{word(2, i), word(3, i)}, third{word(4, i), word(5, i)};
    quad_word old{};
    while (!exchange_quad_word(cell, old, a.how == combine::exchange ? second : old == second ? third : old)) {}
    word(0, i) = old.low;
    word(1, i) = old.high;
  }
}

}  // namespace detail

/// Runs the atomic `a` at base + at[i] for the lanes of `active`; `slots` are result, second and third operand, two of
/// each for 16 bytes.
inline void run_atomic(const memory_access& a, std::uint32_t active, std::uint64_t base, const std::uint64_t* at,
                       std::byte* const* slots) {
  using namespace detail;
  using half = stored_half<atomic_math::half>;
  using bfloat = stored_half<atomic_math::bfloat>;
  switch (a.written_type) {
    case ptx::token::f16x2: return atomic_as<std::uint32_t, stored_pair<half>>(a, active, base, at, slots);
    case ptx::token::bf16x2: return atomic_as<std::uint32_t, stored_pair<bfloat>>(a, active, base, at, slots);
    case ptx::token::b128: return atomic_quad_word(a, active, base, at, slots);
    default: break;
  }
  switch (a.type) {
    case lane_type::u16: return atomic_as<std::uint16_t, std::uint16_t>(a, active, base, at, slots);
    case lane_type::f16: return atomic_as<std::uint16_t, half>(a, active, base, at, slots);
    case lane_type::bf16: return atomic_as<std::uint16_t, bfloat>(a, active, base, at, slots);
    case lane_type::s32: return atomic_signed<std::uint32_t, std::int32_t>(a, active, base, at, slots);
    case lane_type::s64: return atomic_signed<std::uint64_t, std::int64_t>(a, active, base, at, slots);
    case lane_type::f32: return atomic_as<std::uint32_t, float>(a, active, base, at, slots);
    case lane_type::f64: return atomic_as<std::uint64_t, double>(a, active, base, at, slots);
    case lane_type::u64: return atomic_as<std::uint64_t, std::uint64_t>(a, active, base, at, slots);
    default: return atomic_as<std::uint32_t, std::uint32_t>(a, active, base, at, slots);
  }
}

}  // namespace tg::emulator
