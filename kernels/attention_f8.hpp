// Attention whose products are those of 8-bit floats (e4m3), and what makes its values: numbers of 8 bits are multiplied along
// rows of memory, so values stand transposed.
#pragma once

#include <kernels/attention_tiles.hpp>

namespace tg::kernels {

/// As `attention_tiles`, of q, k and v that are 8-bit floats times a scale each. Out: bf16 or f16. Sums are floats; the weights
/// of values are rounded to 8-bit floats too. `scale`: that of the scores times those of q and k; `value_scale`: that of v.
/// `values` has a row for each element of each head of each sequence, and a column for each key: `attention_values` makes it
/// of v. So it is one sequence below the other, however many keys a row has room for. `sm`: 80, whose text runs from sm_89
/// on, or 90. Launch with `attention_tiles_grid(kernel, queries, heads, sequences)`. Requires: HeadSize is a multiple of 16
/// from 32 to 256; else as `attention_tiles`. Units: a weight is within 2^-4 of itself or 2^-18 of the largest of its query;
/// sums are as exact as the tensor cores' of 8-bit floats; one rounding to Out.
template <class Out, int HeadSize, attention_options Options = attention_options{}, int Sm = 80, class... LogSums>
inline constexpr auto attention_f8 = tg::kernel<"attention_f8">(
    tg::block<128> | tg::for_sm<Sm>,
    with_height_of<HeadSize>([](auto block, tg::in2<tg::f8e4m3, tg::multiple_of<16>> q,
                                tg::in2<tg::f8e4m3, tg::multiple_of<16>> k, tg::in2<tg::f8e4m3, tg::multiple_of<16>> values,
                                tg::out2<Out, tg::multiple_of<8>> o, tg::scalar<unsigned> queries, tg::scalar<unsigned> keys,
                                tg::scalar<unsigned> group, tg::scalar<float> scale, tg::scalar<float> value_scale,
                                LogSums... log_sums) {
      const attention_rows of{tg::let(block.index.z * queries), queries.get(), tg::let(block.index.z * keys), keys.get()};
      attend<Options, HeadSize, Sm>(
          block, of, q, k, values, o, group, scale, [&](const auto& x) { return x * value_scale; },
          [&](const auto& first, const auto& sums) {
            (put_log_sums<HeadSize>(log_sums, block.index.y, of, first, sums), ...);
          });
    }));

/// v, whose rows are positions and whose columns are heads, as `attention_f8` takes it: 8-bit floats, a row for each of the
/// `columns` of v and a column for each key, one sequence below the other. `factor`: 1 / value_scale. Launch with
/// `attention_values_grid(keys, columns, sequences)`.
template <class T>
inline constexpr auto attention_values = tg::kernel<"attention_values">(
    tg::block<128>, [](auto block, tg::in2<T, tg::multiple_of<8>> v, tg::out2<tg::f8e4m3, tg::multiple_of<16>> values,
                       tg::scalar<unsigned> keys, tg::scalar<unsigned> columns, tg::scalar<float> factor) {
      const auto first = tg::let(block.index.x * 64_c), column = tg::let(block.index.y * 64_c);
      const auto key_begin = tg::let(block.index.z * keys), row_begin = tg::let(block.index.z * columns);
      const auto own = tg::load(block, tg::tile_at<64, 64>(tg::sized(v, key_begin + keys, columns), key_begin + first, column));
      tg::tile_at<64, 64>(tg::sized(values, row_begin + columns, keys), row_begin + column, first) =
          tg::cast<tg::f8e4m3>(tg::transposed(tg::cast<float>(own) * factor));
    });

/// Blocks for `batch` sequences of `keys` positions.
constexpr auto attention_values_grid(unsigned keys, unsigned columns, unsigned batch,
                                     source_location where = source_location::current()) {
  return tg::grid((keys + 63) / 64, (columns + 63) / 64, batch, where);
}

}  // namespace tg::kernels
