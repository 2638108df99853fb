// What an access to a tile costs, by ranks of bit matrices instead of a walk over lanes, for all registers and warps at once.
//
//   shared memory    a phase is 32, 16 or 8 lanes for accesses of up to 4, of 8, of 16 bytes. The words it wants are
//                    2 to the power of a rank, the banks they lie in (word % 32) too, and each bank owes equally many:
//                    wavefronts = phases * 2^(rank of words - rank of banks)
//   global memory    sectors of 32 bytes = 2^(rank of sectors)
//
// Source: CUDA C++ Programming Guide, "Shared Memory"; CUDA C++ Best Practices Guide, "Coalesced Access to Global Memory".
#pragma once

#include <tg/layout/swizzle.hpp>
#include <tg/layout/thread_layout.hpp>

namespace tg {

namespace detail {

/// The binary logarithm of a power of two; -1 for other numbers.
constexpr int exact_log2(int n) {
  return n > 0 && std::has_single_bit(static_cast<unsigned>(n)) ? 31 - std::countl_zero(static_cast<unsigned>(n)) : -1;
}

}  // namespace detail

/// A swizzle as a map of `bits` bits. Requires: `bits` is at least the period of the swizzle or all higher bits are 0.
template <class Swizzle> constexpr linear_layout make_swizzle_map(Swizzle, int bits) {
  linear_layout out{bits, bits};
  for (int b = 0; b < bits; ++b) out.bases[b] = static_cast<std::uint32_t>(Swizzle::apply(std::int64_t{1} << b));
  return out;
}

/// Where a tile lies in memory: row << column_bits | column to bytes, rows `pitch_elems` apart. Nothing where pitch or element
/// is no power of two, or the pitch is shorter than a row: such a map is not linear.
constexpr std::optional<linear_layout> make_memory_map(int row_bits, int column_bits, int pitch_elems, int element_bytes) {
  const int pitch = detail::exact_log2(pitch_elems), element = detail::exact_log2(element_bytes);
  if (pitch < column_bits || element < 0 || pitch + row_bits + element > linear_layout::most_bits) return std::nullopt;
  linear_layout out{0, pitch + row_bits + element};
  for (int b = 0; b < column_bits; ++b) out.add_input(std::uint32_t{1} << (b + element));
  for (int b = 0; b < row_bits; ++b) out.add_input(std::uint32_t{1} << (pitch + b + element));
  return out;
}
/// Where a tile lies whose element indices are swizzled, as those of `tg::shared` are. Nothing where the swizzle leads outside.
template <class Swizzle>
constexpr std::optional<linear_layout> make_memory_map(int row_bits, int column_bits, int pitch_elems, int element_bytes,
                                                       Swizzle swizzle) {
  const auto elements = make_memory_map(row_bits, column_bits, pitch_elems, 1);
  const auto bytes = make_memory_map(0, elements ? elements->outputs : 0, elements ? 1 << elements->outputs : 0, element_bytes);
  if (!elements || !bytes) return std::nullopt;
  linear_layout swizzled = make_swizzle_map(swizzle, elements->outputs);
  for (int b = 0; b < swizzled.inputs; ++b)
    if (swizzled.bases[b] >> swizzled.outputs != 0) return std::nullopt;
  return bytes->compose(swizzled.compose(*elements));
}

/// What one request of a warp costs in shared memory.
struct wavefront_count {
  int phases = 1;
  int ways = 1;  ///< words that a bank owes in each phase

  friend constexpr bool operator==(const wavefront_count&, const wavefront_count&) = default;
  constexpr int total() const { return phases * ways; }
};

/// Returns: what it costs when each lane moves `access_bytes` bytes from lane_bytes(lane) on. Nothing where accesses are not
/// aligned. Requires: five input bits; the tile begins at a multiple of `access_bytes` and of 4, `access_bytes` is 1 to 16.
constexpr std::optional<wavefront_count> count_wavefronts(const linear_layout& lane_bytes, int access_bytes) {
  const int access = detail::exact_log2(access_bytes);
  if (access < 0 || access > 4 || lane_bytes.pick_outputs(0, access).rank() != 0) return std::nullopt;
  constexpr int bits_in_word = 2, bank_bits = 5;
  const int wide = access > bits_in_word ? access - bits_in_word : 0;
  linear_layout words{0, linear_layout::most_bits - bits_in_word};
  for (int b = 0; b < 5 - wide; ++b) words.add_input(lane_bytes.bases[b] >> bits_in_word);
  for (int b = 0; b < wide; ++b) words.add_input(std::uint32_t{1} << b);
  return wavefront_count{1 << wide, 1 << (words.rank() - words.pick_outputs(0, bank_bits).rank())};
}

/// Returns: sectors of 32 bytes of one request to memory that begins at a multiple of 32 bytes; each lane moves `access_bytes`.
/// Nothing where accesses are not aligned.
constexpr std::optional<int> count_sectors(const linear_layout& lane_bytes, int access_bytes) {
  const int access = detail::exact_log2(access_bytes);
  if (access < 0 || access > 4 || lane_bytes.pick_outputs(0, access).rank() != 0) return std::nullopt;
  constexpr int bits_in_sector = 5;
  return 1 << lane_bytes.pick_outputs(bits_in_sector, linear_layout::most_bits - bits_in_sector).rank();
}

/// Returns: the most elements, at most 16 bytes, that neighbouring registers of each thread and `memory` both have one after
/// the other, aligned: the widest vector that moves them.
constexpr int widest_vector(const thread_layout& threads, const linear_layout& memory, int element_bytes) {
  const linear_layout bytes = memory.compose(threads.map);
  int bits = 0;
  while (bits < threads.register_bits && element_bytes << (bits + 1) <= 16 &&
         bytes.bases[bits] == static_cast<std::uint32_t>(element_bytes) << bits)
    ++bits;
  // The other bits must leave a vector whole.
  const auto is_whole = [&](int b) {
    const auto own = static_cast<std::uint32_t>((element_bytes << bits) - 1);
    for (int i = b; i < bytes.inputs; ++i)
      if ((bytes.bases[i] & own) != 0) return false;
    return true;
  };
  while (bits > 0 && !is_whole(bits)) --bits;
  return 1 << bits;
}

}  // namespace tg
