// Bulk copies and reductions from shared memory to a view; a group of the thread counts them (bulk_groups.hpp).
//
//   tg::fence_async_proxy();                       // every thread that wrote to the tile
//   block.sync();
//   tg::if_(block.thread.x == 0u, [&] {
//     tg::bulk_store(y, first, tile);              // y(first), y(first + 1), ... = the tile
//     tg::bulk_groups<>().commit().wait();
//   });
//
// Source: PTX ISA 9.0, "cp.async.bulk", "cp.reduce.async.bulk".
#pragma once

#include <tg/base/narrow_float.hpp>
#include <tg/dsl/bulk/bulk_copy.hpp>
#include <tg/dsl/bulk/bulk_groups.hpp>
#include <tg/dsl/wgmma/fence_async_proxy.hpp>

namespace tg {

/// What a reduction in memory does with what is there and what comes. `increment` and `decrement` wrap as those of atomics do.
enum class reduction { add, min, max, increment, decrement, and_, or_, xor_ };

namespace diagnosis {

/// In a compile error: the reduction that was asked for.
template <reduction> struct asked_reduction {};
template <bool Ok, class Facts = void> struct bulk_reduction {
  static_assert(Ok,
                "TG148: the hardware has no such reduction: add, min and max of 32 and 64 bit integers, f16 and bf16; add of "
                "float and double; increment and decrement of unsigned; and, or, xor of 32 and 64 bits");
};

}  // namespace diagnosis

namespace detail {

/// Whether shared memory can be reduced into elements of T in global memory. Source: PTX ISA 9.0, "cp.reduce.async.bulk".
template <reduction How, class T>
inline constexpr bool has_bulk_reduction = [] {
  constexpr bool is_number = is_integer<T> && sizeof(T) >= 4 && is_arithmetic<T>;
  constexpr bool is_half = std::same_as<T, f16> || std::same_as<T, bf16>;
  if (How == reduction::add) return is_number || is_half || std::same_as<T, float> || std::same_as<T, double>;
  if (How == reduction::min || How == reduction::max) return is_number || is_half;
  if (How == reduction::increment || How == reduction::decrement) return std::same_as<T, unsigned>;
  return is_number;
}();

/// The type that the instruction names.
template <reduction How, class T> constexpr ptx::token reduced_type() {
  constexpr bool is_logic = How == reduction::and_ || How == reduction::or_ || How == reduction::xor_;
  if constexpr (std::same_as<T, f16>) return ptx::token::f16;
  else if constexpr (std::same_as<T, bf16>) return ptx::token::bf16;
  else if constexpr (std::same_as<T, float>) return ptx::token::f32;
  else if constexpr (std::same_as<T, double>) return ptx::token::f64;
  else if constexpr (is_logic) return sizeof(T) == 4 ? ptx::token::b32 : ptx::token::b64;
  else if constexpr (sizeof(T) == 4) return std::is_signed_v<T> ? ptx::token::s32 : ptx::token::u32;
  else return std::is_signed_v<T> && How != reduction::add ? ptx::token::s64 : ptx::token::u64;
}
constexpr ptx::token reduction_name(reduction how) {
  constexpr ptx::token names[] = {ptx::token::add, ptx::token::min,  ptx::token::max, ptx::token::inc,
                                  ptx::token::dec, ptx::token::and_, ptx::token::or_, ptx::token::xor_};
  return names[static_cast<int>(how)];
}

/// cp.async.bulk.global.shared::cta; with a name, cp.reduce.async.bulk.
void emit_bulk_store(const ptx::operand& to, const ptx::operand& from, std::int64_t bytes, ptx::token how, ptx::token type,
                     source_location where);

template <class T, mode M, int R, class... O, class Tile, class... I>
void store_bulk(const view<T, M, R, O...>& to, const Tile& from, ptx::token how, ptx::token type, source_location where,
                const I&... at) {
  constexpr bool fits = is_bulk_tile<Tile, T>();
  using writes = diagnosis::writable<M != mode::read, view<T, M, R, O...>>;
  using found = diagnosis::bulk_tile<fits, diagnosis::types<Tile, view<T, M, R, O...>>>;
  if constexpr (diagnosis::is_ok<sizeof(writes), writes> && diagnosis::is_ok<sizeof(found), found>) {
    const ptx::operand target = bulk_source(to, where, at...);
    emit_bulk_store(target, bulk_address(from, 16), bulk_tile_of<Tile>::facts::bytes, how, type, where);
  }
}

template <reduction How, class T, mode M, int R, class... O, class Tile, class... I>
void reduce_bulk(const view<T, M, R, O...>& to, const Tile& from, source_location where, const I&... at) {
  using found = diagnosis::bulk_reduction<has_bulk_reduction<How, T>, diagnosis::types<diagnosis::asked_reduction<How>, T>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    store_bulk(to, from, reduction_name(How), reduced_type<How, T>(), where, at...);
}

}  // namespace detail

/// Begins to copy the tile to the elements of the view from (i...) on, as they lie in memory. It is done behind a wait for its
/// group. Requires: called by one thread; what threads wrote to the tile before is seen: `tg::fence_async_proxy()` by each,
/// then a barrier; nobody writes to it before `wait_read`. Errors: TG105, TG148, TG203, TG204. PTX:
/// cp.async.bulk.global.shared::cta.bulk_group; sm_90.
template <class T, mode M, class... O, index_like I, class Tile>
void bulk_store(const view<T, M, 1, O...>& to, const I& i, const Tile& from,
                source_location where = source_location::current()) {
  detail::store_bulk(to, from, ptx::token::none, ptx::token::none, where, i);
}
template <class T, mode M, class... O, index_like I, index_like J, class Tile>
void bulk_store(const view<T, M, 2, O...>& to, const I& i, const J& j, const Tile& from,
                source_location where = source_location::current()) {
  detail::store_bulk(to, from, ptx::token::none, ptx::token::none, where, i, j);
}

/// Begins to reduce the tile into the elements of the view from (i...) on; each element by itself is atomic, for the GPU, and
/// in no order. Requires: as `bulk_store`. Errors: TG105, TG148, TG203, TG204. PTX: cp.reduce.async.bulk; sm_90.
template <reduction How, class T, mode M, class... O, index_like I, class Tile>
void bulk_reduce(const view<T, M, 1, O...>& to, const I& i, const Tile& from,
                 source_location where = source_location::current()) {
  detail::reduce_bulk<How>(to, from, where, i);
}
template <reduction How, class T, mode M, class... O, index_like I, index_like J, class Tile>
void bulk_reduce(const view<T, M, 2, O...>& to, const I& i, const J& j, const Tile& from,
                 source_location where = source_location::current()) {
  detail::reduce_bulk<How>(to, from, where, i, j);
}

}  // namespace tg
