// The gated delta rule in chunks of 64 tokens, for prompts: products of matrices take the place of steps (the WY form). With
// S before a chunk, g(i) the product of the chunk's decays up to token i, and ratio(i, j) = g(i) / g(j) for j <= i, else 0:
//
//   inverse = (I + diag(rate) A)^-1 diag(rate)       A = K K^T * ratio, below the diagonal
//   scores  = Q K^T * ratio
//   fresh   = inverse (V - diag(g) K S)              what each token adds for its key
//   O       = diag(g) Q S + scores fresh             S <- g(64) S + K^T diag(g(64) / g) fresh
//
// `inverse` times V and `inverse` diag(g) K are the U and W of the papers; fresh = U - W S. They are not formed: the two
// matrices of 64 x 64 take less memory, and V - diag(g) K S is rounded after its difference. Ratios are products of decays,
// never quotients, so that no decay is too small, 0 neither.
// Sources: Yang, Kautz and Hatamizadeh, "Gated Delta Networks: Improving Mamba2 with Delta Rule", 2024; Yang, Wang, Zhang, Shen
// and Kim, "Parallelizing Linear Transformers with the Delta Rule over Sequence Length", 2024.
#pragma once

#include <type_traits>

#include <tg/dsl.hpp>
#include <tg/dsl/async/stages.hpp>
#include <tg/dsl/flow/assume.hpp>
#include <tg/dsl/memory/vec_at.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/runtime/grid.hpp>
#include <tg/tile.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Tokens of a chunk.
inline constexpr int gated_delta_chunk = 64;

/// Rows of `inverses` and of `scores`: whole chunks for each head of v of each sequence. `fades` has one row for 32 of them.
constexpr unsigned gated_delta_chunk_rows(unsigned tokens, unsigned heads, unsigned sequences) {
  return sequences * heads * ((tokens + gated_delta_chunk - 1) / gated_delta_chunk * gated_delta_chunk);
}

namespace detail {

/// Where a head of v of a sequence of `count` chunks has its rows: its tokens in q, k, v and o, its chunks in what lies between
/// the two kernels.
template <class Begin, class End, class Chunks, class Padded> struct delta_chunk_rows {
  Begin begin;    // the first token
  End end;        // behind the last one
  Chunks chunks;  // the first row of the chunks
  Padded padded;  // behind the last one
};
template <class Block, class Count>
auto delta_chunk_rows_of(const Block& block, const tg::scalar<unsigned>& tokens, const Count& count) {
  const auto begin = tg::let(block.index.z * tokens);
  const auto chunks = tg::let((block.index.z * block.grid.y + block.index.y) * count * 64_c);
  const auto end = tg::let(begin + tokens);
  const auto last = tg::let(chunks + count * 64_c);
  return delta_chunk_rows<decltype(begin), decltype(end), decltype(chunks), decltype(last)>{begin, end, chunks, last};
}

/// A tile in shared memory that lanes have written, as an operand of expressions.
template <class Tile> auto delta_part(const Tile& tile) {
  return tg::shared_part{tg::stage_view<Tile, Tile::rows, tg::mode::read, constant<0>>(tile, 0_c)};
}

/// Writes sums of a product, 64 x 64 of a block of 128 threads, to shared memory, by lanes: each writes what it holds.
template <class Warp, class Tile, class Memory> void put_delta_sums(const Warp& warp, const Tile& sums, const Memory& to) {
  using spread = typename Tile::spread;
  static_assert(std::is_same_v<spread, tg::sums_spread<64, 64, 4, 1>>);
  const auto row = warp.index * 16_c + warp.lane / 4_c;
  const auto column = warp.lane % 4_c * 2_c;
  for (int r = 0; r < spread::value.registers(); r += 2) {
    const auto at = spread::value.at(r);
    tg::vec_at<2>(to, row + tg::uniform(at.row), column + tg::uniform<2>(at.column)) = tg::make_vec(sums(r), sums(r + 1));
  }
}

/// Rows `band` to `band` + 7 of a product of 32 x 32 floats, a column for each lane. `left(row, k)` is a vector of four
/// elements, `right(k)` one of this lane's column.
template <class Band, class Left, class Right>
tg::regs<float, 8> delta_band(const Band& band, const Left& left, const Right& right) {
  tg::regs<float, 8> sums = 0.0f;
  for (int k = 0; k < 32; k += 4) {
    tg::regs<float, 4> own = 0.0f;
    for (int e = 0; e < 4; ++e) own(e) = right(tg::uniform(k + e));
    for (int r = 0; r < 8; ++r) {
      const auto four = left(band + tg::uniform(r), tg::uniform<4>(k));
      for (int e = 0; e < 4; ++e) sums(r) = tg::fma(four(e), own(e), sums(r));
    }
  }
  return sums;
}

}  // namespace detail

