// Pipelines whose stages each thread of the block copies a share of.
#pragma once

#include <tg/base/integer_sequence.hpp>
#include <tg/base/tuple.hpp>
#include <tg/dsl/async/fill_groups.hpp>
#include <tg/dsl/flow/while_.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/tile/operand_ring.hpp>
#include <tg/tile/pipeline_body.hpp>
#include <tg/tile/steps.hpp>

namespace tg::detail {

/// Begins to copy each rectangle to its ring.
template <std::size_t... K, class... Ring, class... Part, class Block, class Slot>
void fetch_all(const tuple_parts<index_sequence<K...>, Ring...>& rings,
               const tuple_parts<index_sequence<K...>, Part...>& wanted, const Block& block, const Slot& slot,
               source_location where) {
  (get<K>(rings).fetch(block, slot, get<K>(wanted), where), ...);
}

/// The stages of a pipeline that each thread copies a share of. PTX: cp.async.
template <int Stages, class Shape, class Rings, class Steps, class What> class stages_of_threads {
  static constexpr constant<Steps::step> step{};

 public:
  stages_of_threads(const block_handle<Shape>& block, const Rings& rings, What& what, source_location where)
      : block_(block), rings_(rings), what_(what), where_(where) {}

  static step_number slot_of(const step_number& number) { return {(number % constant<Stages>{}).operand}; }
  static auto at(const step_number& number) { return number * step; }

  /// Begins to copy all stages but one.
  auto fill() const {
    return tg::fill_groups<Stages - 1>([&](long long s) { fetch(tg::uniform(s), tg::uniform(s)); }, where_);
  }
  /// The next stage is there; the one before is filled again, behind its end too, with zeros.
  template <class Groups> auto next(const step_number& number, Groups under_way) const {
    auto ready = under_way.wait(constant<Stages - 2>{}, where_);
    show_to_products<Shape>(where_);
    block_.sync(where_);
    const step_number filled{(number + constant<Stages - 1>{}).operand};
    fetch(filled, slot_of(filled));
    return ready.commit(where_);
  }
  /// What step `number` found in its stage. Requires: `next(number)`, and no `next` since.
  auto tiles(const step_number& number) const {
    const landed_slot slot{slot_of(number)};
    return detail::apply([&](const auto&... ring) { return to_tuple(ring.read(slot)...); }, rings_);
  }
  /// No copy outlives the loop.
  template <class Groups> void finish(Groups rest) const {
    (void)rest.wait(constant<0>{}, where_);
    block_.sync(where_);
  }

 private:
  void fetch(const step_number& number, const step_number& slot) const {
    fetch_all(rings_, to_stage(what_(at(number))), block_, slot, where_);
  }

  const block_handle<Shape>& block_;
  const Rings& rings_;
  What& what_;
  source_location where_;
};

template <class Stages, class Steps, class Body, class After>
void pipeline_by_threads(const Stages& stages, const Steps& steps, Body& body, const After& after_step, source_location where) {
  stages.finish(tg::for_groups(
      tg::range(steps.count()), stages.fill(),
      [&](const auto& counter, auto under_way) {
        const step_number own{counter.operand};
        auto rest = stages.next(own, static_cast<decltype(under_way)&&>(under_way));
        const auto at = [&] { return stages.at(own); };
        call_with_tiles(body, stages.tiles(own), at);
        after_step(at, false);
        return rest;
      },
      where));
}
/// Each turn takes the second part of a step and then the first part of the next one; the first turn has no second part, the
/// last one no first part. That there is a next step is what the loop goes on by: so the branch over the first part leaves it.
template <class Stages, class Steps, class First, class Rest, class After>
void pipeline_by_threads(const Stages& stages, const Steps& steps, body_parts<First, Rest>& body,
                         const After& /*nothing_after*/, source_location where) {
  const step_number count{tg::let(steps.count()).operand};
  const auto call = [&](auto& part, const step_number& own) {
    call_with_tiles(part, stages.tiles(own), [&] { return stages.at(own); });
  };
  using groups = decltype(stages.fill());
  (void)groups(stages.fill());  // left here, and found again in each turn
  tg::var<unsigned> turn = 0u;
  step_number following = tg::uniform(0);
  const auto has_next = [&] { return following < count; };
  repeat_while(
      [&] {
        following.operand = tg::let(turn).operand;
        turn = following + 1u;
        tg::if_(following != 0u, [&] { call(body.rest, {(following - constant<1>{}).operand}); }, where);
        (void)groups(stages.next(following, groups_under_way<groups::pending, groups::landed>()));
        tg::if_(has_next(), [&] { call(body.first, following); }, where);
      },
      has_next, where);
  stages.finish(groups_under_way<groups::pending, groups::landed>());
}

}  // namespace tg::detail
