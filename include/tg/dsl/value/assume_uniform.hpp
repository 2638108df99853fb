// What the analysis may take for granted about a number that comes from data.
#pragma once

#include <tg/dsl/value/value.hpp>

namespace tg {

namespace detail {

template <long long Multiple, device_value X> auto assumed_uniform(const X& x, source_location where) {
  using T = device_type_of<X>;
  constexpr bool fits = is_integer<T> && is_arithmetic<T>;
  (void)sizeof(diagnosis::operation<fits, T>);
  const ptx::operand own = x.get().operand;
  auto& t = tracer::current(where);
  t.at(where);
  if (fits && Multiple > 0 && own.is_reg()) t.assume_uniform(own, Multiple, std::is_signed_v<T>);
  return value<T, index::single<index::uniform<(Multiple > 0 ? Multiple : 1), std::is_signed_v<T>>>>{own};
}

}  // namespace detail

/// `x`, of which the analysis may rely on that all threads of a block hold the same multiple of Multiple:
/// `const auto first = tg::assume_uniform<4>(starts(owner(block.index.x)))`. A GPU computes nothing for it; the emulator
/// asks the threads of each warp while any of its checkers is on. A read-only element at an index that all lanes of a warp
/// share needs no such word.
/// Requires: a 32 or 64 bit integer; Multiple is below 2^31. Errors: TG110, TG126; at run time TG464 on the emulator where
/// it does not hold.
/// PTX: none; a comment that the emulator reads.
template <long long Multiple = 1, device_value X>
auto assume_uniform(const X& x, source_location where = source_location::current()) {
  static_assert(Multiple > 0, "TG126: tg::assume_uniform needs a positive number");
  return detail::assumed_uniform<Multiple>(x, where);
}

/// `x`, of which the analysis may rely on that all threads of a warp hold the same multiple of Multiple; other warps may
/// hold others. The emulator checks it (TG464):
/// `const auto row = tg::assume_warp_uniform(rows(tg::gather(block.warp().index)))`.
template <long long Multiple = 1, device_value X>
auto assume_warp_uniform(const X& x, source_location where = source_location::current()) {
  static_assert(Multiple > 0, "TG126: tg::assume_warp_uniform needs a positive number");
  return detail::assumed_uniform<Multiple>(x, where);
}

}  // namespace tg
