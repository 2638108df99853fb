// A tile in shared memory between two layouts: the swizzle that lets one be stored and the other be loaded with the fewest
// wavefronts.
#pragma once

#include <tg/layout/wavefronts.hpp>

namespace tg {

/// Where elements lie, and what moving them costs.
struct staging_plan {
  linear_layout memory;  // row << column_bits | column to bytes
  int swizzle_bits = 0, swizzle_base = 0, swizzle_shift = 0;
  int store_elems = 1, load_elems = 1;
  wavefront_count store, load;  // of one instruction

  /// Whether no access meets a bank twice.
  constexpr bool is_free() const { return store.ways == 1 && load.ways == 1; }
};

/// Returns: the best of all swizzles of up to five bits of a tile without gaps, vectors being as wide as both sides allow
/// without one. The first of equals is taken, fewest bits first. Requires: the same tile, elements of 1 to 16 bytes.
constexpr std::optional<staging_plan> plan_staging(const thread_layout& from, const thread_layout& to, int element_bytes) {
  const auto plain = make_memory_map(from.row_bits(), from.column_bits, from.columns(), element_bytes);
  if (!plain || from.map.outputs != to.map.outputs || from.column_bits != to.column_bits) return std::nullopt;
  const int store_elems = widest_vector(from, *plain, element_bytes), load_elems = widest_vector(to, *plain, element_bytes);
  const int wider = store_elems > load_elems ? store_elems : load_elems;
  const int first = detail::exact_log2(wider * element_bytes), all = plain->outputs;
  std::optional<staging_plan> best;
  for (int bits = 0; bits <= 5; ++bits)
    for (int base = first; base + 2 * bits <= all; ++base)
      for (int shift = bits; base + shift + bits <= all; ++shift) {
        linear_layout swizzle = linear_layout::identity(all);
        for (int b = 0; b < bits; ++b) swizzle.bases[base + shift + b] ^= std::uint32_t{1} << (base + b);
        const linear_layout memory = swizzle.compose(*plain);
        const auto cost = [&](const thread_layout& l, int elems) {
          return count_wavefronts(memory.compose(l.of_lanes()), elems * element_bytes);
        };
        const auto store = cost(from, store_elems), load = cost(to, load_elems);
        if (!store || !load) continue;
        if (best && store->total() + load->total() >= best->store.total() + best->load.total()) continue;
        best = staging_plan{memory, bits, base, bits == 0 ? 0 : shift, store_elems, load_elems, *store, *load};
        if (best->is_free()) return best;
      }
  return best;
}

}  // namespace tg
