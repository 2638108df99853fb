// How a block transforms lines of complex floats: where each thread's four numbers lie, and the steps between.
//
// Lines of 64 and more go by Stockham's method: each stage reads with one stride and writes with another, and the last one
// leaves the result in its order. A thread has four numbers of one line. Stages of radix 4 exchange them through shared memory;
// where the length is 2 * 4^k, one of radix 2 ends it. The tile is swizzled: bits 5 and 6 of a position go into bits 0 to 3,
// bit 6 into bit 4, so that writes with strides of 4, 16 and 64 meet no bank twice, as reads of neighbours.
//
// Shorter lines lie in a warp, one number in a lane, four lines of a lane. They are read with the bits of positions reversed,
// and stages of radix 2 exchange numbers by shuffles.
//
// Source of the method: Stockham, "High-speed convolution and correlation", 1966.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <vector>

#include <tg/dsl.hpp>
#include <tg/dsl/structs/struct_element.hpp>

namespace tg::kernels {

using literals::operator""_c;

/// Threads of a block of `fft<N>`.
template <unsigned N> inline constexpr unsigned fft_threads = std::max(256u, N / 4);
/// Lines that a block of `fft<N>` takes.
template <unsigned N> inline constexpr unsigned fft_lines = 4 * fft_threads<N> / N;

/// A root of unity for transforms of length N, so that those of another length do not compile.
template <unsigned N> struct alignas(8) fft_root { BOOST_HANA_DEFINE_STRUCT(fft_root, (float, cosine), (float, sine)); };

namespace detail {

/// Whether lines of N numbers lie in a warp.
template <unsigned N> inline constexpr bool is_short_fft = N < 64;

/// Lines of complex numbers as pairs of neighbouring floats. Short lines lie one behind the other, so that a warp reads whole
/// sectors.
template <unsigned N>
using fft_input_lines =
    std::conditional_t<is_short_fft<N>, tg::in2<float, tg::extents<tg::dynamic, 2 * N>>, tg::in2<float, tg::multiple_of<2>>>;
template <unsigned N>
using fft_output_lines =
    std::conditional_t<is_short_fft<N>, tg::out2<float, tg::extents<tg::dynamic, 2 * N>>, tg::out2<float, tg::multiple_of<2>>>;

/// exp(-2 pi i numerator / denominator), rounded from double.
template <class Root> Root make_root(unsigned numerator, unsigned denominator) {
  const double angle = -2 * std::acos(-1.0) * numerator / denominator;
  return {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle))};
}

/// How many roots a transform of N numbers reads.
template <unsigned N>
inline constexpr unsigned fft_root_count = [] {
  if (is_short_fft<N>) return 2 * (N - 1);
  unsigned size = 4, out = 0;
  for (; 4 * size <= N; size *= 4) out += 3 * size;
  return 2 * size == N ? out + size : out;
}();
/// The roots that it reads, one stage after another.
template <class Root, unsigned N> std::vector<Root> make_fft_roots() {
  std::vector<Root> out;
  if constexpr (is_short_fft<N>) {
    for (unsigned size = 1; size < N; size *= 2)
      for (unsigned k = 0; k < 2 * size; ++k) out.push_back(make_root<Root>(k < size ? 0 : k - size, 2 * size));
  } else {
    unsigned size = 4;
    for (; 4 * size <= N; size *= 4)
      for (unsigned power = 1; power < 4; ++power)
        for (unsigned k = 0; k < size; ++k) out.push_back(make_root<Root>(power * k, 4 * size));
    if (2 * size == N)
      for (unsigned k = 0; k < size; ++k) out.push_back(make_root<Root>(k, N));
  }
  return out;
}

