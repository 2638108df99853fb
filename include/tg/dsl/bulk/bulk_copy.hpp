// Bulk copies to shared memory, one instruction for a whole tile; an mbarrier counts their bytes.
//
//   full.expect(0, tg::bulk_copy(tile, x, first));          // x(first), x(first + 1), ... fill the tile
//   full.expect(0, tg::bulk_copy(row, a, 8_c, column).multicast(0b11u));
//
// What they are given is judged where they are written; they begin in `expect`, which adds up their bytes.
// Source: PTX ISA 9.0, "Data Movement and Conversion Instructions: cp.async.bulk".
#pragma once

#include <tg/dsl/bulk/bulk_tile.hpp>
#include <tg/dsl/bulk/mbarriers.hpp>
#include <tg/dsl/memory/view.hpp>

namespace tg {

namespace detail {

/// What one bulk copy to shared memory is made of.
struct bulk_load_facts {
  ptx::operand to = {}, from = {};
  ptx::operand map_coordinates = {};  // a vector; none: `from` is in global memory, not a tensor map
  ptx::operand offsets = {};          // of im2col, a vector; none: a copy of a box
  ptx::operand mask = {};             // of a multicast, 16 bits
  std::int64_t bytes = 0;
  int rank = 0;
};

/// cp.async.bulk or cp.async.bulk.tensor.
void begin_bulk_load(const bulk_load_facts& copy, const ptx::operand& mbarrier, source_location where);
/// The blocks of a multicast as 16 bits.
ptx::operand multicast_mask(const ptx::operand& mask, source_location where);
/// From this block's shared memory to that of another.
void emit_bulk_send(const ptx::operand& to, const ptx::operand& from, std::int64_t bytes, const ptx::operand& mbarrier,
                    source_location where);
/// Fetches to the L2 cache.
void emit_bulk_prefetch(const ptx::operand& from, std::int64_t bytes, source_location where);

inline constexpr char bulk_reason[] = "one bulk copy";

/// The address of an element of a view that begins at a multiple of 16 bytes. Errors: TG203, TG204.
template <class View, class... I> ptx::operand bulk_source(const View& v, source_location where, const I&... at) {
  using T = typename View::element_type;
  constexpr int each = 16 / static_cast<int>(sizeof(T));
  return v.template vec<each>(at..., allow<TG202>(bulk_reason), where).where().address;
}

}  // namespace detail

/// A copy to shared memory that has not begun: what `barriers.expect` takes.
template <long long Bytes> class [[nodiscard]] copy_to_shared {
 public:
  static constexpr long long bytes = Bytes;

  explicit copy_to_shared(const detail::bulk_load_facts& facts) : facts_(facts) {}

  /// To the same place in each block of the cluster whose bit is set; the mbarrier at the same place in each of them counts the
  /// bytes, so each expects them: the block that copies by `expect`, the others by `tg::from_another_block`.
  /// PTX: .multicast::cluster.
  template <operand_like M>
  copy_to_shared multicast(const M& blocks, source_location where = source_location::current()) const {
    copy_to_shared out = *this;
    out.facts_.mask = detail::multicast_mask(detail::operand_of<unsigned>(blocks), where);
    return out;
  }

  /// Begins it; for `expect`.
  void begin(const ptx::operand& mbarrier, source_location where) const { detail::begin_bulk_load(facts_, mbarrier, where); }

 private:
  detail::bulk_load_facts facts_;
};

/// Bytes that another block of the cluster copies to this one: `full.expect(0, mine.multicast(3u),
/// tg::from_another_block(its))`.
template <long long Bytes> struct bytes_from_elsewhere {
  static constexpr long long bytes = Bytes;
  void begin(const ptx::operand&, source_location) const {}
};

/// Counts as many bytes as `copy` has, and copies nothing; also the bytes of a tile that `tg::bulk_send` sends here.
template <class X> auto from_another_block(const X&) {
  if constexpr (requires { X::bytes; }) return bytes_from_elsewhere<X::bytes>{};
  else {
    using found = diagnosis::bulk_tile<detail::bulk_tile_of<X>::is_tile, X>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) return bytes_from_elsewhere<detail::bulk_tile_of<X>::facts::bytes>{};
    else return bytes_from_elsewhere<0>{};
  }
}

