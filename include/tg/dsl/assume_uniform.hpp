// What the analysis may take for granted about a number that comes from data.
#pragma once

#include <tg/dsl/value.hpp>

namespace tg {

/// `x`, of which the analysis may rely on that all threads of a block hold the same multiple of Multiple:
/// `const auto first = tg::assume_uniform<4>(starts(tg::gather(block.index.x)))`. Nothing is computed and nothing
/// checked: the addresses are what they are, only their verdict is that of the assumption; `tg::assert_` can check it.
/// Requires: a 32 or 64 bit integer. Errors: TG110, TG126.
template <long long Multiple = 1, device_value X>
auto assume_uniform(const X& x) {
  using T = device_type_of<X>;
  static_assert(Multiple > 0, "TG126: tg::assume_uniform needs a positive number");
  (void)sizeof(diagnosis::operation < is_integer<T> && is_arithmetic<T>, T >);
  return value<T, index::single<index::uniform<(Multiple > 0 ? Multiple : 1), std::is_signed_v<T>>>>{x.get().operand};
}

}  // namespace tg
