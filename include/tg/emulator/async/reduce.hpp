// Reductions of bulk and remote operations: each element is combined atomically with what is there.
#pragma once

#include <array>
#include <cstring>

#include <tg/emulator/async/transfer.hpp>
#include <tg/emulator/block/block.hpp>
#include <tg/emulator/memory/program_accesses.hpp>

namespace tg::emulator::detail {

/// `old` combined with `value` for up to 32 elements in slots.
/// Source: PTX ISA 9.0, 9.7.9.25.4.2 "cp.reduce.async.bulk".
inline void combine_slots(const machine& m, ptx::token how, lane_type type, std::byte* to, const std::byte* old,
                          const std::byte* value) {
  if (how == ptx::token::inc || how == ptx::token::dec) {
    for (std::size_t k = 0; k < 32; ++k) {
      std::uint32_t a, b;
      std::memcpy(&a, old + 4 * k, 4);
      std::memcpy(&b, value + 4 * k, 4);
      a = how == ptx::token::inc ? (a >= b ? 0 : a + 1) : (a == 0 || a > b ? b : a - 1);
      std::memcpy(to + 4 * k, &a, 4);
    }
    return;
  }
  const lane_op op = how == ptx::token::add    ? lane_op::add
                     : how == ptx::token::min  ? lane_op::min
                     : how == ptx::token::max  ? lane_op::max
                     : how == ptx::token::and_ ? lane_op::and_
                     : how == ptx::token::or_  ? lane_op::or_
                                               : lane_op::xor_;
  if (type != lane_type::f16 && type != lane_type::bf16) {
    std::byte* slots[] = {to, const_cast<std::byte*>(old), const_cast<std::byte*>(value)};
    return m.lanes.find(op, type)(slots, 1);
  }
  // A sum of halves rounded to f32 and then to the half is the sum rounded once.
  alignas(64) std::array<std::byte, 128> wide[2];
  std::byte* widen_old[] = {wide[0].data(), const_cast<std::byte*>(old)};
  std::byte* widen_value[] = {wide[1].data(), const_cast<std::byte*>(value)};
  std::byte* add[] = {wide[0].data(), wide[0].data(), wide[1].data()};
  std::byte* narrow[] = {to, wide[0].data()};
  m.lanes.find_convert(lane_type::f32, type)(widen_old, 1);
  m.lanes.find_convert(lane_type::f32, type)(widen_value, 1);
  m.lanes.find(op, lane_type::f32)(add, 1);
  m.lanes.find_convert(type, lane_type::f32)(narrow, 1);
}

template <class Word>
void reduce_words(const machine& m, ptx::token how, lane_type type, std::byte* to, const std::byte* from, std::size_t count) {
  using slot = std::conditional_t<sizeof(Word) == 8, std::uint64_t, std::uint32_t>;
  alignas(64) std::array<slot, 32> old{}, value{}, made{};
  for (std::size_t first = 0; first < count; first += 32) {
    const std::size_t n = std::min<std::size_t>(32, count - first);
    Word* const cells = reinterpret_cast<Word*>(to) + first;
    for (std::size_t k = 0; k < n; ++k) {
      Word word;
      std::memcpy(&word, from + (first + k) * sizeof(Word), sizeof(Word));
      value[k] = word;
      old[k] = __atomic_load_n(cells + k, __ATOMIC_RELAXED);
    }
    for (std::size_t left = n; left != 0;) {
      combine_slots(m, how, type, reinterpret_cast<std::byte*>(made.data()), reinterpret_cast<std::byte*>(old.data()),
                    reinterpret_cast<std::byte*>(value.data()));
      for (; left != 0; --left) {
        Word expected = static_cast<Word>(old[left - 1]);
        if (__atomic_compare_exchange_n(cells + left - 1, &expected, static_cast<Word>(made[left - 1]), false, __ATOMIC_RELAXED,
                                        __ATOMIC_RELAXED))
          continue;
        old[left - 1] = expected;
        break;
      }
    }
  }
}

/// Combines `bytes` bytes of elements of `type` with those at `to`.
inline void reduce(const machine& m, ptx::token how, ptx::token type, std::byte* to, const std::byte* from, std::size_t bytes) {
  count_traffic(m, to, from, bytes, true);
  const lane_type t = to_lane_type(type);
  const program_accesses racing;
  switch (ptx::width_bits(type)) {
    case 16: return reduce_words<std::uint16_t>(m, how, t, to, from, bytes / 2);
    case 64: return reduce_words<std::uint64_t>(m, how, t, to, from, bytes / 8);
    default: return reduce_words<std::uint32_t>(m, how, t, to, from, bytes / 4);
  }
}

}  // namespace tg::emulator::detail
