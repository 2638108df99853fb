// What a pipeline copies in each step, and the body that is called with it.
#pragma once

#include <tg/base/tuple.hpp>
#include <tg/tile/memory_tile.hpp>
#include <tg/tile/operand_ring.hpp>
#include <tg/tile/steps.hpp>

namespace tg {

/// What one stage of a pipeline holds: rectangles of views.
template <class... Part> detail::tuple<Part...> stage(const Part&... part) { return detail::to_tuple(part...); }
/// A stage and more rectangles.
template <class... Before, class... Part>
detail::tuple<Before..., Part...> stage(const detail::tuple<Before...>& before, const Part&... part) {
  return detail::apply([&](const auto&... own) { return detail::to_tuple(own..., part...); }, before);
}

namespace detail {
template <class... Part> const tuple<Part...>& to_stage(const tuple<Part...>& parts) { return parts; }
/// One rectangle by itself.
template <tile_like Part> tuple<Part> to_stage(const Part& part) { return {{{part}}}; }

/// The number of an element, as the body of a pipeline with these steps gets it.
template <class Steps> using step_place = decltype(std::declval<step_number>() * constant<Steps::step>{});
/// A stage of a ring, as the body gets it.
template <class Ring>
using stage_tile =
    decltype(std::declval<const Ring&>().read(std::declval<const async_groups<0, 1>&>(), std::declval<step_number>()));

/// A body in two parts, the first of which may be called for the next step before the second one is for this step.
template <class First, class Rest> struct body_parts {
  First& first;
  Rest& rest;
};

/// A body that takes tiles and the step, or tiles alone: the second is asked only where the first does not hold, as the body of
/// a lambda is compiled to find out.
template <class Body, class Step, class... Tile>
concept stage_body = std::invocable<Body&, Tile..., Step> || std::invocable<Body&, Tile...>;

/// Whether a body can be called with the tiles of a stage, and with the step where it takes it.
template <class Steps, class Body, class Rings> inline constexpr bool takes_stage = false;
template <class Steps, class Body, class... Ring>
inline constexpr bool takes_stage<Steps, Body, tuple<Ring...>> =
    stage_body<Body, step_place<Steps>, const stage_tile<Ring>&...>;
template <class Steps, class First, class Rest, class... Ring>
inline constexpr bool takes_stage<Steps, body_parts<First, Rest>, tuple<Ring...>> =
    takes_stage<Steps, First, tuple<Ring...>> && takes_stage<Steps, Rest, tuple<Ring...>>;

/// `body(tiles...)`; with what `at()` gives as well where the body takes it.
template <class Body, class Tiles, class At> void call_with_tiles(Body& body, const Tiles& tiles, const At& at) {
  detail::apply(
      [&](const auto&... tile) {
        if constexpr (std::invocable<Body&, decltype(tile)..., decltype(at())>) body(tile..., at());
        else body(tile...);
      },
      tiles);
}
template <class First, class Rest, class Tiles, class At>
void call_with_tiles(body_parts<First, Rest>& body, const Tiles& tiles, const At& at) {
  call_with_tiles(body.first, tiles, at);
  call_with_tiles(body.rest, tiles, at);
}

/// What is done behind the body of each step: `after(at, is_left)`, where `at()` is the step as the body gets it and `is_left`
/// says that products are under way.
struct nothing_after {
  template <class At> void operator()(const At& /*at*/, bool /*is_left*/) const {}
};

}  // namespace detail

}  // namespace tg