/// What `gated_delta_chunks` needs of each chunk, all chunks at once. q, k, decay, rate, `tokens` and `group` are as
/// `gated_delta_rule` has them. `inverses` and `scores` have `gated_delta_chunk_rows(tokens, heads of v, sequences)` rows of 64
/// elements; `fades` has two rows of 64 floats for each chunk: the products of the decays behind each token, and those from
/// the first token on. Launch with `gated_delta_chunk_matrices_grid(tokens, heads of v, sequences)`.
/// Requires: T is f16 or bf16; KeySize is 64 or 128; tokens > 0; sequences * tokens and the rows of `inverses` are below 2^32;
/// elements are finite.
/// Units: sums are of floats; elements of `inverses` and of `scores` are rounded to T once.
/// Cost: reads q and k once for each head of v; writes 256 bytes for each token and head of v, and 8 of fades.
template <class T, int KeySize = 128>
inline constexpr auto gated_delta_chunk_matrices = tg::kernel<"gated_delta_chunk_matrices">(
    tg::block<128>, [](auto block, tg::in2<T, tg::multiple_of<8>> q, tg::in2<T, tg::multiple_of<8>> k, tg::in2<float> decay,
                       tg::in2<float> rate, tg::out2<T, tg::multiple_of<8>> inverses, tg::out2<T, tg::multiple_of<8>> scores,
                       tg::out2<float, tg::multiple_of<8>> fades, tg::scalar<unsigned> tokens, tg::scalar<unsigned> group) {
      static_assert(sizeof(T) == 2, "gated_delta_chunk_matrices: elements are f16 or bf16");
      static_assert(KeySize == 64 || KeySize == 128, "gated_delta_chunk_matrices: 64 or 128 elements of a key");
      const auto warp = block.warp();
      const auto head = block.index.y;
      const auto first = tg::let(block.index.x * 64_c);
      const auto rows = detail::delta_chunk_rows_of(block, tokens, block.grid.x);
      const auto chunk = tg::let(rows.chunks + first);
      const auto column = tg::let(head / group * constant<KeySize>{});
      const auto chunk_of = [&](const auto& view) {
        return tg::tile_at<64, KeySize>(tg::sized(view, rows.end, column + constant<KeySize>{}), rows.begin + first, column);
      };
      const auto key = tg::to_shared(block, chunk_of(k)), query = tg::to_shared(block, chunk_of(q));

      // Decays and rates by lanes: a column of a matrix is read a number at a time, sixteen by each warp. Behind the last token
      // nothing fades and nothing is written.
      const auto numbers = tg::shared<float>(tg::shape<2, 64>);
      const auto first_number = tg::let(warp.index * 16_c);
      tg::var<float> fade = 1.0f, weight = 0.0f;
      for (int i = 0; i < 16; ++i) {
        const auto at = first + first_number + tg::uniform(i);
        const auto token = tg::let(rows.begin + tg::min(at, tokens - 1_c));
        const auto is_own = warp.lane == static_cast<unsigned>(i) && at < tokens;
        fade = tg::select(is_own, decay(token, head), fade);
        weight = tg::select(is_own, rate(token, head), weight);
      }
      tg::if_(warp.lane < 16u, [&] {
        numbers(0_c, first_number + warp.lane) = fade;
        numbers(1_c, first_number + warp.lane) = weight;
      });
      block.sync();

      // Ratios by lanes: the first two warps multiply down a column each, the other two up to their token.
      const auto ratios = tg::shared<float>(tg::shape<64, 64>, tg::pitch<72>);
      const auto is_column = tg::let(warp.index < 2u);
      const auto own = tg::let(warp.index % 2_c * 32_c + warp.lane);
      tg::var<float> product = 1.0f;
      const auto multiply = [&](const auto& takes, const auto& put) {
        for (int i = 0; i < 64; i += 4) {
          const auto four = tg::vec_at<4>(numbers, 0_c, tg::uniform<4>(i)).get();
          for (int e = 0; e < 4; ++e) {
            product = tg::select(takes(static_cast<unsigned>(i + e)), product * four(e), product);
            put(i + e);
          }
        }
      };
      tg::if_(is_column, [&] {
        multiply([&](unsigned i) { return own < i; },
                 [&](int i) { ratios(tg::uniform(i), own) = tg::select(own <= static_cast<unsigned>(i), product, 0.0f); });
      }).else_([&] { multiply([&](unsigned i) { return own >= i; }, [](int) {}); });
      fades(chunk / 32_c + warp.index / 2_c, own) = product;
      block.sync();

      auto found = tg::zeros<float, 64, 64>(block), read = tg::zeros<float, 64, 64>(block);
      found += tg::dot(key, tg::transposed(key));
      read += tg::dot(query, tg::transposed(key));
      const auto ratio = tg::eval_like(tg::tile_at<64, 64>(detail::delta_part(ratios), 0_c, 0_c), found);
      tg::tile_at<64, 64>(tg::sized(scores, rows.padded, 64_c), chunk, 0_c) = tg::cast<T>(read * ratio);
      detail::put_delta_sums(warp, tg::eval(found * ratio), ratios);
      block.sync();

      // The inverse by lanes, a column for each: first two triangles of 32 rows by forward substitution, a warp for each.
      const auto solved = tg::shared<float>(tg::shape<64, 32>);
      const auto between = tg::shared<float>(tg::shape<32, 32>);
      const auto put = [&](const auto& row, const auto& at, const auto& x) { inverses(chunk + row, at + warp.lane) = x; };
      tg::if_(is_column, [&] {
        const auto corner = tg::let(warp.index * 32_c);
        tg::regs<float, 32> own_column = 0.0f;
        for (int i = 0; i < 32; ++i) {
          const auto row = corner + tg::uniform(i);
          tg::regs<float, 4> sums = 0.0f;
          for (int j = 0; j < i; j += 4) {
            const auto four = tg::vec_at<4>(ratios, row, corner + tg::uniform<4>(j)).get();
            for (int e = 0; e < 4 && j + e < i; ++e) sums(e) = tg::fma(four(e), own_column(j + e), sums(e));
          }
          const auto unit = tg::select(warp.lane == static_cast<unsigned>(i), 1.0f, 0.0f);
          own_column(i) = numbers(1_c, row) * (unit - (sums(0) + sums(1) + (sums(2) + sums(3))));
          solved(row, warp.lane) = own_column(i);
          put(row, corner, tg::cast<T>(own_column(i)));
        }
      });
      block.sync();

      // The block below them is minus the second triangle times the products times the first one: eight rows for each warp.
      const auto band = tg::let(warp.index * 8_c);
      const auto above = detail::delta_band(
          band, [&](const auto& r, const auto& c) { return tg::vec_at<4>(ratios, r + 32_c, c).get(); },
          [&](const auto& c) { return tg::let(solved(c, warp.lane)); });
      for (int r = 0; r < 8; ++r) between(band + tg::uniform(r), warp.lane) = above(r);
      block.sync();
      const auto below = detail::delta_band(
          band, [&](const auto& r, const auto& c) { return tg::vec_at<4>(solved, r + 32_c, c).get(); },
          [&](const auto& c) { return tg::let(between(c, warp.lane)); });
      for (int r = 0; r < 8; ++r) {
        put(band + tg::uniform(32 + r), 0_c, tg::cast<T>(-below(r)));
        put(band + tg::uniform(r), 32_c, T(0.0f));
      }
    });

