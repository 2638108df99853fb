// The passes in their order.
#pragma once

#include <cstddef>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/passes/coalesce_copies.hpp>
#include <tg/ptx/passes/contract.hpp>
#include <tg/ptx/passes/distribute_scales.hpp>
#include <tg/ptx/passes/flatten.hpp>
#include <tg/ptx/passes/fold_constants.hpp>
#include <tg/ptx/passes/fold_offsets.hpp>
#include <tg/ptx/passes/forward_copies.hpp>
#include <tg/ptx/passes/forward_words.hpp>
#include <tg/ptx/passes/hoist_invariants.hpp>
#include <tg/ptx/passes/lower_bf16.hpp>
#include <tg/ptx/passes/merge_equal.hpp>
#include <tg/ptx/passes/predicate_branches.hpp>
#include <tg/ptx/passes/reduce_strength.hpp>
#include <tg/ptx/passes/regroup_addresses.hpp>
#include <tg/ptx/passes/remove_dead.hpp>
#include <tg/ptx/passes/sink_splits.hpp>
#include <tg/ptx/passes/split_fields.hpp>
#include <tg/ptx/passes/split_swizzles.hpp>
#include <tg/ptx/passes/unroll_loops.hpp>
#include <tg/ptx/passes/walk_rows.hpp>

namespace tg::ptx {

/// Whether control flow is still pairs of markers, as the passes need it; text from elsewhere has labels instead.
inline bool is_structured(const function& f) { return f.label_count == 0; }

/// From the front end's instructions in program order to what is printed. A function with labels stays as it is. Passes
/// empty what they take out; those that walk over much of it close the gaps.
inline void optimize(function& f) {
  if (!is_structured(f)) return;
  dynamic_array<register_use> uses = unroll_loops(f);
  // Until a pass inserts something, every instruction keeps its place.
  std::size_t counted = f.body.size();
  const auto recount = [&] {
    if (f.body.size() == counted) return;
    uses = count_uses(f);
    counted = f.body.size();
  };

  // While each read of a variable is a copy with a name of its own, values are easy to follow: look through the copies
  // and compute what is known.
  forward_copies(f, uses);
  fold_constants(f, uses);
  if (const dynamic_array<bool> changed = split_fields(f, uses); !changed.empty()) {
    recount();
    fold_constants(f, uses, changed);
  }
  reduce_strength(f, uses);
  recount();
  forward_words(f, uses);

  // Addresses lose what swizzles do not touch and then their constants, and thereby become equal, as the parts of
  // divisions do: merge. What they were computed from is now dead and must not count as a reader when products look for
  // their only one.
  split_swizzles(f, uses);
  fold_offsets(f);
  merge_equal(f);
  remove_dead(f);
  contract(f);
  lower_bf16(f);

  // Loops get short before variables are read and written in place, because what reads a variable cannot move.
  hoist_invariants(f);
  regroup_addresses(f);
  distribute_scales(f);
  walk_rows(f);
  coalesce_copies(f);

  // Branches are counted last, when their bodies have shrunk to what they really do. What then goes into them counts no more.
  predicate_branches(f);
  sink_splits(f);
  remove_dead(f);
  flatten(f);
}

/// Every function of `m`.
inline void optimize(module& m) {
  for (function& f : m.functions)
    if (!f.is_external) optimize(f);
}

}  // namespace tg::ptx
