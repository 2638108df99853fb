// Loops over tiles of memory that are copied to shared memory while earlier ones are computed with.
#pragma once

#include <tg/base/tuple.hpp>
#include <tg/dsl/recorder/repetition.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/wgmma/group_product.hpp>
#include <tg/tile/memory_tile.hpp>
#include <tg/tile/operand_ring.hpp>
#include <tg/tile/pipeline_body.hpp>
#include <tg/tile/pipeline_by_threads.hpp>
#include <tg/tile/producer.hpp>
#include <tg/tile/steps.hpp>
#include <tg/tile/tensor_ring.hpp>

namespace tg {

namespace detail {

/// The rings of a pipeline.
template <class Shape, int Stages, class... Part>
tuple<operand_ring<Shape, Stages, Part>...> make_rings(std::type_identity<tuple<Part...>>, source_location where) {
  return {{{operand_ring<Shape, Stages, Part>(where)}...}};
}

/// What the body of a pipeline leaves behind: nothing, or products under way that write to sums which nothing else of the loop
/// touches.
enum class leaves { nothing, products };

/// A pipeline whose stages one thread fills by tensor copies. The barrier of each step says that all threads have done with the
/// stage before, which is filled next. Stages behind the end are filled too, with zeros and without reading, so that each turn
/// fills one: the phase of an mbarrier follows from the number of the turn. Products that a turn leaves under way are waited
/// for in the next one, behind its own: so the tensor cores always have work. PTX: cp.async.bulk.tensor, mbarrier.
template <int Stages, leaves Left, class TensorRings, class Shape, class Steps, class What, class Body, class After>
void pipeline_by_tensor_copies(const block_handle<Shape>& block, const TensorRings& rings, const Steps& steps, What& what,
                               Body& body, const After& after_step, source_location where) {
  constexpr constant<Steps::step> step{};
  const auto count = steps.count();
  const bool leaves_products = Left == leaves::products && !rings.are_cut();  // zeros are written in front of a barrier
  block.sync(where);                                                          // the mbarriers are made
  const auto fill = [&](const step_number& number, const step_number& slot) {
    rings.fill(slot, to_stage(what(number * step)), {(number < count).operand});
  };
  for (int s = 0; s < Stages - 1; ++s) fill(tg::uniform(s), tg::uniform(s));
  tg::for_(
      tg::range(count),
      [&](const auto& counter) {
        const step_number part{counter.operand};
        const auto turn = part % constant<2 * Stages>{};  // two rounds have the two parities
        const step_number slot{(part % constant<Stages>{}).operand};
        rings.wait(slot, turn / constant<Stages>{});
        if (rings.are_cut()) rings.cut(slot, to_stage(what(part * step)));
        const auto tiles = rings.read(slot);
        const auto at = [&] { return part * step; };
        const auto compute = [&] { call_with_tiles(body, tiles, at); };
        const auto fill_stage_before = [&] {
          block.sync(where);
          const step_number next_part{(part + constant<Stages - 1>{}).operand};
          fill(next_part, {(next_part % constant<Stages>{}).operand});
        };
        if (!leaves_products) return fill_stage_before(), compute(), after_step(at, false);
        const std::size_t first = recorded_count();
        compute();
        const bool is_left = take_back_wait(first);
        if (is_left) wait_for_products(1, where);
        fill_stage_before();
        after_step(at, is_left);
      },
      where);
  if (leaves_products) wait_for_products(0, where);
  // No copy outlives the block: the last phase of each stage is over.
  tg::if_(
      block.thread_index() == constant<0>{},
      [&] {
        for (unsigned s = 0; s < Stages; ++s)
          rings.wait(tg::uniform(s), (count + (3u * Stages - 2u - s)) / constant<Stages>{} % constant<2>{});
      },
      where);
}

/// A pipeline whose stages the producer fills. Two mbarriers for each stage say that its copies have landed, and that each warp
/// of the consumers has done with it. Products that a turn leaves under way are waited for in the next one, behind its own.
/// PTX: cp.async.bulk.tensor, mbarrier.
template <int Stages, leaves Left, class TensorRings, class Shape, class Steps, class What, class Body, class After>
void pipeline_by_producer(const block_handle<Shape>& block, const TensorRings& rings, const Steps& steps, What& what,
                          Body& body, const After& after_step, source_location where) {
  constexpr constant<Steps::step> step{};
  constexpr constant<Stages> ring_size{};
  const auto count = steps.count();
  const bool leaves_products = Left == leaves::products && !rings.are_cut();  // zeros are written in front of a barrier
  const bool are_shared = rings.are_shared();
  const int sharers = are_shared ? cluster_blocks<Shape> : 1;
  const auto empty = mbarriers<Stages>(block, Shape::threads / 32 * sharers, where);
  const auto slot_of = [&](const step_number& part) { return step_number{(part % ring_size).operand}; };
  const auto parity_of = [&](const auto& part) { return part % constant<2 * Stages>{} / ring_size; };
  in_producer(
      block, are_shared,
      [&] {
        tg::for_(
            tg::range(count),
            [&](const auto& counter) {
              const step_number part{counter.operand}, slot = slot_of(part);
              // The consumers have left the stage of the round before; the first round finds all stages empty.
              wait_at(empty.address(slot, where), operand_of<unsigned>(parity_of(part + ring_size)), are_shared, where);
              rings.fill_by_this(slot, to_stage(what(part * step)), {tg::uniform(1) == 1u});
            },
            where);
      },
      where);
  meet_producer(block, are_shared, where);
  // One lane of each warp says so, in each block that fills the stage.
  const auto release = [&](const auto& warp, const step_number& slot, const value<bool>& is_read) {
    warp.sync(where);
    tg::if_(
        warp.lane < static_cast<unsigned>(sharers) && is_read,
        [&] {
          if constexpr (is_clustered<Shape>)
            if (are_shared) return empty.arrive_in(warp.lane, slot, where);
          empty.arrive(slot, where);
        },
        where);
  };
  tg::for_(
      tg::range(count),
      [&](const auto& counter) {
        const step_number part{counter.operand}, slot = slot_of(part);
        rings.wait(slot, parity_of(part));
        if (rings.are_cut()) {
          rings.cut(slot, to_stage(what(part * step)));
          block.sync(where);
        }
        const auto tiles = rings.read(slot);
        const auto at = [&] { return part * step; };
        const auto warp = block.warp();
        const std::size_t first = recorded_count();
        call_with_tiles(body, tiles, at);
        const bool is_left = leaves_products && take_back_wait(first);
        if (is_left) {
          wait_for_products(1, where);
          release(warp, slot_of({(part + constant<Stages - 1>{}).operand}), {(part != 0u).operand});
        } else {
          release(warp, slot, {(tg::uniform(1) == 1u).operand});
        }
        after_step(at, is_left);
      },
      where);
  if (leaves_products) wait_for_products(0, where);
  if (are_shared) meet_producer(block, true, where);  // no block ends while another one copies to it or arrives there
}

/// The body of a pipeline that adds a product to sums. A lambda with a constraint here crashes g++ 12.
template <class Sum, class Product> struct adding_body {
  Sum& sum;
  Product& product;

  template <class... Tile> requires std::invocable<Product&, const Tile&...>
  void operator()(const Tile&... tiles) const {
    sum += product(tiles...);
  }
};

/// The pipeline of a body whose last argument, where it wants it, is the step.
template <int Stages, leaves Left, class Shape, class Steps, class What, class Body, class After = nothing_after>
void run_pipeline(const block_handle<Shape>& block, const Steps& steps, What& what, Body& body, source_location where,
                  const After& after_step = {}) {
  constexpr bool has_two = Stages >= 2;
  static_assert(has_two, "TG606: tg::pipeline<Stages> has two stages at least, one to read while another is filled");
  constexpr constant<Steps::step> step{};
  using first_step = value<unsigned, index::single<index::uniform<Steps::step>>>;
  using parts = std::remove_cvref_t<decltype(to_stage(what(std::declval<first_step>())))>;
  const auto rings = make_rings<Shape, Stages>(std::type_identity<parts>{}, where);
  using all_rings = std::remove_const_t<decltype(rings)>;
  constexpr bool fits = takes_stage<Steps, Body, all_rings>;
  static_assert(fits,
                "TG610: the body of tg::pipeline takes the tiles of a stage, then the step where it wants it, and so does each "
                "of its two parts: [&](auto left, auto right, auto k)");
  if constexpr (has_two && fits && are_tensor_rings<all_rings, parts>) {
    using tensor_rings = typename tensor_rings_of<Shape, Stages, all_rings>::type;
    const auto parts_at = [&](const step_number& number) { return to_stage(what(number * step)); };
    const auto find = [&] {
      const auto first = parts_at({tg::uniform(0).operand});
      if constexpr (has_producer<Shape> && is_clustered<Shape>)
        if (!is_nested_in_consumers() && is_alike_in_cluster(operand_of<unsigned>(steps.count())))
          return tensor_rings::sources_in_cluster(first, parts_at({tg::let(tg::uniform(1)).operand}), cluster_blocks<Shape>);
      return tensor_rings::sources_of(first);
    };
    if (const auto from = find(); tensor_rings::are_maps(from) && !is_repeated()) {
      const tensor_rings filled(block, rings, from, where);
      if constexpr (has_producer<Shape>)
        if (!is_nested_in_consumers())
          return pipeline_by_producer<Stages, Left>(block, filled, steps, what, body, after_step, where);
      return pipeline_by_tensor_copies<Stages, Left>(block, filled, steps, what, body, after_step, where);
    }
  }
  if constexpr (has_two && fits)
    pipeline_by_threads(stages_of_threads<Stages, Shape, all_rings, Steps, What>(block, rings, what, where), steps, body,
                        after_step, where);
}

}  // namespace detail

/// `body(tiles...)` for each step, where `what(k)` says which rectangles stage k holds: `tg::pipeline<4>(block, tg::steps(k,
/// 32_c), [&](auto k) { return tg::stage(tg::tile_at<128, 32>(a, row, k), tg::tile_at<32, 128>(b, k, column)); }, [&](auto
/// left, auto right) { sum += tg::dot(left, right); })`. While one stage is used, `Stages - 1` others are on their way. A body
/// with one more parameter gets k too. Zeros stand where a matrix ends. Errors: TG610. Called by all threads of the block. PTX:
/// cp.async; for sm_90 cp.async.bulk.tensor and mbarriers, of read-only matrices whose rows are promised to be multiples of 16
/// bytes apart, outside of loops.
template <int Stages, class Shape, class Steps, class What, class Body>
void pipeline(const block_handle<Shape>& block, const Steps& steps, What&& what, Body&& body,
              source_location where = source_location::current()) {
  detail::run_pipeline<Stages, detail::leaves::nothing>(block, steps, what, body, where);
}

/// A pipeline whose body is `first(tiles...)` and then `rest(tiles...)`. In the loop, the first part of the next step stands
/// behind the rest of this one. So what only some steps need, such as a mask at the end of `first`, lies behind the
/// instructions of all others. What `first` leaves for `rest` is in tiles and variables that are declared in front of the
/// pipeline. Where tensor copies fill the stages, the parts stand one after the other. All else as for a body in one part.
template <int Stages, class Shape, class Steps, class What, class First, class Rest>
requires(!std::is_same_v<std::remove_cvref_t<Rest>, source_location>)
void pipeline(const block_handle<Shape>& block, const Steps& steps, What&& what, First&& first, Rest&& rest,
              source_location where = source_location::current()) {
  using parts = detail::body_parts<std::remove_reference_t<First>, std::remove_reference_t<Rest>>;
  parts body{first, rest};
  detail::run_pipeline<Stages, detail::leaves::nothing>(block, steps, what, body, where);
}

/// `sum += product(tiles...)` for each step: a pipeline whose body is one product, which it returns:
/// `tg::add_products<4>(block, sum, tg::steps(k, 64_c), what, [](auto left, auto right) { return tg::dot(left, right); })`. The
/// product of a step may be under way while the next stage is waited for: on sm_90 that keeps the tensor cores busy. All else
/// as `tg::pipeline` says. Errors: TG607 to TG610. PTX: as `tg::pipeline`; wgmma.wait_group 1 behind the products of each step.
template <int Stages, class Shape, class Sum, class Steps, class What, class Product>
void add_products(const block_handle<Shape>& block, Sum& sum, const Steps& steps, What&& what, Product&& product,
                  source_location where = source_location::current()) {
  const detail::adding_body<Sum, std::remove_reference_t<Product>> body{sum, product};
  detail::run_pipeline<Stages, detail::leaves::products>(block, steps, what, body, where);
}

}  // namespace tg
