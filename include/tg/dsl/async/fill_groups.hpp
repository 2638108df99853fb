// The first groups of a pipeline of asynchronous copies, however deep it is.
//
//   auto filled = tg::fill_groups<Stages - 1>([&](auto stage) { fetch(stage); });
//   auto rest = tg::for_groups(tg::range(parts), std::move(filled), [&](auto part, auto groups) { ... });
#pragma once

#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/async/async_groups.hpp>

namespace tg {

/// `body(0_c)`, `body(1_c)`, ... `body(Count - 1)`, the copies of each committed as a group of their own.
/// Returns: the groups, all of them under way.
template <int Count, class Body>
async_groups<(Count > 0 ? Count : 1)> fill_groups(Body&& body, source_location where = source_location::current()) {
  static_assert(Count > 0, "TG143: tg::fill_groups<Count> commits one group at least");
  return [&]<long long... Stage>(detail::integer_sequence<long long, Stage...>) {
    ((body(constant<Stage>{}), detail::commit_copies(where)), ...);
    return detail::groups_under_way<(Count > 0 ? Count : 1)>();
  }(detail::make_integer_sequence<long long, Count>{});
}

}  // namespace tg
