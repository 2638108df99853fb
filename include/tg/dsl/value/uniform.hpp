// A C++ integer as an index of which the type remembers little, so that all rounds of an unrolled C++ loop share types.
#pragma once

#include <concepts>

#include <tg/dsl/recorder/refusal.hpp>
#include <tg/dsl/value/value.hpp>

namespace tg {

/// `n` as an index of which the compiler knows that all threads hold the same multiple of Multiple, and no more:
/// `for (int i = 0; i < 16; ++i) sum += tile(row + tg::uniform<4>(4 * i), column)`. A constant would make each round a
/// type of its own, compiled and judged by itself; a plain C++ integer is judged each time the kernel is recorded.
/// `Limit`, where it is not 0: n is below it, which tells apart numbers within a row of a swizzled tile and whole rows:
/// `tg::uniform<16, 64>(16 * i)`.
/// Requires: n fits unsigned.
/// Errors: TG122, and TG126 when n is no multiple of Multiple, or not below Limit.
/// PTX: an immediate.
template <long long Multiple = 1, long long Limit = 0>
auto uniform(std::integral auto n, source_location where = source_location::current()) {
  static_assert(Multiple > 0 && Limit >= 0, "TG126: tg::uniform needs a positive number, and a limit that is not below 0");
  using atom = std::conditional_t<Limit == 0, index::uniform<Multiple>, index::below<Multiple, Limit>>;
  return value<unsigned, index::single<atom>>{detail::immediate(detail::require_uniform(n, Multiple, Limit, where))};
}

}  // namespace tg
