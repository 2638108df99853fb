// Discrete Fourier transforms of lines of complex floats, by Stockham's method: each stage reads with one stride and writes
// with another, and the last one leaves the result in its order.
//
// A thread has four numbers in registers. Stages of radix 4 exchange them through shared memory; where the length is 2 * 4^k,
// one of radix 2 ends it. The tile is swizzled: bits 5 and 6 of a position go into bits 0 to 3, bit 6 into bit 4, so that
// writes with strides of 4, 16 and 64 meet no bank twice, as reads of neighbours.
//
// Source of the method: Stockham, "High-speed convolution and correlation", 1966.
#pragma once

#include <algorithm>
#include <cmath>
#include <vector>

#include <tg/dsl.hpp>
#include <tg/dsl/memory/vec_at.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Threads of a block of `fft<N>`.
template <unsigned N> inline constexpr unsigned fft_threads = std::max(256u, N / 4);
/// Lines that a block of `fft<N>` takes.
template <unsigned N> inline constexpr unsigned fft_lines = 4 * fft_threads<N> / N;

/// The roots of unity that `fft<N>` reads, one stage after another, as pairs of cosine and sine, rounded from double.
inline std::vector<float> fft_roots(unsigned n) {
  std::vector<float> out;
  const auto add = [&](unsigned numerator, unsigned denominator) {
    const double angle = -2 * std::acos(-1.0) * numerator / denominator;
    out.push_back(static_cast<float>(std::cos(angle)));
    out.push_back(static_cast<float>(std::sin(angle)));
  };
  unsigned size = 4;
  for (; 4 * size <= n; size *= 4)
    for (unsigned power = 1; power < 4; ++power)
      for (unsigned k = 0; k < size; ++k) add(power * k, 4 * size);
  if (2 * size == n)
    for (unsigned k = 0; k < size; ++k) add(k, n);
  return out;
}

namespace detail {

/// Four complex numbers of a thread.
template <bool Inverse> class fft_registers {
 public:
  tg::regs<float, 4> real = 0.0f, imaginary = 0.0f;

  /// Number r times a root of unity, for the inverse times its conjugate.
  template <class R, class W> void turn(const R& r, const W& root) {
    const auto c = root(0_c);
    const auto s = Inverse ? tg::let(-root(1_c)) : tg::let(root(1_c));
    const auto a = tg::let(real(r));
    const auto b = tg::let(imaginary(r));
    real(r) = tg::fma(a, c, -(b * s));
    imaginary(r) = tg::fma(a, s, b * c);
  }
  /// Numbers p and q become their sum and their difference.
  template <class P, class Q> void add_and_subtract(const P& p, const Q& q) {
    for (auto* part : {&real, &imaginary}) {
      const auto a = tg::let((*part)(p));
      const auto b = tg::let((*part)(q));
      (*part)(p) = a + b;
      (*part)(q) = a - b;
    }
  }
  /// The transform of the four numbers, in its order.
  void transform() {
    add_and_subtract(0_c, 2_c);
    add_and_subtract(1_c, 3_c);
    add_and_subtract(0_c, 1_c);  // results 0 and 2
    const auto a = tg::let(real(2_c));
    const auto b = tg::let(imaginary(2_c));
    const auto c = Inverse ? tg::let(-imaginary(3_c)) : tg::let(imaginary(3_c));
    const auto d = Inverse ? tg::let(-real(3_c)) : tg::let(real(3_c));
    real(2_c) = tg::let(real(1_c));
    imaginary(2_c) = tg::let(imaginary(1_c));
    real(1_c) = a + c;
    imaginary(1_c) = b - d;
    real(3_c) = a - c;
    imaginary(3_c) = b + d;
  }
};

}  // namespace detail

