// Rows of keys and values that go to their places in a cache.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/vector/vec_cast.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Row `slots(token)` of `cached_keys` becomes row `token` of `keys`, and so of values: of a contiguous cache slots are
/// positions, of a paged one page * page size + offset, as the page table says. A token whose slot is below 0 is left out.
/// Rows have `width` elements. Launch with `kv_cache_grid(tokens, width)`. Requires: slots are different and inside.
template <class T>
inline constexpr auto kv_cache_write = tg::kernel<"kv_cache_write">(
    tg::block<32, 8>,
    [](auto block, tg::in2<T, tg::multiple_of<16 / sizeof(T)>> keys, tg::in2<T, tg::multiple_of<16 / sizeof(T)>> values,
       tg::in<int> slots, tg::out2<T, tg::multiple_of<16 / sizeof(T)>> cached_keys,
       tg::out2<T, tg::multiple_of<16 / sizeof(T)>> cached_values, tg::scalar<unsigned> tokens,
       tg::scalar<unsigned, tg::multiple_of<16 / sizeof(T)>> width) {
      constexpr int elements = 16 / sizeof(T);
      const auto token = tg::let(block.index.y * 8_c + block.thread.y);
      const auto first = tg::let((block.index.x * 32_c + block.thread.x) * tg::constant<elements>{});
      tg::if_(token < tokens && first < width, [&] {
        const auto slot = tg::let(slots(token));
        tg::if_(slot >= 0, [&] {
          const auto row = tg::gather(tg::cast<unsigned>(slot));
          cached_keys.template vec<elements>(row, first) = keys.template vec<elements>(token, first);
          cached_values.template vec<elements>(row, first) = values.template vec<elements>(token, first);
        });
      });
    });

/// Blocks for `kv_cache_write` of rows of T.
template <class T>
constexpr auto kv_cache_grid(unsigned tokens, unsigned width, source_location where = source_location::current()) {
  constexpr unsigned block_elements = 32 * 16 / sizeof(T);
  return tg::grid((width + block_elements - 1) / block_elements, (tokens + 7) / 8, where);
}

}  // namespace tg::kernels
