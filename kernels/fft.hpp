// Discrete Fourier transforms of lines of complex floats. fft_line.hpp says how.
#pragma once

#include <kernels/fft_line.hpp>
#include <tg/dsl/memory/vec_at.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

/// The roots of unity that `fft<N>` reads, one stage after another, rounded from double.
template <unsigned N> std::vector<fft_root<N>> fft_roots() { return detail::make_fft_roots<fft_root<N>, N>(); }

/// y(l, k) = sum of x(l, j) * exp(-2 pi i j k / N) over j < N, with `Inverse` of exp(+2 pi i j k / N), not divided by N, for
/// lines l of N complex numbers, which are pairs of neighbouring floats. N: a power of two from 2 to 4096. `roots` are
/// `fft_roots<N>()`. Launch with `fft_grid<N>(lines)`.
/// Units: the error of a line in the Euclidean norm is below log2(N) * 7 * 2^-24 of the norm of y.
/// Cost: reads and writes each number once, 8 bytes per lane; a number goes through shared memory between stages of radix 4,
/// and by a shuffle between stages of radix 2 where N < 64.
/// Source of the error: Higham, "Accuracy and Stability of Numerical Algorithms", theorem 24.2.
template <unsigned N, bool Inverse = false>
inline constexpr auto fft =
    tg::kernel<"fft">(tg::block<int(fft_threads<N>)>, [](auto block, detail::fft_input_lines<N> x,
                                                         tg::in<fft_root<N>, tg::at_least<detail::fft_root_count<N>>> roots,
                                                         detail::fft_output_lines<N> y, tg::scalar<unsigned> lines) {
      static_assert(N >= 2 && N <= 4096 && (N & (N - 1)) == 0, "fft<N> requires a power of two from 2 to 4096");
      detail::fft_registers<Inverse> v;
      detail::for_each_fft_number<N>(block, lines, [&](const auto& line, auto r) {
        const auto read = tg::vec_at<2>(x, line, detail::fft_input<N>(block, r) * 2_c).get();
        v.real(r) = read(0_c);
        v.imaginary(r) = read(1_c);
      });
      if constexpr (detail::is_short_fft<N>) {
        detail::transform_short_lines<N>(block, v, roots);
      } else {
        const auto real = detail::fft_tile<N>();
        const auto imaginary = detail::fft_tile<N>();
        detail::transform_lines<N>(block, v, roots, real, imaginary);
      }
      detail::for_each_fft_number<N>(block, lines, [&](const auto& line, auto r) {
        tg::vec_at<2>(y, line, detail::fft_output<N>(block, r) * 2_c) =
            tg::make_vec(tg::let(v.real(r)), tg::let(v.imaginary(r)));
      });
    });

/// Blocks for `fft<N>`.
template <unsigned N> constexpr auto fft_grid(unsigned lines, source_location where = source_location::current()) {
  return tg::grid((lines + fft_lines<N> - 1) / fft_lines<N>, where);
}

}  // namespace tg::kernels
