// y = W x, with W in Q4_K blocks and x in Q8_1 groups (kernels/q8_1.hpp).
//
// A block is 256 weights of a row in 144 bytes: 16 bytes of head, then 8 pieces of 16 bytes. A group is 32 weights;
// piece p has half p % 2 of group 2 * (p / 2) in its low nibbles and of the group after it in its high ones.
//
//   head      d f16, dmin f16, 12 bytes with 6-bit scales and minima of the 8 groups
//   weight    d * scale * nibble - dmin * minimum
//
// kernels/reference/q4k_matvec.hpp has the same layout again on purpose: it judges this kernel.
//
// A warp computes four rows. Blocks come through a ring in shared memory, eight of each row at a time; lane l takes
// piece l % 8 of the blocks l / 8 and l / 8 + 4 of all four rows, so that activations are read once for four rows.
#pragma once

#include <cstddef>

#include <tg/dsl.hpp>
#include <tg/dsl/async/async_copy.hpp>
#include <tg/dsl/async/stages.hpp>
#include <tg/dsl/memory/vec_at.hpp>
#include <tg/dsl/value/byte.hpp>
#include <tg/dsl/value/dot.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/dsl/vector/vec_cast.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// How many 32-bit words a row of Q4_K blocks has. Requires: a multiple of 256.
constexpr unsigned q4k_words(unsigned columns) { return columns / 256 * 36; }

namespace detail {

/// What a piece of a block is multiplied with: halves of two groups of x, the scales of both, and for the minimum of
/// one group, the first for even pieces and the second for odd ones, the sum of that group.
struct q4k_activations {
  tg::vec<int, 4> low, high;
  tg::value<float> low_scale, high_scale, minus_sum;
};

/// The activations of `piece` of the blocks at `block` of each row. High nibbles are multiplied where they are, as 16
/// times what they say, which their scale takes back.
template <class Block, class Piece>
q4k_activations read_activations(const tg::in<std::int8_t, tg::aligned<32>>& q, const tg::in<tg::f16x2>& ds, const Block& block,
                                 const Piece& piece) {
  const auto group = block * 8_c + piece / 2_c * 2_c;
  const auto first = group * 32_c + piece % 2_c * 16_c;
  const auto scales = tg::cast<float>(tg::bit_cast<tg::f16>(ds.vec<2>(group)));
  return {tg::bit_cast<int>(q.vec<16>(first)), tg::bit_cast<int>(q.vec<16>(first + 32_c)), scales(0_c), scales(2_c) * 0.0625f,
          -tg::select(piece % 2_c == 0, scales(1_c), scales(3_c))};
}

/// The sum of 16 products of bytes, those of `quants` without sign and under a mask.
inline tg::value<int> dot16(const tg::vec<unsigned, 4>& quants, unsigned mask, const tg::vec<int, 4>& x) {
  tg::var<int> sum = tg::dp4a(quants(0) & mask, x(0), 0);
  for (int k = 1; k < 4; ++k) sum = tg::dp4a(quants(k) & mask, x(k), sum);
  return sum;
}

/// How a lane finds what its piece needs of a head: the scales of groups g and g + 1, where g is piece / 2 * 2, and the
/// minimum of one of them. Of the 12 bytes, those of the first four groups are the low six bits of bytes g (scale) and
/// g + 4 (minimum); those of the others have four bits in the nibbles of byte g + 4, and on top of them the two upper
/// bits of bytes g - 4 and g.
class q4k_scales {
 public:
  explicit q4k_scales(tg::value<unsigned> piece)
      : chosen_((piece / 2u % 2u * 0x2222u + 0x5410u) ^ (piece % 2u * 0x0100u)),
        shift_(piece / 4u * 2u),
        low_bits_(tg::select(piece < 4, 0u, 0x0f0f0f0fu)),
        other_bits_(tg::select(piece < 4, 0x3f3f3f3fu, 0x30303030u)) {}

  /// Bytes 0 and 1: the scales; byte 2: the minimum.
  tg::value<unsigned> of(const tg::vec<unsigned, 4>& head) const {
    const auto six = tg::byte_permute(head(1), head(2), chosen_);
    const auto four = tg::byte_permute(head(3), head(3) >> 4u, chosen_);
    return (six >> shift_ & other_bits_) | (four & low_bits_);
  }

 private:
  tg::value<unsigned> chosen_, shift_, low_bits_, other_bits_;
};

}  // namespace detail

