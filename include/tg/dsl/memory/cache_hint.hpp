// How long loaded and stored data is worth keeping in the caches.
#pragma once

#include <tg/dsl/memory/element.hpp>
#include <tg/dsl/recorder/refusal.hpp>

namespace tg {

/// What a load or store says to the caches; one of the policies below, or `policy | fetch` for a load.
struct cache_hint {
  ptx::token policy = ptx::token::none;
  ptx::token fetch = ptx::token::none;
  bool is_for_stores = true;

  friend constexpr cache_hint operator|(cache_hint a, cache_hint b) {
    return {a.policy == ptx::token::none ? b.policy : a.policy, a.fetch == ptx::token::none ? b.fetch : a.fetch,
            a.is_for_stores && b.is_for_stores};
  }
};

// Policies. Source: PTX ISA 9.0, "Cache Operators", "Cache Eviction Priority Hints", "ld".
inline constexpr cache_hint streaming{ptx::token::cs};                ///< used once
inline constexpr cache_hint no_l1{ptx::token::cg};                    ///< kept in L2 only
inline constexpr cache_hint evict_first{ptx::token::L1_evict_first};  ///< sm_70, here and below
/// L1 gives it up last. PTX: .L1::evict_last, sm_70.
inline constexpr cache_hint evict_last{ptx::token::L1_evict_last};
/// L1 keeps its order of eviction as it is. PTX: .L1::evict_unchanged, sm_70.
inline constexpr cache_hint evict_unchanged{ptx::token::L1_evict_unchanged};
inline constexpr cache_hint no_allocate{ptx::token::L1_no_allocate};                  ///< not kept in L1
inline constexpr cache_hint fetch_64{ptx::token::none, ptx::token::L2_64B, false};    ///< with its neighbours, sm_75
inline constexpr cache_hint fetch_128{ptx::token::none, ptx::token::L2_128B, false};  ///< sm_75
inline constexpr cache_hint fetch_256{ptx::token::none, ptx::token::L2_256B, false};  ///< sm_80

namespace diagnosis {
template <bool Ok, class Facts = void> struct store_hint {
  static_assert(Ok, "TG159: only a load fetches neighbours: a store takes a policy such as tg::evict_first");
};
}  // namespace diagnosis

namespace detail {

template <cache_hint> struct given_hint {};

inline place hinted(place p, cache_hint hint) {
  if (p.space != ptx::token::global)
    refuse(code{160}, "a cache hint on shared memory, which has no cache", "leave tg::load and tg::store to views",
           tracer::current().where());
  p.policy = hint.policy;
  p.fetch = hint.fetch;
  return p;
}
template <std::size_t Pieces> struct_place<Pieces> hinted(struct_place<Pieces> p, cache_hint hint) {
  p.at = hinted(p.at, hint);
  return p;
}

}  // namespace detail

/// What an element, struct or vector of a view holds: `tg::load<tg::no_allocate | tg::fetch_128>(x(i))`.
/// Errors: TG106, TG160. PTX: ld.global with .L1:: and .L2:: hints, .cs or .cg.
template <cache_hint Hint, class Element> auto load(const Element& from, source_location where = source_location::current()) {
  detail::tracer::current(where).at(where);
  return Element(detail::hinted(from.where(), Hint)).get();
}

/// Writes an element, struct or vector of a view: `tg::store<tg::evict_first>(y(i), x)`.
/// Errors: TG101, TG105, TG159, TG160. PTX: st.global with .L1:: hints, .cs or .cg.
template <cache_hint Hint, class Element, class X>
void store(const Element& to, const X& x, source_location where = source_location::current()) {
  using found = diagnosis::store_hint<Hint.is_for_stores, detail::given_hint<Hint>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    detail::tracer::current(where).at(where);
    Element(detail::hinted(to.where(), Hint)) = x;
  }
}

}  // namespace tg
