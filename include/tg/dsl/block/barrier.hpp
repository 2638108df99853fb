// Barriers of some of a block's warps.
#pragma once

#include <tg/dsl/block/block.hpp>

namespace tg {

namespace diagnosis {
/// In a compile error: the number of the barrier.
template <int> struct barrier_id {};
template <bool Ok, class Facts = void> struct named_barrier {
  static_assert(Ok, "TG157: a named barrier has a number from 1 to 15, 0 being that of block.sync(), and is met by whole warps "
                    "of the block");
};
}  // namespace diagnosis

/// A barrier that `Threads` threads of the block meet, in whole warps; see `barrier`.
template <int Id, int Threads> struct named_barrier {
  /// Waits until Threads threads have come, those that only arrive included; what they wrote before is seen after it.
  /// PTX: bar.sync.
  void sync(source_location where = source_location::current()) const { meet(ptx::token::sync, where); }
  /// Counts as come, without waiting: what this thread wrote is seen by those that wait. PTX: bar.arrive.
  void arrive(source_location where = source_location::current()) const { meet(ptx::token::arrive, where); }

 private:
  static void meet(ptx::token how, source_location where) {
    auto& t = detail::tracer::current(where);
    t.at(where);
    t.emit(ptx::opcode::bar, {how}, {ptx::operand::integer(Id), ptx::operand::integer(Threads)});
  }
};

/// Barrier number Id of the block: `const auto full = tg::barrier<1>(block, 64_c); full.sync();`. Producers arrive and
/// consumers wait; once all have come it is free again. Errors: TG157.
/// Requires: all lanes of a warp come together.
template <int Id, class Shape, long long Threads> auto barrier(const block_handle<Shape>&, constant<Threads>) {
  constexpr bool fits = Id >= 1 && Id <= 15 && Threads >= 32 && Threads % 32 == 0 && Threads <= (Shape::threads + 31) / 32 * 32;
  using facts = diagnosis::types<diagnosis::barrier_id<Id>, constant<Threads>, Shape>;
  (void)sizeof(diagnosis::named_barrier<fits, facts>);
  return named_barrier<Id, static_cast<int>(Threads)>{};
}

}  // namespace tg
