// The gated delta rule, token by token: a head's state is a matrix S of KeySize x ValueSize floats, in which a token fades all,
// replaces what its key finds by its value, and reads by its query:
//
//   S <- decay * S        u = rate * (v - S^T k)        S <- S + k u^T        o = S^T q
//
// A block has 32 columns of S in registers, each of its eight warps an eighth of the rows. What warps have of S^T k and S^T q
// meets in shared memory once for each token, because the new S^T q is the old one plus u (k . q).
// Source: Yang, Kautz and Hatamizadeh, "Gated Delta Networks: Improving Mamba2 with Delta Rule", 2024.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/kernel/launch_bounds.hpp>
#include <tg/dsl/memory/vec_at.hpp>
#include <tg/dsl/vector/vec_cast.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

namespace detail {

/// KeySize / 8 numbers of a row from `column` on as floats, 16 bytes at a time.
template <int Count, class View, class Row, class Column>
void load_delta_rows(tg::regs<float, Count>& out, const View& from, const Row& row, const Column& column) {
  constexpr int width = 16 / sizeof(typename View::element_type);
  tg::unroll<Count / width>([&](auto part) {
    const auto own = tg::cast<float>(tg::vec_at<width>(from, row, column + constant<part.value * width>{}).get());
    tg::unroll<width>([&](auto c) { out(constant<part.value * width + c.value>{}) = own(c); });
  });
}

}  // namespace detail

/// Rows of q, k, v and o are the tokens of all sequences, one sequence after another, `tokens` each; columns are the heads:
/// KeySize elements for each head of q and k, ValueSize for each of v and o. `group` heads of v share one of q and k. `decay`
/// and `rate` have a row for each token and a column for each head of v. `state` has KeySize rows of ValueSize floats for each
/// head of v of each sequence, sequences outermost: before the first token, and then behind the last one. One token is a step
/// of decoding. Launch with `gated_delta_rule_grid<ValueSize>(heads of v, sequences)`.
/// Requires: T is float, f16 or bf16; KeySize is 64, 128 or 256; ValueSize is a multiple of 32; sequences * tokens and
/// sequences * heads * KeySize are below 2^32.
/// Units: sums are of floats; o is rounded to T once.
/// Cost: reads and writes the state once, however many tokens there are; reads q and k once for each 32 columns.
template <class T, int KeySize = 128, int ValueSize = 128>
inline constexpr auto gated_delta_rule = tg::kernel<"gated_delta_rule">(
    tg::block<256> | tg::min_blocks<(KeySize <= 128 ? 3 : 1)>,
    [](auto block, tg::in2<T, tg::multiple_of<16 / sizeof(T)>> q, tg::in2<T, tg::multiple_of<16 / sizeof(T)>> k, tg::in2<T> v,
       tg::in2<float> decay, tg::in2<float> rate, tg::inout2<float, tg::multiple_of<8>> state, tg::out2<T> o,
       tg::scalar<unsigned> tokens, tg::scalar<unsigned> group) {
      static_assert(KeySize == 64 || KeySize == 128 || KeySize == 256, "gated_delta_rule: 64, 128 or 256 elements of a key");
      static_assert(ValueSize > 0 && ValueSize % 32 == 0, "gated_delta_rule: a multiple of 32 elements of a value");
      constexpr int rows = KeySize / 8;
      const auto warp = block.warp();
      const auto head = block.index.y, sequence = block.index.z;
      const auto column = tg::let(block.index.x * 32_c + warp.lane);
      const auto own_rows = tg::let(warp.index * constant<rows>{});
      const auto key_column = tg::let(head / group * constant<KeySize>{} + own_rows);
      const auto value_column = tg::let(head * constant<ValueSize>{} + column);
      const auto first = tg::let((sequence * block.grid.y + head) * constant<KeySize>{} + own_rows);
      const auto founds = tg::shared<float>(tg::shape<2, 8, 32>), reads = tg::shared<float>(tg::shape<2, 8, 32>);
      const auto products = tg::shared<float>(tg::shape<2, 8>);

      tg::regs<float, rows> own = 0.0f;
      tg::unroll<rows>([&](auto r) { own(r) = state(first + r, column); });
      tg::for_(tg::range(tokens), [&](auto t) {
        const auto token = tg::let(sequence * tokens + t);
        const auto half = tg::let(t % 2_c);
        const auto fade = tg::let(decay(token, head));
        tg::regs<float, rows> key = 0.0f, query = 0.0f;
        detail::load_delta_rows(key, k, token, key_column);
        detail::load_delta_rows(query, q, token, key_column);
        tg::var<float> found = 0.0f, read = 0.0f, product = 0.0f;
        tg::unroll<rows>([&](auto r) {
          own(r) *= fade;
          found = tg::fma(own(r), key(r), found);
          read = tg::fma(own(r), query(r), read);
          product = tg::fma(key(r), query(r), product);
        });
        founds(half, warp.index, warp.lane) = found;
        reads(half, warp.index, warp.lane) = read;
        tg::if_(warp.lane == 0u, [&] { products(half, warp.index) = product; });
        block.sync();
        const auto total = [&](const auto& of) {
          tg::var<float> sum = 0.0f;
          tg::unroll<8>([&](auto w) { sum += of(w); });
          return sum.get();
        };
        const auto all_found = total([&](auto w) { return tg::let(founds(half, w, warp.lane)); });
        const auto update = tg::let(rate(token, head) * (tg::cast<float>(v(token, value_column)) - all_found));
        tg::unroll<rows>([&](auto r) { own(r) = tg::fma(key(r), update, own(r)); });
        tg::if_(warp.index == 0u, [&] {
          const auto all_read = total([&](auto w) { return tg::let(reads(half, w, warp.lane)); });
          const auto all_products = total([&](auto w) { return tg::let(products(half, w)); });
          o(token, value_column) = tg::cast<T>(tg::fma(all_products, update, all_read));
        });
      });
      tg::unroll<rows>([&](auto r) { state(first + r, column) = own(r); });
    });

/// Blocks for `gated_delta_rule` of values of ValueSize elements. Requires: heads and sequences are below 65536.
template <int ValueSize = 128>
constexpr auto gated_delta_rule_grid(unsigned heads, unsigned sequences, source_location where = source_location::current()) {
  return tg::grid(unsigned{ValueSize} / 32, heads, sequences, where);
}

}  // namespace tg::kernels
