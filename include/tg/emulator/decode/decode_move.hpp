// mov, with packing and unpacking.
#pragma once

#include <tg/emulator/decode/decoder.hpp>

namespace tg::emulator {

namespace detail {

/// The upper 64 bits of a register of 128.
inline slot_ref upper_word(slot_ref low) { return {low.index + 2, 8}; }

/// to = low | high << bits, in a word twice as wide.
inline void join_words(decoder& d, slot_ref to, slot_ref low, slot_ref high, unsigned bits) {
  if (bits >= 16) return d.lanes(lane_op::pack, bits == 16 ? lane_type::u16 : lane_type::u32, to, {low, high});
  const slot_ref kept = d.spare(4), moved = d.spare(4);
  d.lanes(lane_op::and_, lane_type::u32, kept, {low, d.number((1 << bits) - 1, 4)});
  d.lanes(lane_op::shl, lane_type::u32, moved, {high, d.number(bits, 4)});
  d.lanes(lane_op::or_, lane_type::u32, to, {kept, moved});
}

/// Parts of `bits` each as one value of at most 64.
inline slot_ref joined(decoder& d, std::span<const ptx::operand> parts, unsigned bits) {
  if (parts.size() == 1) return d.source(parts[0], bits == 64 ? lane_type::u64 : lane_type::u32);
  const std::size_t half = parts.size() / 2;
  const unsigned half_bits = bits * static_cast<unsigned>(half);
  const slot_ref low = joined(d, parts.first(half), bits), high = joined(d, parts.subspan(half), bits);
  const slot_ref to = d.spare(half_bits == 32 ? 8 : 4);
  join_words(d, to, low, high, half_bits);
  return to;
}

inline void decode_pack(decoder& d, const ptx::instruction& i) {
  const auto parts = d.function().parts(i[1]);
  const auto total = static_cast<unsigned>(ptx::width_bits(i.type())), bits = total / static_cast<unsigned>(parts.size());
  const slot_ref to = d.result(i[0], total > 32 ? 8 : 4);
  if (total <= 64) return d.lanes(lane_op::copy, to_lane_type(i.type()), to, {joined(d, parts, bits)});
  const std::size_t half = parts.size() / 2;
  const slot_ref low = joined(d, parts.first(half), bits), high = joined(d, parts.subspan(half), bits);
  d.lanes(lane_op::copy, lane_type::u64, to, {low});
  d.lanes(lane_op::copy, lane_type::u64, upper_word(to), {high});
}

/// Part of `bits` bits of a word, `at` bits up.
inline void extract(decoder& d, slot_ref to, slot_ref word, unsigned at, unsigned bits) {
  if (bits == 64) return d.lanes(lane_op::copy, lane_type::u64, to, {word});
  if (word.bytes == 4) return d.lanes(lane_op::shr, lane_type::u32, to, {word, d.number(at, 4)});
  if (at == 32) return d.lanes(lane_op::copy_high, lane_type::u64, to, {word});
  const slot_ref moved = d.spare(8);
  d.lanes(lane_op::shr, lane_type::u64, moved, {word, d.number(at, 4)});
  d.convert(lane_type::u32, lane_type::u64, to, moved);
}

inline void decode_unpack(decoder& d, const ptx::instruction& i) {
  const auto parts = d.function().parts(i[0]);
  const auto total = static_cast<unsigned>(ptx::width_bits(i.type())), bits = total / static_cast<unsigned>(parts.size());
  slot_ref word = d.source(i[1], to_lane_type(i.type()));
  if (word.bytes == 4) {  // kept apart: a result may be the source
    const slot_ref kept = d.spare(4);
    d.lanes(lane_op::copy, lane_type::u32, kept, {word});
    word = kept;
  }
  for (unsigned k = 0; k < parts.size(); ++k) {
    if (parts[k].kind == ptx::operand_kind::sink) continue;
    const unsigned at = k * bits;
    extract(d, d.result(parts[k], bits == 64 ? 8 : 4), at < 64 ? word : upper_word(word), at % 64, bits);
  }
}

}  // namespace detail

/// Returns: false when `i` is no mov.
inline bool decode_move(decoder& d, const ptx::instruction& i) {
  if (i.op != ptx::opcode::mov) return false;
  if (i[0].kind == ptx::operand_kind::vector) {
    detail::decode_unpack(d, i);
  } else if (i[1].kind == ptx::operand_kind::vector) {
    detail::decode_pack(d, i);
  } else {
    const lane_type t = to_lane_type(i.type());
    const slot_ref from = d.value(i[1], i.type()), to = d.result(i[0], t);
    d.lanes(lane_op::copy, t, to, {from});
    if (ptx::width_bits(i.type()) == 128) d.lanes(lane_op::copy, t, detail::upper_word(to), {detail::upper_word(from)});
  }
  return true;
}

}  // namespace tg::emulator