/// y(l, k) = sum of x(l, j) * exp(-2 pi i j k / N) over j < N, with `Inverse` of exp(+2 pi i j k / N), not divided by N, for
/// lines l of N complex numbers, which are pairs of neighbouring floats. N: a power of two from 64 to 4096. `roots` are
/// `fft_roots(N)`. Launch with `fft_grid<N>(lines)`.
/// Units: the error of a line in the Euclidean norm is below log2(N) * 7 * 2^-24 of the norm of y.
/// Cost: reads and writes each number once, 8 bytes per lane; a number goes through shared memory between stages.
/// Source of the error: Higham, "Accuracy and Stability of Numerical Algorithms", theorem 24.2.
template <unsigned N, bool Inverse = false>
inline constexpr auto fft =
    tg::kernel<"fft">(tg::block<int(fft_threads<N>)>, [](auto block, tg::in2<float, tg::multiple_of<2>> x, tg::in<float> roots,
                                                         tg::out2<float, tg::multiple_of<2>> y, tg::scalar<unsigned> lines) {
      static_assert(N >= 64 && N <= 4096 && (N & (N - 1)) == 0, "fft<N> requires a power of two from 64 to 4096");
      constexpr unsigned stages = [] {
        unsigned out = 0;
        for (unsigned size = 4; size <= N; size *= 4) ++out;
        return out;
      }();
      constexpr bool is_even = (1u << 2 * stages) == N;
      constexpr auto quarter = constant<N / 4>{};
      constexpr auto layout = tg::swizzle<2, 0, 5> ^ tg::swizzle<2, 2, 3> ^ tg::swizzle<1, 4, 2>;
      const auto real = tg::shared<float>(tg::shape<int(fft_lines<N> * N)>, layout);
      const auto imaginary = tg::shared<float>(tg::shape<int(fft_lines<N> * N)>, layout);
      const auto thread = block.thread.x;
      const auto own = tg::let(thread % quarter);
      const auto of_block = tg::let(thread / quarter);
      const auto line = tg::let(block.index.x * constant<fft_lines<N>>{} + of_block);

      detail::fft_registers<Inverse> v;
      tg::if_(line < lines, [&] {
        tg::unroll<4>([&](auto r) {
          const auto read = tg::vec_at<2>(x, line, (own + r * quarter) * 2_c).get();
          v.real(r) = read(0_c);
          v.imaginary(r) = read(1_c);
        });
      });
      tg::unroll<stages>([&](auto stage) {
        constexpr unsigned size = 1u << 2 * decltype(stage)::value;
        constexpr auto width = constant<size>{};
        if constexpr (size > 1)
          tg::unroll<3>([&](auto r) {
            const auto at = constant<size - 4>{} + r * width + thread % width;
            v.turn(r + 1_c, tg::vec_at<2>(roots, at * 2_c).get());
          });
        v.transform();
        if constexpr (size * 4 < N) {
          if constexpr (size > 1) block.sync();  // all have read the stage before
          tg::unroll<4>([&](auto r) {
            const auto at = tg::let(thread / width * (width * 4_c) + thread % width + r * width);
            real(at) = v.real(r);
            imaginary(at) = v.imaginary(r);
          });
          block.sync();
          tg::unroll<4>([&](auto r) {
            const auto at = tg::let(of_block * constant<N>{} + own + r * quarter);
            v.real(r) = real(at);
            v.imaginary(r) = imaginary(at);
          });
        }
      });
      if constexpr (!is_even)
        tg::unroll<2>([&](auto p) {
          const auto at = constant<(1u << 2 * stages) - 4>{} + own + p * quarter;
          v.turn(p + 2_c, tg::vec_at<2>(roots, at * 2_c).get());
          v.add_and_subtract(p, p + 2_c);
        });
      tg::if_(line < lines, [&] {
        tg::unroll<4>([&](auto r) {
          tg::vec_at<2>(y, line, (own + r * quarter) * 2_c) = tg::make_vec(tg::let(v.real(r)), tg::let(v.imaginary(r)));
        });
      });
    });

/// Blocks for `fft<N>`.
template <unsigned N> constexpr auto fft_grid(unsigned lines, source_location where = source_location::current()) {
  return tg::grid((lines + fft_lines<N> - 1) / fft_lines<N>, where);
}

}  // namespace tg::kernels
