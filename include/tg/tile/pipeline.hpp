// Loops over tiles of memory that are copied to shared memory while earlier ones are computed with.
#pragma once

#include <tuple>

#include <tg/dsl/async/fill_groups.hpp>
#include <tg/dsl/recorder/repetition.hpp>
#include <tg/tile/memory_tile.hpp>
#include <tg/tile/operand_ring.hpp>
#include <tg/tile/tensor_ring.hpp>

namespace tg {

/// How a pipeline goes through a length: in steps of `Step`.
template <class Length, int Step> struct steps_t { Length length; };

/// 0, Step, 2 * Step, ... below `length`.
template <operand_like Length, long long Step> auto steps(const Length& length, constant<Step>) {
  const auto own = detail::to_value<unsigned>(length);
  return steps_t<std::remove_const_t<decltype(own)>, static_cast<int>(Step)>{own};
}

/// What one stage of a pipeline holds: rectangles of views.
template <class... Part> std::tuple<Part...> stage(const Part&... part) { return {part...}; }

namespace detail {

/// All stages have one type, so that the compiler judges what fills and reads them once.
using stage_number = value<unsigned, index::single<index::uniform<1>>>;

/// How many steps there are.
template <class Length, int Step> auto count_of(const steps_t<Length, Step>& steps) {
  constexpr constant<Step> step{};
  return (steps.length + (step - constant<1>{})) / step;
}
/// The rings of a pipeline.
template <class Shape, int Stages, class... Part>
std::tuple<operand_ring<Shape, Stages, Part>...> make_rings(std::type_identity<std::tuple<Part...>>, source_location where) {
  return {operand_ring<Shape, Stages, Part>(where)...};
}
/// `f(0_c, 1_c, ...)`, a number for each of a tuple.
template <class Tuple, class F> auto with_numbers(F f) {
  return [&]<std::size_t... K>(std::index_sequence<K...>) {
    return f(std::integral_constant<std::size_t, K>{}...);
  }(std::make_index_sequence<std::tuple_size_v<Tuple>>{});
}
/// `body(tiles...)`, or with what `at()` gives as well.
template <class Body, class Tiles, class At> void call_with_tiles(Body& body, const Tiles& tiles, const At& at) {
  std::apply(
      [&](const auto&... tile) {
        if constexpr (std::invocable<Body&, decltype(tile)..., decltype(at())>) body(tile..., at());
        else body(tile...);
      },
      tiles);
}

/// A pipeline whose stages each thread copies a share of. PTX: cp.async.
template <int Stages, class Shape, class Rings, class Length, int Step, class What, class Body>
void pipeline_by_threads(const block_handle<Shape>& block, const Rings& rings, const steps_t<Length, Step>& steps, What& what,
                         Body& body, source_location where) {
  constexpr constant<Step> step{};
  constexpr constant<Stages> ring_size{};
  const auto fetch = [&](const stage_number& number, const stage_number& slot) {
    const auto wanted = what(number * step);
    with_numbers<Rings>([&](auto... k) { (std::get<k()>(rings).fetch(block, slot, std::get<k()>(wanted), where), ...); });
  };
  auto first = tg::fill_groups<Stages - 1>([&](auto s) { fetch(tg::uniform(s.value), tg::uniform(s.value)); }, where);
  const auto count = count_of(steps);
  auto rest = tg::for_groups(
      tg::range(count), std::move(first),
      [&](const auto& counter, auto groups) {
        const stage_number part{counter.operand};
        auto ready = groups.wait(constant<Stages - 2>{}, where);
        show_to_products<Shape>(where);
        block.sync(where);
        const stage_number slot{(part % ring_size).operand};
        const auto tiles =
            with_numbers<Rings>([&](auto... k) { return std::make_tuple(std::get<k()>(rings).read(ready, slot)...); });
        const stage_number next_part{(part + constant<Stages - 1>{}).operand};
        fetch(next_part, {(next_part % ring_size).operand});
        auto next = ready.commit(where);
        call_with_tiles(body, tiles, [&] { return part * step; });
        return next;
      },
      where);
  (void)rest.wait(constant<0>{}, where);
  block.sync(where);
}

/// A pipeline whose stages one thread fills by tensor copies. The barrier of each step says that all threads have done with the
/// stage before, which is filled next. Stages behind the end are filled too, with zeros and without reading, so that each turn
/// fills one: the phase of an mbarrier follows from the number of the turn. PTX: cp.async.bulk.tensor, mbarrier.
template <int Stages, class TensorRings, class Shape, class Length, int Step, class What, class Body>
void pipeline_by_tensor_copies(const block_handle<Shape>& block, const TensorRings& rings, const steps_t<Length, Step>& steps,
                               What& what, Body& body, source_location where) {
  constexpr constant<Step> step{};
  const auto count = count_of(steps);
  block.sync(where);  // the mbarriers are made
  const auto fill = [&](const stage_number& number, const stage_number& slot) {
    rings.fill(slot, what(number * step), {(number < count).operand});
  };
  for (int s = 0; s < Stages - 1; ++s) fill(tg::uniform(s), tg::uniform(s));
  tg::for_(
      tg::range(count),
      [&](const auto& counter) {
        const stage_number part{counter.operand};
        const auto turn = part % constant<2 * Stages>{};  // two rounds have the two parities
        const stage_number slot{(part % constant<Stages>{}).operand};
        rings.wait(slot, turn / constant<Stages>{});
        if (rings.are_cut()) rings.cut(slot, what(part * step));
        block.sync(where);
        const auto tiles = rings.read(slot);
        const stage_number next_part{(part + constant<Stages - 1>{}).operand};
        fill(next_part, {(next_part % constant<Stages>{}).operand});
        call_with_tiles(body, tiles, [&] { return part * step; });
      },
      where);
  // No copy outlives the block: the last phase of each stage is over.
  tg::if_(
      block.thread_index() == constant<0>{},
      [&] {
        for (unsigned s = 0; s < Stages; ++s)
          rings.wait(tg::uniform(s), (count + (3u * Stages - 2u - s)) / constant<Stages>{} % constant<2>{});
      },
      where);
}

}  // namespace detail

/// A rectangle of a view in shared memory, ready to be read: the operand of a product that stays. Called by all threads of the
/// block. In a loop all of them wait first until the rectangle of the round before has been read. PTX: cp.async and a barrier.
template <class Shape, class View, int Rows, int Columns, class Row, class Column>
auto to_shared(const block_handle<Shape>& block, const memory_tile<View, Rows, Columns, Row, Column>& from,
               source_location where = source_location::current()) {
  const detail::operand_ring<Shape, 1, memory_tile<View, Rows, Columns, Row, Column>> ring(where);
  if (detail::is_repeated()) block.sync(where);
  async_groups start;
  ring.fetch(block, constant<0>{}, from, where);
  auto landed = start.commit(where).wait(constant<0>{}, where);
  detail::show_to_products<Shape>(where);
  block.sync(where);
  return ring.read(landed, constant<0>{});
}

/// `body(tiles...)` for each step, where `what(k)` says which rectangles stage k holds: `tg::pipeline<4>(block, tg::steps(k,
/// 32_c),
/// [&](auto k) { return tg::stage(tg::tile_at<128, 32>(a, row, k), tg::tile_at<32, 128>(b, k, column)); }, [&](auto left, auto
/// right) { sum += tg::dot(left, right); })`. While one stage is used, `Stages - 1` others are on their way. A body with one
/// more parameter gets k too. Zeros stand where a matrix ends. Called by all threads of the block. PTX: cp.async; for sm_90
/// cp.async.bulk.tensor and mbarriers, of read-only matrices whose rows are promised to be multiples of 16 bytes apart, outside of
/// loops.
template <int Stages, class Shape, class Length, int Step, class What, class Body>
void pipeline(const block_handle<Shape>& block, const steps_t<Length, Step>& steps, What&& what, Body&& body,
              source_location where = source_location::current()) {
  static_assert(Stages >= 2, "tg::pipeline<Stages> has two stages at least");
  constexpr constant<Step> step{};
  using parts = decltype(what(std::declval<value<unsigned, index::single<index::uniform<Step>>>>()));
  const auto rings = detail::make_rings<Shape, Stages>(std::type_identity<parts>{}, where);
  using all_rings = std::remove_const_t<decltype(rings)>;
  if constexpr (detail::are_tensor_rings<all_rings, parts>) {
    using tensor_rings = typename detail::tensor_rings_of<Shape, Stages, all_rings>::type;
    if (const auto from = tensor_rings::sources_of(what(detail::stage_number{tg::uniform(0).operand} * step));
        tensor_rings::are_maps(from) && !detail::is_repeated()) {
      const tensor_rings filled(block, rings, from, where);
      return detail::pipeline_by_tensor_copies<Stages>(block, filled, steps, what, body, where);
    }
  }
  detail::pipeline_by_threads<Stages>(block, rings, steps, what, body, where);
}

}  // namespace tg
