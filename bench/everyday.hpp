// Kernels as users write them, for the comparison with nvcc: loops whose trip counts only the launch knows.
#pragma once

#include <limits>

#include <tg/tg.hpp>

namespace bench {

using namespace tg::literals;

/// Acceleration of each body by all others. A body is x, y, z and its mass.
inline constexpr auto nbody =
    tg::kernel<"nbody">(tg::block<128>, [](auto block, tg::in<float> bodies, tg::out<float> out, tg::scalar<unsigned> n) {
      auto tile = tg::shared<float>(tg::shape<512>);
      const auto t = block.thread.x;
      const auto i = tg::let(block.global_index());
      const auto own = bodies.vec<4>(i * 4_c).get();
      tg::var<float> ax = 0.0f, ay = 0.0f, az = 0.0f;
      tg::for_(tg::range(0u, n, 128_c), [&](auto first) {
        tile.template vec<4>(t * 4_c) = bodies.vec<4>((first + t) * 4_c);
        block.sync();
        tg::for_(tg::range(128_c), [&](auto j) {
          const auto other = tile.template vec<4>(j * 4_c).get();
          const auto dx = other(0_c) - own(0_c), dy = other(1_c) - own(1_c), dz = other(2_c) - own(2_c);
          const auto inverse = tg::approx::rsqrt(dx * dx + dy * dy + dz * dz + 1e-6f);
          const auto pull = other(3_c) * inverse * inverse * inverse;
          ax += dx * pull;
          ay += dy * pull;
          az += dz * pull;
        });
        block.sync();
      });
      out.vec<4>(i * 4_c) = tg::make_vec(ax.get(), ay.get(), az.get(), tg::let(tg::var<float>(0.0f)));
    });

/// y(i) = the sum of x(i + k) * w(k).
inline constexpr auto convolution = tg::kernel<"convolution">(
    tg::block<256>,
    [](auto block, tg::in<float> x, tg::in<float> w, tg::out<float> y, tg::scalar<unsigned> taps, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] {
        tg::var<float> sum = 0.0f;
        tg::for_(tg::range(taps), [&](auto k) { sum += x(i + k) * w(k); });
        y(i) = sum;
      });
    });

/// The logarithm of the softmax of each row at its target. Reads each logit once: sums are relative to the largest so far.
inline constexpr auto cross_entropy = tg::kernel<"cross_entropy">(
    tg::block<256>,
    [](auto block, tg::in2<float> logits, tg::in<unsigned> target, tg::out<float> loss, tg::scalar<unsigned> columns) {
      const auto row = block.index.x;
      const auto whole = tg::let(columns / 1024_c * 1024_c);
      tg::var<float> peak = std::numeric_limits<float>::lowest(), sum = 0.0f;
      tg::unroll_by<2>(tg::range(block.thread.x, whole, 1024_c), [&](auto j) {
        const auto a = tg::let(logits(row, j)), b = tg::let(logits(row, j + 256_c));
        const auto c = tg::let(logits(row, j + 512_c)), d = tg::let(logits(row, j + 768_c));
        const auto next = tg::let(tg::max(peak, tg::max(tg::max(a, b), tg::max(c, d))));
        const auto pair = tg::let(tg::approx::exp(a - next) + tg::approx::exp(b - next));
        const auto other = tg::let(tg::approx::exp(c - next) + tg::approx::exp(d - next));
        sum = sum * tg::approx::exp(peak - next) + (pair + other);
        peak = next;
      });
      tg::unroll_by<1>(tg::range(whole + block.thread.x, columns, 256_c), [&](auto j) {
        const auto own = tg::let(logits(row, j));
        const auto next = tg::let(tg::max(peak, own));
        sum = sum * tg::approx::exp(peak - next) + tg::approx::exp(own - next);
        peak = next;
      });
      const auto top = tg::let(tg::block_max(block, peak));
      const auto total = tg::block_sum(block, sum * tg::approx::exp(peak - top));
      tg::if_(block.thread.x == 0u, [&] { loss(row) = tg::approx::log(total) + top - logits(row, tg::gather(target(row))); });
    });

/// How many of the bytes have each value.
inline constexpr auto histogram = tg::kernel<"histogram">(
    tg::block<256>, [](auto block, tg::in<unsigned> words, tg::inout<unsigned> counts, tg::scalar<unsigned> n) {
      auto own = tg::shared<unsigned>(tg::shape<256>);
      const auto t = block.thread.x;
      own(t) = 0u;
      block.sync();
      tg::for_(tg::range(block.global_index(), n, block.grid.x * 256_c), [&](auto i) {
        const auto word = tg::let(words(i));
        for (unsigned b = 0; b < 4; ++b) (void)tg::atomic_add(own(tg::gather(word >> (8 * b) & 255u)), 1u);
      });
      block.sync();
      (void)tg::atomic_add(counts(t), own(t));
    });

/// A sparse matrix in rows times a vector, a warp per row.
inline constexpr auto spmv =
    tg::kernel<"spmv">(tg::block<128>, [](auto block, tg::in<unsigned> begin, tg::in<unsigned> column, tg::in<float> value,
                                          tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> rows) {
      const auto warp = block.warp();
      const auto row = tg::let(block.index.x * 4_c + warp.index);
      tg::if_(row < rows, [&] {
        tg::var<float> sum = 0.0f;
        tg::for_(tg::range(begin(row) + warp.lane, begin(row + 1u), 32u),
                 [&](auto j) { sum += value(j) * x(tg::gather(column(j))); });
        const auto total = warp.sum(sum);
        tg::if_(warp.lane == 0u, [&] { y(row) = total; });
      });
    });

/// The middle of a cube of seven numbers, planes walked by each thread.
inline constexpr auto stencil =
    tg::kernel<"stencil">(tg::block<32, 4>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> width,
                                               tg::scalar<unsigned> height, tg::scalar<unsigned> depth) {
      const auto i = tg::let(block.index.x * 32_c + block.thread.x + 1_c);
      const auto j = tg::let(block.index.y * 4_c + block.thread.y + 1_c);
      tg::if_(i + 1_c < width && j + 1_c < height, [&] {
        const auto plane = tg::let(width * height);
        tg::for_(tg::range(1u, depth - 1u), [&](auto k) {
          const auto at = tg::let(k * plane + j * width + i);
          y(at) = x(at - 1_c) + x(at + 1_c) + x(at - width) + x(at + width) + x(at - plane) + x(at + plane) - 6.0f * x(at);
        });
      });
    });

/// Each row less its mean, divided by its deviation, scaled and moved.
inline constexpr auto layer_norm = tg::kernel<"layer_norm">(
    tg::block<256>,
    [](auto block, tg::in2<float> x, tg::in<float> gain, tg::in<float> bias, tg::out2<float> y, tg::scalar<unsigned> columns) {
      const auto row = block.index.x;
      tg::var<float> sum = 0.0f, squares = 0.0f;
      tg::for_(tg::range(block.thread.x, columns, 256_c), [&](auto j) {
        const auto v = tg::let(x(row, j));
        sum += v;
        squares += v * v;
      });
      const auto length = tg::let(tg::cast<float>(columns));
      const auto mean = tg::let(tg::block_sum(block, sum) / length);
      const auto scale = tg::let(tg::approx::rsqrt(tg::block_sum(block, squares) / length - mean * mean + 1e-5f));
      tg::for_(tg::range(block.thread.x, columns, 256_c),
               [&](auto j) { y(row, j) = (x(row, j) - mean) * scale * gain(j) + bias(j); });
    });

}  // namespace bench