/// Four complex numbers of a thread.
template <bool Inverse> class fft_registers {
 public:
  tg::regs<float, 4> real = 0.0f, imaginary = 0.0f;

  /// Number r times a root of unity, for the inverse times its conjugate.
  template <class R, class W> void turn(const R& r, const W& root) {
    const auto [c, sine] = tg::let(root);
    const auto s = Inverse ? tg::let(-sine) : tg::let(sine);
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

/// The line of number r of a thread.
template <unsigned N, class Block, class R> auto fft_line_of(const Block& block, R r) {
  const auto first = block.index.x * constant<fft_lines<N>>{};
  if constexpr (is_short_fft<N>) return tg::let(first + r * constant<256 / N>{} + block.thread.x / constant<N>{});
  else return tg::let(first + block.thread.x / constant<N / 4>{});
}
/// Calls `body(line, r)` for each number of a thread whose line is one of `lines`.
template <unsigned N, class Block, class Lines, class Body>
void for_each_fft_number(const Block& block, const Lines& lines, Body body) {
  if constexpr (is_short_fft<N>) {
    tg::unroll<4>([&](auto r) {
      const auto line = fft_line_of<N>(block, r);
      tg::if_(line < lines, [&] { body(line, r); });
    });
  } else {
    const auto line = fft_line_of<N>(block, 0_c);
    tg::if_(line < lines, [&] { tg::unroll<4>([&](auto r) { body(line, r); }); });
  }
}
/// Where number r of a thread is in its line after the transform.
template <unsigned N, class Block, class R> auto fft_output(const Block& block, R r) {
  if constexpr (is_short_fft<N>) return tg::let(block.thread.x % constant<N>{});
  else return tg::let(block.thread.x % constant<N / 4>{} + r * constant<N / 4>{});
}
/// The number `t` with its lowest bits in the reverse order: those below Size, a power of two.
template <unsigned Size, class T> auto reversed_bits(const T& t) {
  if constexpr (Size == 2) return tg::let(t % 2_c);
  else return tg::let(t % 2_c * constant<Size / 2>{} + reversed_bits<Size / 2>(t / 2_c));
}
/// Where it is before.
template <unsigned N, class Block, class R> auto fft_input(const Block& block, R r) {
  if constexpr (is_short_fft<N>) return reversed_bits<N>(block.thread.x);
  else return fft_output<N>(block, r);
}

/// Transforms four lines of a lane by shuffles.
template <unsigned N, bool Inverse, class Block, class Roots>
void transform_short_lines(const Block& block, fft_registers<Inverse>& v, const Roots& roots) {
  constexpr int stages = [] {
    int out = 0;
    for (unsigned size = 1; size < N; size *= 2) ++out;
    return out;
  }();
  const auto warp = block.warp();
  tg::unroll<stages>([&](auto stage) {
    constexpr unsigned size = 1u << decltype(stage)::value;
    const auto place = tg::let(block.thread.x % constant<2 * size>{});
    const auto sign = tg::let(tg::select(place < size, 1.0f, -1.0f));
    // The first half of the roots is 1, so that all lanes do the same.
    const auto turn = [&] {
      const auto root = tg::let(roots(constant<2 * size - 2>{} + place));
      tg::unroll<4>([&](auto r) { v.turn(r, root); });
    };
    if constexpr (size > 1) turn();
    for (auto* part : {&v.real, &v.imaginary})
      tg::unroll<4>([&](auto r) {
        const auto other = tg::let(warp.shuffle_xor((*part)(r), size));
        (*part)(r) = tg::fma((*part)(r), sign, other);
      });
  });
}

/// The layout of a tile of lines.
inline constexpr auto fft_layout = tg::swizzle<2, 0, 5> ^ tg::swizzle<2, 2, 3> ^ tg::swizzle<1, 4, 2>;
/// A tile for the real or the imaginary parts of the lines of a block.
template <unsigned N> auto fft_tile() { return tg::shared<float>(tg::shape<int(fft_lines<N> * N)>, fft_layout); }

/// Transforms a line of four numbers in each of N / 4 threads, through two tiles.
template <unsigned N, bool Inverse, class Block, class Roots, class Tile>
void transform_lines(const Block& block, fft_registers<Inverse>& v, const Roots& roots, const Tile& real,
                     const Tile& imaginary) {
  constexpr unsigned stages = [] {
    unsigned out = 0;
    for (unsigned size = 4; size <= N; size *= 4) ++out;
    return out;
  }();
  constexpr bool is_even = (1u << 2 * stages) == N;
  constexpr auto quarter = constant<N / 4>{};
  const auto thread = block.thread.x;
  const auto own = tg::let(thread % quarter);
  const auto of_block = tg::let(thread / quarter);
  tg::unroll<stages>([&](auto stage) {
    constexpr unsigned size = 1u << 2 * decltype(stage)::value;
    constexpr auto width = constant<size>{};
    if constexpr (size > 1)
      tg::unroll<3>([&](auto r) { v.turn(r + 1_c, roots(constant<size - 4>{} + r * width + thread % width)); });
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
      v.turn(p + 2_c, roots(constant<(1u << 2 * stages) - 4>{} + own + p * quarter));
      v.add_and_subtract(p, p + 2_c);
    });
}

}  // namespace detail

}  // namespace tg::kernels
