// Reductions and scans of structs: the mean and the variance, the largest and where it is. Called by all threads of the
// block; the shared memory and the barriers are part of the word, and it may stand in a loop.
#pragma once

#include <tuple>

#include <tg/dsl/block/block_reduce.hpp>
#include <tg/dsl/vector/bundle.hpp>

namespace tg {

namespace detail {

/// One element of shared memory per warp for each field.
template <int Warps, bundle S> auto bundle_tiles(const S& like, source_location where) {
  return with_fields(
      like, [&](const auto&... x) { return std::make_tuple(shared<device_type_of<decltype(x)>>(shape<Warps>, {}, where)...); });
}

template <class Tiles, class I, bundle S>
void store_bundle(const Tiles& tiles, const I& warp, const S& s, source_location where) {
  with_fields(s,
              [&](const auto&... x) { std::apply([&](const auto&... tile) { ((tile(warp, {}, where) = x), ...); }, tiles); });
}

template <bundle S, class Tiles> S load_bundle(const Tiles& tiles, unsigned warp, source_location where) {
  return std::apply([&](const auto&... tile) { return S{tile(warp, {}, where).get()...}; }, tiles);
}

}  // namespace detail

/// `f` over the structs of all threads in their order, in every thread:
/// `tg::block_combine(block, moments{one, x, zero}, [](const moments& a, const moments& b) { return moments{...}; })`.
/// Requires: `f` is associative and gives the struct. Errors: TG110 for a field of type bool.
/// Cost: five shuffles for each field, one barrier (two in a loop), one read of shared memory per warp and field.
template <class Block, bundle S, class F>
S block_combine(const Block& block, const S& x, F f, source_location where = source_location::current()) {
  constexpr int threads = Block::shape::threads, warps = detail::warps_of<Block>;
  const auto warp = detail::block_warp(block);
  S own = x;
  for (int distance = 1; distance < 32 && distance < threads; distance *= 2) {
    const S other = detail::each_field(own, [&](const auto& v) { return warp.shuffle_down(v, distance); });
    const S both = f(own, other);
    if constexpr (threads % 32 == 0) detail::replace(own, both);
    else
      detail::replace(
          own, detail::select_bundle(warp.lane + static_cast<unsigned>(distance) <= value<unsigned>{warp.last}, both, own));
  }
  if constexpr (warps == 1) {
    return detail::each_field(own, [&](const auto& v) { return warp.shuffle(v, 0); });
  } else {
    const auto partials = detail::bundle_tiles<warps>(own, where);
    if_(warp.lane == 0, [&] { detail::store_bundle(partials, warp.index, own, where); }, where);
    block.sync(where);
    S all = detail::load_bundle<S>(partials, 0, where);
    for (unsigned w = 1; w < warps; ++w) detail::replace(all, f(all, detail::load_bundle<S>(partials, w, where)));
    detail::end_of_partials(block, where);
    return all;
  }
}

/// What `block_scan` of structs gives each thread; what is not used costs nothing.
template <bundle S> struct scanned_bundle {
  S before;   ///< over all threads with lower numbers; the identity in thread 0
  S through;  ///< the same and this thread
  S total;    ///< over all threads of the block
};

/// `f` over the threads up to each thread, in their order. Requires: `f` is associative, and `identity` beside y gives y.
/// Errors: TG110. Cost: as `block_combine`.
template <class Block, bundle S, class F>
scanned_bundle<S> block_scan(const Block& block, const S& x, const S& identity, F f,
                             source_location where = source_location::current()) {
  constexpr int warps = detail::warps_of<Block>;
  const auto warp = detail::block_warp(block);
  const auto below_by = [&](const S& s, unsigned distance) {
    return detail::each_field(s, [&](const auto& v) { return warp.shuffle_up(v, distance); });
  };
  S through = x;
  for (unsigned distance = 1; distance < 32 && distance < Block::shape::threads; distance *= 2)
    detail::replace(through, detail::select_bundle(warp.lane >= distance, f(below_by(through, distance), through), through));
  const S before = detail::select_bundle(warp.lane == 0, identity, below_by(through, 1));
  if constexpr (warps == 1) {
    return {before, through,
            detail::each_field(through, [&](const auto& v) { return warp.shuffle(v, value<unsigned>{warp.last}); })};
  } else {
    const auto partials = detail::bundle_tiles<warps>(through, where);
    if_(warp.lane == value<unsigned>{warp.last}, [&] { detail::store_bundle(partials, warp.index, through, where); }, where);
    block.sync(where);
    S total = identity, below = identity;
    for (unsigned w = 0; w < warps; ++w) {
      detail::replace(below, detail::select_bundle(warp.index == w, total, below));
      detail::replace(total, f(total, detail::load_bundle<S>(partials, w, where)));
    }
    detail::end_of_partials(block, where);
    return {f(below, before), f(below, through), total};
  }
}

}  // namespace tg
