// Fourier transforms of lines of real numbers, and back. A line of N numbers is transformed as N / 2 complex ones, which are
// its even and its odd numbers; what these become is taken apart, since the transform of real numbers is conjugate symmetric.
//
//   Z = transform of x(2 j) + i x(2 j + 1)       w = exp(-2 pi i / N)
//   even(k) = (Z(k) + conj Z(N/2 - k)) / 2       odd(k) = -i (Z(k) - conj Z(N/2 - k)) / 2
//   y(k) = even(k) + w^k odd(k)
#pragma once

#include <kernels/fft.hpp>

namespace tg::kernels {

/// A root of unity for transforms of N real numbers, so that those of another length do not compile.
template <unsigned N> struct alignas(8) real_fft_root {
  BOOST_HANA_DEFINE_STRUCT(real_fft_root, (float, cosine), (float, sine));
};

/// What `real_fft<N>` and `real_fft_inverse<N>` read: the powers of w below N / 2, then the roots of `fft<N / 2>`.
template <unsigned N> std::vector<real_fft_root<N>> real_fft_roots() {
  std::vector<real_fft_root<N>> out;
  for (unsigned k = 0; k < N / 2; ++k) out.push_back(detail::make_root<real_fft_root<N>>(k, N));
  for (const auto& root : detail::make_fft_roots<real_fft_root<N>, N / 2>()) out.push_back(root);
  return out;
}

namespace detail {

/// Lines of numbers, and of N / 2 + 1 complex numbers. Short lines lie one behind the other.
template <unsigned N, unsigned Columns>
using real_fft_input = std::conditional_t<is_short_fft<N / 2>, tg::in2<float, tg::extents<tg::dynamic, Columns>>,
                                          tg::in2<float, tg::multiple_of<2>>>;
template <unsigned N, unsigned Columns>
using real_fft_output = std::conditional_t<is_short_fft<N / 2>, tg::out2<float, tg::extents<tg::dynamic, Columns>>,
                                           tg::out2<float, tg::multiple_of<2>>>;
template <unsigned N> using real_fft_root_view = tg::in<real_fft_root<N>, tg::at_least<N / 2 + fft_root_count<N / 2>>>;

template <unsigned N> constexpr bool is_real_fft_length() { return N >= 8 && N <= 8192 && (N & (N - 1)) == 0; }

/// Transforms the numbers of a thread as parts of lines of N / 2 complex ones.
template <unsigned N, bool Inverse, class Block, class Roots>
void transform_halves(const Block& block, fft_registers<Inverse>& v, const Roots& roots) {
  const auto own_roots = [&](const auto& at) { return roots(constant<N / 2>{} + at); };
  if constexpr (is_short_fft<N / 2>) {
    transform_short_lines<N / 2>(block, v, own_roots);
  } else {
    const auto real = fft_tile<N / 2>();
    const auto imaginary = fft_tile<N / 2>();
    transform_lines<N / 2>(block, v, own_roots, real, imaginary);
  }
}

/// Where number r of a thread is among those of its block, when they are written: neighbours in neighbouring threads.
template <unsigned N, class Block, class R> auto real_fft_place(const Block& block, R r) {
  return tg::let(block.thread.x + r * constant<fft_threads<N / 2>>{});
}

/// Gives each thread the numbers of its places, and to each number k number N / 2 - k of its line, to number 0 itself.
template <unsigned N, class Block>
void exchange_mirrored(const Block& block, fft_registers<false>& v, fft_registers<false>& mirrored) {
  constexpr auto half = constant<N / 2>{};
  if constexpr (is_short_fft<N / 2>) {
    const auto warp = block.warp();
    const auto from = tg::let(warp.lane - warp.lane % half + (half - warp.lane % half) % half);
    tg::unroll<4>([&](auto r) {
      mirrored.real(r) = warp.shuffle(v.real(r), from);
      mirrored.imaginary(r) = warp.shuffle(v.imaginary(r), from);
    });
  } else {
    // Tiles of their own, without a swizzle: one of 32 neighbours in reverse order lies before the others. Where a warp has two
    // lines, their banks differ by 16.
    constexpr auto shape = tg::shape<int(fft_lines<N / 2>), int(N / 2)>;
    constexpr auto pitch = tg::pitch<int(N == 128 ? N / 2 + 16 : N / 2)>;
    const auto real = tg::shared<float>(shape, pitch);
    const auto imaginary = tg::shared<float>(shape, pitch);
    const auto own_line = tg::let(block.thread.x / constant<N / 8>{});
    tg::unroll<4>([&](auto r) {
      const auto k = fft_output<N / 2>(block, r);
      real(own_line, k) = v.real(r);
      imaginary(own_line, k) = v.imaginary(r);
    });
    block.sync();
    tg::unroll<4>([&](auto r) {
      const auto at = real_fft_place<N>(block, r);
      const auto line = tg::let(at / half);
      const auto k = tg::let(at % half);
      const auto other = tg::let((half - k) % half);
      v.real(r) = real(line, k);
      v.imaginary(r) = imaginary(line, k);
      mirrored.real(r) = real(line, other);
      mirrored.imaginary(r) = imaginary(line, other);
    });
  }
}

/// A number of the transform, and where that is number 0 also the last one, where w^k is -1; it is real.
struct real_fft_number { value<float> real, imaginary, last; };

template <class R, class Root>
real_fft_number join_halves(const fft_registers<false>& v, const fft_registers<false>& mirrored, R r, const Root& root) {
  const auto [c, s] = root;
  const auto even = tg::let((v.real(r) + mirrored.real(r)) * 0.5f);
  const auto even_i = tg::let((v.imaginary(r) - mirrored.imaginary(r)) * 0.5f);
  const auto odd = tg::let((v.imaginary(r) + mirrored.imaginary(r)) * 0.5f);
  const auto odd_i = tg::let((mirrored.real(r) - v.real(r)) * 0.5f);
  return {tg::fma(c, odd, tg::fma(-s, odd_i, even)), tg::fma(c, odd_i, tg::fma(s, odd, even_i)), even - odd};
}

/// Writes short lines of N / 2 + 1 numbers, of which `number(r)` are a thread's, in the order of memory.
template <unsigned N, class Block, class Lines, class Y, class Number>
void store_short_halves(const Block& block, const Lines& lines, const Y& y, Number number) {
  constexpr unsigned own_lines = fft_lines<N / 2>, width = N / 2 + 1;
  constexpr auto half = constant<N / 2>{};
  const auto real = tg::shared<float>(tg::shape<1024>);
  const auto imaginary = tg::shared<float>(tg::shape<1024>);
  const auto last = tg::shared<float>(tg::shape<int(own_lines)>);
  tg::unroll<4>([&](auto r) {
    const auto at = real_fft_place<N>(block, r);
    const real_fft_number own = number(r);
    real(at) = own.real;
    imaginary(at) = own.imaginary;
    tg::if_(at % half == 0u, [&] { last(at / half) = own.last; });
  });
  block.sync();
  tg::unroll<int((own_lines * width + 255) / 256)>([&](auto part) {
    const auto i = tg::let(block.thread.x + part * 256_c);
    const auto line = tg::let(i / constant<width>{});
    const auto k = tg::let(i % constant<width>{});
    const auto of_grid = tg::let(block.index.x * constant<own_lines>{} + line);
    tg::if_(line < own_lines && of_grid < lines, [&] {
      const auto at = tg::let(line * half + tg::min(k, half - 1_c));
      const auto is_last = tg::let(k == half);
      const auto own = tg::let(tg::select(is_last, last(line), real(at)));
      const auto own_i = tg::let(tg::select(is_last, 0.0f, imaginary(at)));
      tg::vec_at<2>(y, of_grid, k * 2_c) = tg::make_vec(own, own_i);
    });
  });
}

}  // namespace detail

/// y(l, k) = sum of x(l, j) * exp(-2 pi i j k / N) over j < N, for lines l of N floats, which become N / 2 + 1 complex numbers
/// as pairs of neighbouring floats; the others are their conjugates. N: a power of two from 8 to 8192. `roots` are
/// `real_fft_roots<N>()`. Launch with `real_fft_grid<N>(lines)`. Lines of less than 128 floats lie one behind the other.
/// Units: the error of a line in the Euclidean norm is below log2(N) * 7 * 2^-24 of the norm of all N results.
/// Cost: reads and writes each number once; those of `fft<N / 2>`, and one more way through shared memory or a shuffle.
template <unsigned N>
inline constexpr auto real_fft = tg::kernel<"real_fft">(
    tg::block<int(fft_threads<N / 2>)>, [](auto block, detail::real_fft_input<N, N> x, detail::real_fft_root_view<N> roots,
                                           detail::real_fft_output<N, N + 2> y, tg::scalar<unsigned> lines) {
      static_assert(detail::is_real_fft_length<N>(), "real_fft<N> requires a power of two from 8 to 8192");
      detail::fft_registers<false> v, mirrored;
      detail::for_each_fft_number<N / 2>(block, lines, [&](const auto& line, auto r) {
        const auto read = tg::vec_at<2>(x, line, detail::fft_input<N / 2>(block, r) * 2_c).get();
        v.real(r) = read(0_c);
        v.imaginary(r) = read(1_c);
      });
      detail::transform_halves<N>(block, v, roots);
      detail::exchange_mirrored<N>(block, v, mirrored);
      const auto number = [&](auto r) {
        return detail::join_halves(v, mirrored, r, tg::let(roots(detail::real_fft_place<N>(block, r) % constant<N / 2>{})));
      };
      if constexpr (detail::is_short_fft<N / 2>) {
        detail::store_short_halves<N>(block, lines, y, number);
      } else {
        tg::unroll<4>([&](auto r) {
          const auto at = detail::real_fft_place<N>(block, r);
          const auto line = tg::let(block.index.x * constant<fft_lines<N / 2>>{} + at / constant<N / 2>{});
          const auto k = tg::let(at % constant<N / 2>{});
          const detail::real_fft_number own = number(r);
          tg::if_(line < lines, [&] { tg::vec_at<2>(y, line, k * 2_c) = tg::make_vec(own.real, own.imaginary); });
          tg::if_(line < lines && k == 0u, [&] {
            y(line, constant<N>{}) = own.last;
            y(line, constant<N + 1>{}) = 0.0f;
          });
        });
      }
    });

/// y(l, j) = sum of X(l, k) * exp(2 pi i j k / N) over k < N, not divided by N, where X has the N / 2 + 1 complex numbers of x
/// and then their conjugates: N times what `real_fft<N>` was given. The imaginary parts of the first and the last are not read.
/// Lengths, roots, launch and error: those of `real_fft<N>`.
/// Cost: reads each number twice, the second time from the cache.
template <unsigned N>
inline constexpr auto real_fft_inverse = tg::kernel<"real_fft_inverse">(
    tg::block<int(fft_threads<N / 2>)>, [](auto block, detail::real_fft_input<N, N + 2> x, detail::real_fft_root_view<N> roots,
                                           detail::real_fft_output<N, N> y, tg::scalar<unsigned> lines) {
      static_assert(detail::is_real_fft_length<N>(), "real_fft_inverse<N> requires a power of two from 8 to 8192");
      detail::fft_registers<true> v;
      detail::for_each_fft_number<N / 2>(block, lines, [&](const auto& line, auto r) {
        const auto k = detail::fft_input<N / 2>(block, r);
        const auto own = tg::vec_at<2>(x, line, k * 2_c).get();
        const auto mirrored = tg::vec_at<2>(x, line, (constant<N / 2>{} - k) * 2_c).get();
        const auto [c, s] = tg::let(roots(k));
        const auto imaginary = [&](const auto& of) { return tg::let(tg::select(k == 0u, 0.0f, of(1_c))); };
        const auto own_i = imaginary(own);
        const auto mirrored_i = imaginary(mirrored);
        const auto p = tg::let(own(0_c) - mirrored(0_c));
        const auto q = tg::let(own_i + mirrored_i);
        v.real(r) = own(0_c) + mirrored(0_c) - tg::fma(c, q, -(s * p));
        v.imaginary(r) = own_i - mirrored_i + tg::fma(c, p, s * q);
      });
      detail::transform_halves<N>(block, v, roots);
      detail::for_each_fft_number<N / 2>(block, lines, [&](const auto& line, auto r) {
        tg::vec_at<2>(y, line, detail::fft_output<N / 2>(block, r) * 2_c) =
            tg::make_vec(tg::let(v.real(r)), tg::let(v.imaginary(r)));
      });
    });

/// Blocks for `real_fft<N>` and `real_fft_inverse<N>`.
template <unsigned N> constexpr auto real_fft_grid(unsigned lines, source_location where = source_location::current()) {
  return fft_grid<N / 2>(lines, where);
}

}  // namespace tg::kernels