namespace detail {

template <class Tile, class T, mode M, int R, class... O, class... I>
auto make_bulk_copy(const Tile& to, const view<T, M, R, O...>& from, source_location where, const I&... at) {
  constexpr bool fits = is_bulk_tile<Tile, T>() && M != mode::write;
  using found = diagnosis::bulk_tile<fits, diagnosis::types<Tile, view<T, M, R, O...>>>;
  if constexpr (!diagnosis::is_ok<sizeof(found), found>) return bytes_from_elsewhere<0>{};
  else {
    constexpr long long bytes = bulk_tile_of<Tile>::facts::bytes;
    const ptx::operand source = bulk_source(from, where, at...);
    return copy_to_shared<bytes>({.to = bulk_address(to, 16), .from = source, .bytes = bytes});
  }
}

}  // namespace detail

/// A copy of as many elements as the tile has, from element (i...) of the view on, as they lie in memory.
/// Requires: the address is provably a multiple of 16 bytes, the elements are there; nobody else uses the tile from `expect`
/// until the wait. What threads of this kernel wrote to the view before is seen behind `tg::fence_async_proxy_of_buffers()` and
/// a barrier. Errors: TG148, TG203, TG204. PTX: cp.async.bulk.shared::cluster.global; sm_90.
template <class Tile, class T, mode M, int R, class... O, index_like I>
auto bulk_copy(const Tile& to, const view<T, M, R, O...>& from, const I& i,
               source_location where = source_location::current()) {
  return detail::make_bulk_copy(to, from, where, i);
}
template <class Tile, class T, mode M, int R, class... O, index_like I, index_like J>
auto bulk_copy(const Tile& to, const view<T, M, R, O...>& from, const I& i, const J& j,
               source_location where = source_location::current()) {
  return detail::make_bulk_copy(to, from, where, i, j);
}
template <class Tile, class T, mode M, int R, class... O, index_like I, index_like J, index_like K>
auto bulk_copy(const Tile& to, const view<T, M, R, O...>& from, const I& i, const J& j, const K& k,
               source_location where = source_location::current()) {
  return detail::make_bulk_copy(to, from, where, i, j, k);
}

/// Copies the tile `from` to what `to` is in block `rank` of the cluster; barrier `number` of that block counts the bytes,
/// which it expects by `tg::from_another_block(to)`. Called by one thread; what threads wrote to `from` is seen after
/// `tg::fence_async_proxy()` and a barrier, and nobody writes to it before the other block's wait.
/// Errors: TG147, TG148. PTX: cp.async.bulk.shared::cluster.shared::cta; sm_90.
template <class Tile, operand_like R, int Count, operand_like S>
void bulk_send(const Tile& to, const R& rank, const Tile& from, const mbarriers_t<Count, true>& barriers, const S& number,
               source_location where = source_location::current()) {
  constexpr bool fits = [] {
    if constexpr (!detail::bulk_tile_of<Tile>::is_tile) return false;
    else return !detail::bulk_tile_of<Tile>::is_stage && detail::bulk_tile_of<Tile>::facts::bytes % 16 == 0;
  }();
  using found = diagnosis::bulk_tile<fits, Tile>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) {
    detail::tracer::begin(where);
    const ptx::operand own = detail::argument<unsigned>(rank), source = detail::bulk_address(from, 16);
    detail::bulk_address(to, 16);
    const ptx::operand target = ptx::operand::address(detail::map_tile(to.registers(), own, where));
    detail::emit_bulk_send(target, source, detail::bulk_tile_of<Tile>::facts::bytes, barriers.in_block(rank, number, where),
                           where);
  }
}

/// Fetches `Count` elements from element i on to the L2 cache. Errors: TG148, TG203. PTX: cp.async.bulk.prefetch.L2; sm_90.
template <int Count, class T, mode M, class... O, index_like I>
void bulk_prefetch(const view<T, M, 1, O...>& from, const I& i, source_location where = source_location::current()) {
  constexpr bool fits = Count > 0 && Count * sizeof(T) % 16 == 0;
  using found = diagnosis::bulk_tile<fits, diagnosis::elements<Count>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    detail::emit_bulk_prefetch(detail::bulk_source(from, where, i), 1ll * Count * static_cast<long long>(sizeof(T)), where);
}

}  // namespace tg