/// Blocks for `gated_delta_chunk_matrices`. Requires: heads and sequences are below 65536.
constexpr auto gated_delta_chunk_matrices_grid(unsigned tokens, unsigned heads, unsigned sequences,
                                               source_location where = source_location::current()) {
  return tg::grid((tokens + gated_delta_chunk - 1) / gated_delta_chunk, heads, sequences, where);
}

/// The gated delta rule with what `gated_delta_chunk_matrices` made of the same q, k, decay and rate. q, k, v, state, o,
/// `tokens` and `group` are as `gated_delta_rule` has them; columns of v and o begin at multiples of 16 bytes. A block has 64
/// columns of a head's state in registers, transposed, and goes through the chunks. Without tokens the state stays. Launch with
/// `gated_delta_chunks_grid<ValueSize>(heads of v, sequences)`.
/// Requires: T is f16 or bf16; KeySize is 64 or 128; ValueSize is a multiple of 64; as `gated_delta_chunk_matrices`.
/// Units: sums and the state are floats; the state, V - diag(g) K S, and `fresh` are rounded to T as operands of products; o is
/// rounded to T once.
/// Cost: reads q, k and the scratch once for each 64 columns of the state; five products of tensor cores for each chunk. Two
/// chunks lie in shared memory: 154 KB with keys of 128, which GPUs of 99 KB do not run, and 90 KB with keys of 64.
template <class T, int KeySize = 128, int ValueSize = 128>
inline constexpr auto gated_delta_chunks = tg::kernel<"gated_delta_chunks">(
    tg::block<128>,
    [](auto block, tg::in2<T, tg::multiple_of<8>> q, tg::in2<T, tg::multiple_of<8>> k, tg::in2<T, tg::multiple_of<8>> v,
       tg::in2<T, tg::multiple_of<8>> inverses, tg::in2<T, tg::multiple_of<8>> scores, tg::in2<float, tg::multiple_of<8>> fades,
       tg::inout2<float, tg::multiple_of<8>> state, tg::out2<T, tg::multiple_of<8>> o, tg::scalar<unsigned> tokens,
       tg::scalar<unsigned> group) {
      static_assert(sizeof(T) == 2, "gated_delta_chunks: elements are f16 or bf16");
      static_assert(KeySize == 64 || KeySize == 128, "gated_delta_chunks: 64 or 128 elements of a key");
      static_assert(ValueSize > 0 && ValueSize % 64 == 0, "gated_delta_chunks: a multiple of 64 elements of a value");
      const auto head = block.index.y;
      const auto rows = detail::delta_chunk_rows_of(block, tokens, tg::let((tokens + 63u) / 64_c));
      const auto key_column = tg::let(head / group * constant<KeySize>{});
      tg::assume(block.index.x < constant<ValueSize / 64>{});
      const auto in_value = tg::let(block.index.x * 64_c);
      const auto value_column = tg::let(head * constant<ValueSize>{} + in_value);
      const auto state_row = tg::let((block.index.z * block.grid.y + head) * constant<KeySize>{});
      const auto keys_at = [&](const auto& view, const auto& at) {
        return tg::tile_at<64, KeySize>(tg::sized(view, rows.end, key_column + constant<KeySize>{}), rows.begin + at,
                                        key_column);
      };
      const auto values_at = [&](const auto& view, const auto& at) {
        return tg::tile_at<64, 64>(tg::sized(view, rows.end, value_column + 64_c), rows.begin + at, value_column);
      };
      const auto chunk_at = [&](const auto& view, const auto& at) {
        return tg::tile_at<64, 64>(tg::sized(view, rows.padded, 64_c), rows.chunks + at, 0_c);
      };
      const auto own_state = tg::tile_at<KeySize, 64>(tg::sized(state, state_row + constant<KeySize>{}, constant<ValueSize>{}),
                                                      state_row, in_value);

      auto own = tg::zeros<float, 64, KeySize>(block);
      // Keys of 128 go through shared memory: the addresses of a load by columns would stay in registers for the store.
      if constexpr (KeySize == 128) own = tg::spread_like(tg::transposed(tg::load(block, own_state)), own);
      else own = tg::transposed(own_state);
      tg::pipeline<2>(
          block, tg::steps(tokens, 64_c),
          [&](auto at) {
            return tg::stage(keys_at(q, at), keys_at(k, at), values_at(v, at), chunk_at(inverses, at), chunk_at(scores, at),
                             tg::tile_at<2, 64>(tg::sized(fades, rows.padded / 32_c, 64_c), (rows.chunks + at) / 32_c, 0_c));
          },
          [&](auto query, auto key, auto values, auto inverse, auto score, auto fade, auto at) {
            const auto until_end = tg::tile_at<1, 64>(fade, 0_c, 0_c);
            const auto since_begin = tg::tile_at<1, 64>(fade, 1_c, 0_c);
            auto found = tg::zeros<float, 64, 64>(block), out = tg::zeros<float, 64, 64>(block);
            found += tg::dot(tg::cast<T>(own), tg::transposed(key));
            out += tg::dot(tg::cast<T>(own), tg::transposed(query));
            const auto wanted = tg::cast<float>(tg::tile_at<64, 64>(tg::transposed(values), 0_c, 0_c));
            auto fresh = tg::zeros<float, 64, 64>(block);
            fresh += tg::dot(tg::cast<T>(wanted - found * since_begin), tg::transposed(inverse));
            out = out * since_begin;
            out += tg::dot(tg::cast<T>(fresh), tg::transposed(score));
            values_at(o, at) = tg::cast<T>(tg::transposed(out));
            own = own * tg::let(fade.memory(1_c, 63_c));
            own += tg::dot(tg::cast<T>(fresh * until_end), key);
          });
      own_state = tg::transposed(own);
    });

/// Blocks for `gated_delta_chunks` of values of ValueSize elements. Requires: heads and sequences are below 65536.
template <int ValueSize = 128>
constexpr auto gated_delta_chunks_grid(unsigned heads, unsigned sequences, source_location where = source_location::current()) {
  return tg::grid(unsigned{ValueSize} / 64, heads, sequences, where);
}

}  // namespace tg::kernels
