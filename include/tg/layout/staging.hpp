// A tile in shared memory between two layouts: the swizzle that lets one be stored and the other be loaded without meeting a
// bank twice.
#pragma once

#include <optional>

#include <tg/layout/bank_swizzle.hpp>
#include <tg/layout/wavefronts.hpp>

namespace tg {

/// Where elements lie, and what moving them costs.
struct staging_plan {
  linear_layout memory;  // row << column_bits | column to bytes
  bank_swizzle swizzle;
  int store_elems = 1, load_elems = 1;
  wavefront_count store, load;  // of one instruction

  /// Whether no access meets a bank twice.
  constexpr bool is_free() const { return store.ways == 1 && load.ways == 1; }
};

namespace detail {

/// The plan for accesses of so many elements.
constexpr staging_plan plan_staging_of(const thread_layout& from, const thread_layout& to, const linear_layout& plain,
                                       int element_bytes, int store_elems, int load_elems) {
  const auto access_of = [&](const thread_layout& l, int elems) {
    lane_access out{{}, elems * element_bytes};
    const linear_layout lanes = plain.compose(l.of_lanes());
    for (std::size_t b = 0; b < out.lanes.size(); ++b) out.lanes[b] = lanes.bases[b];
    return out;
  };
  const lane_access store = access_of(from, store_elems), load = access_of(to, load_elems);
  const bank_swizzle swizzle = find_bank_swizzle(store, load, plain.outputs);
  staging_plan out{plain, swizzle, store_elems, load_elems, {}, {}};
  for (int b = 0; b < plain.inputs; ++b) out.memory.bases[b] = swizzle(plain.bases[b]);
  out.store = count_wavefronts(out.memory.compose(from.of_lanes()), store.bytes).value_or(wavefront_count{});
  out.load = count_wavefronts(out.memory.compose(to.of_lanes()), load.bytes).value_or(wavefront_count{});
  return out;
}

}  // namespace detail

/// Returns: the plan with the widest vectors that both sides allow and for which there is a swizzle that frees both of
/// conflicts; where there is none for any vectors, the widest without a swizzle. Requires: the same tile, elements of 1 to 16
/// bytes.
constexpr std::optional<staging_plan> plan_staging(const thread_layout& from, const thread_layout& to, int element_bytes) {
  const auto plain = make_memory_map(from.row_bits(), from.column_bits, from.columns(), element_bytes);
  if (!plain || from.map.outputs != to.map.outputs || from.column_bits != to.column_bits) return std::nullopt;
  const int store_elems = widest_vector(from, *plain, element_bytes), load_elems = widest_vector(to, *plain, element_bytes);
  for (int both = store_elems * load_elems; both >= 1; both /= 2)
    for (int store = store_elems; store >= 1; store /= 2) {
      if (both % store != 0 || both / store > load_elems) continue;
      const staging_plan plan = detail::plan_staging_of(from, to, *plain, element_bytes, store, both / store);
      if (plan.is_free()) return plan;
    }
  return detail::plan_staging_of(from, to, *plain, element_bytes, store_elems, load_elems);
}

}  // namespace tg
