// Rotary position embeddings: pairs of elements of each head turn by an angle that grows with the position. In place.
//
// Source of the method: Su et al., "RoFormer", 2021. An angle is position * frequency. At positions of long contexts it has
// more digits than a float: frequencies come as turns in two floats (`rope_frequencies`), and whole turns are taken away before
// what the product loses is added back.
#pragma once

#include <cmath>
#include <vector>

#include <tg/dsl.hpp>
#include <tg/dsl/math/rounded.hpp>
#include <tg/dsl/math/trigonometry.hpp>
#include <tg/dsl/vector/vec_cast.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Which elements of a head make pair k of `pairs`: 2k and 2k + 1 (GPT-J), or k and k + pairs (GPT-NeoX, Llama). Elements
/// behind the pairs stay as they are.
enum class rope_layout { interleaved, halves };

/// base^(-k / pairs) / (2 pi) for each pair k, as a float and what it is off by: the `frequencies` of `rope`.
inline std::vector<float> rope_frequencies(unsigned pairs, double base = 10000) {
  std::vector<float> out;
  for (unsigned k = 0; k < pairs; ++k) {
    const double own = std::pow(base, -double(k) / pairs) / (2 * std::acos(-1.0));
    out.push_back(static_cast<float>(own));
    out.push_back(static_cast<float>(own - double(out.back())));
  }
  return out;
}

/// x(token, head * size + e) for `heads` heads of `size` elements in each row; `positions(token)`. Launch with
/// `rope_grid(tokens, pairs)`. Units: angles are right to 2^-22 rad for positions below 2^24; one rounding to T. Cost: the sine
/// and the cosine of a pair are computed once for all heads.
template <class T, rope_layout Layout = rope_layout::halves>
inline constexpr auto rope =
    tg::kernel<"rope">(tg::block<32, 8>, [](auto block, tg::inout2<T, tg::multiple_of<2>> x, tg::in<float> frequencies,
                                            tg::in<int> positions, tg::scalar<unsigned> tokens, tg::scalar<unsigned> heads,
                                            tg::scalar<unsigned, tg::multiple_of<2>> size, tg::scalar<unsigned> pairs) {
      const auto k = tg::let(block.index.x * 32_c + block.thread.x);
      const auto token = tg::let(block.index.y * 8_c + block.thread.y);
      tg::if_(token < tokens && k < pairs, [&] {
        const auto frequency = frequencies.vec<2>(k * 2_c).get();
        const auto position = tg::cast<float>(positions(token));
        const auto turns = tg::rounded_mul(position, frequency(0_c));
        const auto lost = tg::fma(position, frequency(0_c), -turns) + position * frequency(1_c);
        const auto rest = tg::rounded_sub(turns, tg::round_even(turns)) + lost;
        const auto turned = tg::sincos(tg::let(rest * 0x1.921fb6p+2f));
        const auto s = turned.sin, c = turned.cos, less = tg::let(-turned.sin);
        tg::for_(tg::range(heads), [&](auto head) {
          const auto first = head * size;
          const auto turn = [&](const auto& u, const auto& v) { return tg::make_vec(u * c + v * less, u * s + v * c); };
          if constexpr (Layout == rope_layout::interleaved) {
            const auto own = tg::cast<float>(x.template vec<2>(token, first + k * 2_c).get());
            x.template vec<2>(token, first + k * 2_c) = tg::cast<T>(turn(own(0_c), own(1_c)));
          } else {
            const auto own =
                turn(tg::let(tg::cast<float>(x(token, first + k))), tg::let(tg::cast<float>(x(token, first + k + pairs))));
            x(token, first + k) = tg::cast<T>(own(0_c));
            x(token, first + k + pairs) = tg::cast<T>(own(1_c));
          }
        });
      });
    });

/// Blocks for `rope`.
constexpr auto rope_grid(unsigned tokens, unsigned pairs, source_location where = source_location::current()) {
  return tg::grid((pairs + 31) / 32, (tokens + 7) / 8, where);
}

}  // namespace tg::kernels
