// Gravity of all pairs of bodies. Each block reads all bodies through shared memory, 256 at a time, which all its threads read
// together.
#pragma once

#include <tg/dsl.hpp>
#include <tg/dsl/memory/vec_at.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// What pulls on body i: pull(4 i) to pull(4 i + 2) are the sum of g * m_j * r / (|r|^2 + softening^2)^(3/2) over all bodies j,
/// where r leads from i to j; pull(4 i + 3) is its potential, the sum of -g * m_j / sqrt(|r|^2 + softening^2) over all others.
/// bodies(4 j) to bodies(4 j + 3) are x, y, z and mass. Launch with `n_body_grid(n)`.
/// Requires: softening > 0, and its square no subnormal number; n + 256 < 2^30.
/// Units: a term is off by 24 * 2^-24 of its size; n additions in float.
/// Cost: 14 operations and an rsqrt for each pair, and a read of 16 bytes of shared memory that is one address for a warp.
inline constexpr auto n_body =
    tg::kernel<"n_body">(tg::block<256>, [](auto block, tg::in<float> bodies, tg::out<float> pull, tg::scalar<unsigned> n,
                                            tg::scalar<float> softening, tg::scalar<float> g) {
      const auto tile = tg::shared<float>(tg::shape<256, 4>);
      const auto lane = block.thread.x;
      const auto i = tg::let(block.global_index());
      const auto own = bodies.vec<4>(tg::min(i, n - 1_c) * 4_c).get();
      const auto softness = tg::let(softening * softening);
      tg::var<float> x = 0.0f, y = 0.0f, z = 0.0f, potential = 0.0f;

      tg::for_(tg::range(0u, n, 256_c), [&](auto first) {
        block.sync();  // all have read the tile before
        // A body of mass 0 where there is none.
        tg::regs<float, 4> body = 0.0f;
        tg::if_(first + lane < n, [&] {
          const auto read = bodies.vec<4>((first + lane) * 4_c).get();
          tg::unroll<4>([&](auto c) { body(c) = read(c); });
        });
        tg::vec_at<4>(tile, lane, 0_c) = body.vec<4>(0_c);
        block.sync();
        tg::for_(tg::range(0u, 256_c, 8_c), [&](auto j) {
          tg::unroll<8>([&](auto k) {
            const auto other = tg::vec_at<4>(tile, j + k, 0_c).get();
            const auto dx = tg::let(other(0_c) - own(0_c));
            const auto dy = tg::let(other(1_c) - own(1_c));
            const auto dz = tg::let(other(2_c) - own(2_c));
            const auto inverse = tg::let(tg::approx::rsqrt(tg::fma(dx, dx, tg::fma(dy, dy, tg::fma(dz, dz, softness)))));
            const auto height = tg::let(other(3_c) * inverse);
            const auto strength = tg::let(height * (inverse * inverse));
            x = tg::fma(strength, dx, x);
            y = tg::fma(strength, dy, y);
            z = tg::fma(strength, dz, z);
            potential -= height;
          });
        });
      });
      tg::if_(i < n, [&] {
        // A body has no potential of itself.
        const auto others = tg::let(potential + own(3_c) * tg::approx::rsqrt(softness));
        pull.vec<4>(i * 4_c) = tg::make_vec(x * g, y * g, z * g, others * g);
      });
    });

/// Blocks for `n_body`.
constexpr auto n_body_grid(unsigned n, source_location where = source_location::current()) {
  return tg::grid((n + 255) / 256, where);
}

}  // namespace tg::kernels
