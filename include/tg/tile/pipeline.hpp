// Loops over tiles of memory that are copied to shared memory while earlier ones are computed with.
#pragma once

#include <tuple>

#include <tg/dsl/async/fill_groups.hpp>
#include <tg/dsl/recorder/repetition.hpp>
#include <tg/tile/memory_tile.hpp>
#include <tg/tile/operand_ring.hpp>

namespace tg {

/// How a pipeline goes through a length: in steps of `Step`.
template <class Length, int Step> struct steps_t { Length length; };

/// 0, Step, 2 * Step, ... below `length`.
template <operand_like Length, long long Step> auto steps(const Length& length, constant<Step>) {
  const auto own = detail::to_value<unsigned>(length);
  return steps_t<std::remove_const_t<decltype(own)>, static_cast<int>(Step)>{own};
}

/// A step that is no constant. Errors: TG606.
template <operand_like Length, std::integral Step> auto steps(const Length& length, const Step&) {
  static_assert(sizeof(Step) == 0, "TG606: the step of tg::steps is a constant: tg::steps(k, 32_c)");
  return tg::steps(length, constant<16>{});
}

/// What one stage of a pipeline holds: rectangles of views.
template <class... Part> std::tuple<Part...> stage(const Part&... part) { return {part...}; }

namespace detail {
template <class... Part> const std::tuple<Part...>& to_stage(const std::tuple<Part...>& parts) { return parts; }
/// One rectangle by itself.
template <tile_like Part> std::tuple<Part> to_stage(const Part& part) { return {part}; }
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
/// more parameter gets k too. Zeros stand where a matrix ends. Called by all threads of the block. PTX: cp.async; for sm_90 a
/// fence of the async proxy.
template <int Stages, class Shape, class Length, int Step, class What, class Body>
void pipeline(const block_handle<Shape>& block, const steps_t<Length, Step>& steps, What&& what, Body&& body,
              source_location where = source_location::current()) {
  static_assert(Stages >= 2, "tg::pipeline<Stages> has two stages at least");
  constexpr constant<Step> step{};
  constexpr constant<Stages> ring_size{};
  using first_step = value<unsigned, index::single<index::uniform<Step>>>;
  using parts = std::remove_cvref_t<decltype(detail::to_stage(what(std::declval<first_step>())))>;
  auto rings = [&]<class... Part>(std::type_identity<std::tuple<Part...>>) {
    return std::tuple<detail::operand_ring<Shape, Stages, Part>...>{detail::operand_ring<Shape, Stages, Part>(where)...};
  }(std::type_identity<parts>{});
  const auto each = [&](auto f) {
    return [&]<std::size_t... K>(std::index_sequence<K...>) {
      return f(std::integral_constant<std::size_t, K>{}...);
    }(std::make_index_sequence<std::tuple_size_v<parts>>{});
  };
  // All stages have one type, so that the compiler judges what fills and reads them once.
  using stage_number = value<unsigned, index::single<index::uniform<1>>>;
  const auto fetch = [&](const stage_number& number, const stage_number& slot) {
    const auto wanted = detail::to_stage(what(number * step));
    each([&](auto... k) { (std::get<k()>(rings).fetch(block, slot, std::get<k()>(wanted), where), ...); });
  };
  auto first = tg::fill_groups<Stages - 1>([&](auto s) { fetch(tg::uniform(s.value), tg::uniform(s.value)); }, where);
  const auto count = (steps.length + (step - constant<1>{})) / step;
  auto rest = tg::for_groups(
      tg::range(count), std::move(first),
      [&](const auto& counter, auto groups) {
        const stage_number part{counter.operand};
        auto ready = groups.wait(constant<Stages - 2>{}, where);
        detail::show_to_products<Shape>(where);
        block.sync(where);
        const stage_number slot{(part % ring_size).operand};
        auto tiles = each([&](auto... k) { return std::make_tuple(std::get<k()>(rings).read(ready, slot)...); });
        const stage_number next_part{(part + constant<Stages - 1>{}).operand};
        fetch(next_part, {(next_part % ring_size).operand});
        auto next = ready.commit(where);
        std::apply(
            [&](const auto&... tile) {
              if constexpr (std::invocable<Body&, decltype(tile)..., decltype(part * step)>) body(tile..., part * step);
              else body(tile...);
            },
            tiles);
        return next;
      },
      where);
  (void)rest.wait(constant<0>{}, where);
  block.sync(where);
}

}  // namespace tg