/// y(r) = sum of row r of W times x, for rows of `columns` weights; x is q and ds. Launch with `q4k_grid(rows)`.
/// Requires: w has `q4k_words(columns)` words in each row, the words of all rows fit 32 bits; finite x.
/// Cost: reads each block once; each warp has up to 9 KiB of copies under way.
inline constexpr auto q4k_matvec =
    tg::kernel<"q4k_matvec">(tg::block<32>, [](auto block, tg::in2<unsigned, tg::multiple_of<4>> w,
                                               tg::in<std::int8_t, tg::aligned<32>> q, tg::in<tg::f16x2> ds, tg::out<float> y,
                                               tg::scalar<unsigned> rows, tg::scalar<unsigned, tg::multiple_of<256>> columns) {
      const auto lane = block.thread.x;
      const auto piece = lane % 8_c;
      const auto first_row = tg::let(block.index.x * 4_c);
      const auto blocks = tg::let(columns / 256_c);
      const auto words = tg::let(blocks * 36_c);
      const auto parts = tg::let((blocks + 7_c) / 8_c);

      auto ring = tg::stages<unsigned, 3>(tg::shape<4, 288>);
      const auto fetch = [&](auto part, auto slot) {
        const auto copy = [&](auto row, auto unit) {  // 16 bytes
          const auto column = part * 288_c + unit * 4_c;
          tg::async_copy_or_zero(tg::vec_at<4>(ring.fill(slot), row, unit * 4_c),
                                 w.vec<4>(tg::min(first_row + row, rows - 1_c), column), column < words);
        };
        tg::if_(part < parts, [&] {
          for (int r = 0; r < 4; ++r) {
            const auto row = tg::uniform(r);
            copy(row, lane);
            copy(row, lane + 32_c);
          }
          copy(lane / 8_c, piece + 64_c);  // the rest of all four rows
        });
      };
      fetch(tg::uniform(0), tg::uniform(0));
      tg::async_groups start;
      auto one = start.commit();
      fetch(tg::uniform(1), tg::uniform(1));

      const detail::q4k_scales scales(piece);
      tg::regs<float, 4> sum = 0.0f;
      auto rest = tg::for_groups(tg::range(parts), one.commit(), [&](auto part, auto groups) {
        // Past the end of a row, zeros meet the last activations there are.
        const auto activations = [&](auto number) {
          const auto own = part * 8_c + lane / 8_c + tg::uniform<4>(4 * number);
          return detail::read_activations(q, ds, tg::min(own, blocks - 1_c), piece);
        };
        const tg::fixed_array x{activations(0), activations(1)};
        auto ready = groups.wait(1_c);
        block.sync();
        const auto tile = ring.read(ready, part % 3_c);
        fetch(part + 2_c, (part + 2_c) % 3_c);
        auto next = ready.commit();
        for (int number = 0; number < 2; ++number) {
          const auto& own = x[static_cast<std::size_t>(number)];
          const auto column = (lane / 8_c + tg::uniform<4>(4 * number)) * 36_c;
          for (int r = 0; r < 4; ++r) {
            const auto row = tg::uniform(r);
            const auto head = tg::vec_at<4>(tile, row, column).get();
            const auto quants = tg::vec_at<4>(tile, row, column + 4_c + piece * 4_c).get();
            const auto scale = scales.of(head);
            const auto low = tg::cast<int>(tg::byte<0>(scale)) * detail::dot16(quants, 0x0f0f0f0f, own.low);
            const auto high = tg::cast<int>(tg::byte<1>(scale)) * detail::dot16(quants, 0xf0f0f0f0, own.high);
            const auto d = tg::cast<float>(tg::bit_cast<tg::f16>(tg::make_vec(head(0_c))));
            sum(r) += d(0_c) * (tg::cast<float>(low) * own.low_scale + tg::cast<float>(high) * own.high_scale);
            sum(r) += d(1_c) * (tg::cast<float>(tg::byte<2>(scale)) * own.minus_sum);
          }
        }
        return next;
      });
      (void)rest.wait();

      tg::var<float> own = 0.0f;
      for (int r = 0; r < 4; ++r) own = tg::select(lane == tg::uniform(r), block.warp().sum(sum(r)), own);
      tg::if_(lane < 4_c && first_row + lane < rows, [&] { y(first_row + lane) = own; });
    });

/// One warp for four rows.
constexpr auto q4k_grid(unsigned rows, source_location where = source_location::current()) {
  return tg::grid((rows + 3) / 4, where);
}

}  // namespace tg::kernels
