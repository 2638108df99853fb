// The warps of a block in different roles: some fetch, others compute.
//
//   tg::roles(block, tg::warpgroup_role<1, 40>([&](auto producer) { ... }),      // warps 0 to 3, 40 registers each thread
//                    tg::warpgroup_role<2, 232>([&](auto consumer) { ... }));    // warps 4 to 11
#pragma once

#include <utility>

#include <tg/base/extremes.hpp>
#include <tg/dsl/block/barrier.hpp>
#include <tg/dsl/cluster/cluster_shape.hpp>
#include <tg/dsl/cluster/register_count.hpp>
#include <tg/dsl/recorder/block_barriers.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/dsl/wgmma/warpgroup.hpp>

namespace tg {

namespace diagnosis {

/// In a compile error: warps of all roles together.
template <int> struct warps_of_roles {};
/// In a compile error: warps of the block.
template <int> struct warps_of_block {};
/// In a compile error: registers of the block when it is launched.
template <int> struct registers_at_launch {};
/// In a compile error: registers of all roles together.
template <int> struct registers_of_roles {};

template <bool Ok, class Facts = void> struct shared_out_warps {
  static_assert(Ok,
                "TG199: roles take all warps of the block, in order, and roles of warpgroups begin at a multiple of 4 warps");
};
template <bool Ok, class Facts = void> struct register_budget {
  static_assert(Ok, "TG199: the registers of the roles: all roles have some or none has, 24 to 256, a multiple of 8; the block "
                    "has tg::min_blocks<N> or tg::max_registers<N>; together they are no more than the block has at launch");
};

}  // namespace diagnosis

namespace detail {

/// `number` - `Before`, in threads of whose warps it is not negative.
template <int Before, long long Multiple, class X> auto counted_from(const X& number, source_location where) {
  if constexpr (Before == 0) return number;
  else return assume_warp_uniform<Multiple>(number - constant<Before>{}, where);
}

/// The number of a thread of the block in a role that begins with warp `First`.
template <int First, class X> auto thread_of_role(const X& in_block, source_location where) {
  if constexpr (First == 0) return in_block;
  else return counted_from<32 * First, 32>(in_block - in_block % constant<32>{}, where) + in_block % constant<32>{};
}

}  // namespace detail

/// What the threads of a role know of it; the argument of its body. `Number`: which role, `First`: its first warp.
template <class BlockForm, class ThreadForm, int Number, int First, int Warps> class role_handle {
 public:
  static constexpr int threads = 32 * Warps;
  static constexpr int warps = Warps;

  value<unsigned, BlockForm> in_block;  ///< number of the thread in the block
  value<unsigned, ThreadForm> thread;   ///< 0 to `threads` - 1

  /// The warp of this thread, its number counted in the role.
  auto warp(source_location where = source_location::current()) const {
    const auto lane = in_block % constant<32>{};
    const auto number = detail::counted_from<First, 1>(in_block / constant<32>{}, where);
    return warp_handle<typename decltype(lane)::form, typename decltype(number)::form>{lane, number};
  }
  /// The warpgroup of this thread, its number counted in the role. Errors: TG153 for a role that is not made of warpgroups.
  auto warpgroup(source_location where = source_location::current()) const {
    (void)sizeof(diagnosis::whole_warpgroups < First % 4 == 0 && Warps % 4 == 0, role_handle >);
    const auto own = in_block % constant<128>{};
    const auto number = detail::counted_from<First / 4, 1>(in_block / constant<128>{}, where);
    return warpgroup_handle<typename decltype(own)::form, typename decltype(number)::form>{own, number};
  }
  /// Waits for the threads of this role. PTX: bar.sync of barrier 15 for the first role, 14 for the second and so on.
  void sync(source_location where = source_location::current()) const { named_barrier<15 - Number, threads>().sync(where); }
};

/// A role, from `warp_role` or `warpgroup_role`. `Registers`: of each thread; 0: as at launch.
template <int Warps, int Registers, bool IsOfGroups, class Body> struct role_t {
  static constexpr int warps = Warps;
  static constexpr int registers = Registers;
  static constexpr bool is_of_groups = IsOfGroups;

  Body body;
  source_location where;
};

/// `Count` warps that run `body(role)`.
template <int Count, class Body>
role_t<Count, 0, false, Body> warp_role(Body body, source_location where = source_location::current()) {
  return {std::move(body), where};
}
/// `Count` warpgroups that run `body(role)`, each thread with `Registers` registers. PTX: setmaxnreg.dec or .inc.
template <int Count, int Registers = 0, class Body>
role_t<4 * Count, Registers, true, Body> warpgroup_role(Body body, source_location where = source_location::current()) {
  return {std::move(body), where};
}

namespace detail {

/// Registers of a thread when the block starts: what its bounds leave. Source: PTX ISA 9.0, ".maxnreg", ".minnctapersm".
template <class Shape>
inline constexpr int launch_registers = [] {
  if (max_registers_of<Shape> != 0) return (static_cast<int>(max_registers_of<Shape>) + 7) / 8 * 8;
  const int blocks = larger_of(1, static_cast<int>(min_blocks_of<Shape>));
  return smaller_of(256, largest_multiprocessor.registers / blocks / Shape::threads / 8 * 8);
}();

template <class Shape, class... Roles> constexpr bool are_all_warps() {
  int first = 0;
  bool fits = true;
  const auto look = [&](int warps, bool is_of_groups) {
    fits = fits && warps > 0 && (!is_of_groups || first % 4 == 0);
    first += warps;
  };
  (look(Roles::warps, Roles::is_of_groups), ...);
  return fits && first * 32 == Shape::threads && sizeof...(Roles) <= 15;
}

template <class... Roles> inline constexpr int registers_of = ((Roles::registers * Roles::warps * 32) + ... + 0);

template <class Shape, class... Roles> constexpr bool is_within_budget() {
  if ((... && (Roles::registers == 0))) return true;
  const bool is_bounded = max_registers_of<Shape> != 0 || min_blocks_of<Shape> != 0;
  return is_bounded && registers_of<Roles...> <= launch_registers<Shape> * Shape::threads &&
         (... && (Roles::registers >= 24 && Roles::registers <= 256 && Roles::registers % 8 == 0));
}

template <int Number, int First, class Shape, class Thread, class Role>
void record_role(const block_handle<Shape>& block, const Thread& thread, const Role& role) {
  constexpr int at_launch = launch_registers<Shape>;
  const std::size_t begin = count_recorded();
  if constexpr (Role::registers != 0 && Role::registers < at_launch) lower_registers<Role::registers>(block, role.where);
  if constexpr (Role::registers > at_launch) raise_registers<Role::registers>(block, role.where);
  const auto own = thread_of_role<First>(thread, role.where);
  role.body(role_handle<typename Thread::form, typename decltype(own)::form, Number, First, Role::warps>{thread, own});
  refuse_block_barriers(begin);
}

template <int Number, int First, class Shape, class Thread, class Role, class... Rest>
void record_roles(const block_handle<Shape>& block, const Thread& thread, const Role& role, const Rest&... rest) {
  if constexpr (sizeof...(Rest) == 0) {
    record_role<Number, First>(block, thread, role);
  } else {
    constexpr int next = First + Role::warps;
    if_(
        thread < constant<32 * next>{}, [&] { record_role<Number, First>(block, thread, role); }, role.where)
        .else_([&] { record_roles<Number + 1, next>(block, thread, rest...); }, role.where);
  }
}

}  // namespace detail

/// Each warp of the block runs the body of its role: the first role takes the first warps, and so on. Within a role, threads
/// meet by `role.sync()`, `tg::barrier` and barriers in memory; `block.sync()` would wait for the others for ever and is
/// refused. Errors: TG199. PTX: branches on the number of the warp.
template <class Shape, int... W, int... R, bool... G, class... Body>
void roles(const block_handle<Shape>& block, const role_t<W, R, G, Body>&... all) {
  using warps = diagnosis::shared_out_warps<
      detail::are_all_warps<Shape, role_t<W, R, G, Body>...>(),
      diagnosis::types<diagnosis::warps_of_roles<(W + ...)>, diagnosis::warps_of_block<(Shape::threads + 31) / 32>>>;
  using budget = diagnosis::register_budget<
      detail::is_within_budget<Shape, role_t<W, R, G, Body>...>(),
      diagnosis::types<diagnosis::registers_of_roles<detail::registers_of<role_t<W, R, G, Body>...>>,
                       diagnosis::registers_at_launch<detail::launch_registers<Shape> * Shape::threads>>>;
  if constexpr (diagnosis::is_ok<sizeof(warps), warps> && diagnosis::is_ok<sizeof(budget), budget>)
    detail::record_roles<0, 0>(block, block.thread_index(), all...);
}

}  // namespace tg
