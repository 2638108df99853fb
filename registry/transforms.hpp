// Fourier transforms.
#pragma once

#include <kernels/fft_2d.hpp>
#include <kernels/real_fft.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// m lines of N complex numbers, short ones without gaps between them.
template <unsigned N, bool Inverse>
inline constexpr auto try_fft = [](auto& t, const shape& s) {
  const auto x = t.floats(std::size_t{s.m} * N * 2);
  std::vector<double> cosine(N), sine(N), wanted(x.size()), norm(s.m);
  for (unsigned k = 0; k < N; ++k) {
    const double angle = (Inverse ? 2 : -2) * std::acos(-1.0) * k / N;
    cosine[k] = std::cos(angle), sine[k] = std::sin(angle);
  }
  for (std::size_t at = 0; at < x.size() / 2; ++at) {
    const std::size_t k = at % N, first = at / N * N * 2;
    double real = 0, imaginary = 0;
    for (std::size_t j = 0; j < N; ++j) {
      const double c = cosine[j * k % N], d = sine[j * k % N], a = x[first + 2 * j], b = x[first + 2 * j + 1];
      real += a * c - b * d, imaginary += a * d + b * c;
    }
    wanted[2 * at] = real, wanted[2 * at + 1] = imaginary;
    norm[at / N] += real * real + imaginary * imaginary;
  }
  auto after = within(wanted, [&](std::size_t i) { return std::log2(N) * 7 * 0x1p-24 * std::sqrt(norm[i / (2 * N)]); });
  constexpr unsigned apart = N < 64 ? 0 : 2;
  t.launch(tg::kernels::fft_grid<N>(s.m), t.in(x, s.m, 2 * N, apart), t.in(tg::kernels::fft_roots<N>()),
           t.template out<float>(std::move(after), s.m, 2 * N, apart), s.m);
};

/// m matrices of n x k complex numbers change rows and columns.
inline constexpr auto try_transpose_complex = [](auto& t, const shape& s) {
  const auto x = t.floats(std::size_t{s.m} * s.n * s.k * 2);
  std::vector<float> wanted(x.size());
  for (std::size_t i = 0; i < s.m; ++i)
    for (std::size_t r = 0; r < s.n; ++r)
      for (std::size_t c = 0; c < s.k; ++c)
        for (std::size_t part = 0; part < 2; ++part)
          wanted[((i * s.k + c) * s.n + r) * 2 + part] = x[((i * s.n + r) * s.k + c) * 2 + part];
  t.launch(tg::kernels::transpose_complex_grid(s.m, s.n, s.k), t.in(x, s.m * s.n, 2 * s.k, 2),
           t.template out<float>(exactly(wanted), s.m * s.k, 2 * s.n, 2), s.n, s.k);
};
/// m lines of N floats.
template <unsigned N>
inline constexpr auto try_real_fft = [](auto& t, const shape& s) {
  constexpr std::size_t width = N + 2;
  const auto x = t.floats(std::size_t{s.m} * N);
  std::vector<double> wanted(s.m * width), squares(s.m);
  for (std::size_t at = 0; at < x.size(); ++at) {
    const std::size_t l = at / N, j = at % N;
    squares[l] += double{x[at]} * x[at];
    for (std::size_t k = 0; k <= N / 2; ++k) {
      const double angle = -2 * std::acos(-1.0) * static_cast<double>(j * k % N) / N;
      wanted[l * width + 2 * k] += x[at] * std::cos(angle), wanted[l * width + 2 * k + 1] += x[at] * std::sin(angle);
    }
  }
  auto after = within(wanted, [&](std::size_t i) { return std::log2(N) * 7 * 0x1p-24 * std::sqrt(N * squares[i / width]); });
  t.launch(tg::kernels::real_fft_grid<N>(s.m), t.in(x, s.m, N, 2), t.in(tg::kernels::real_fft_roots<N>()),
           t.template out<float>(std::move(after), s.m, N + 2, 2), s.m);
};
template <unsigned N>
inline constexpr auto try_real_fft_inverse = [](auto& t, const shape& s) {
  constexpr std::size_t width = N + 2;
  const auto x = t.floats(s.m * width);
  std::vector<double> wanted(std::size_t{s.m} * N), squares(s.m);
  for (std::size_t at = 0; at < wanted.size(); ++at) {
    const std::size_t l = at / N, j = at % N;
    const float* in = &x[l * width];
    wanted[at] = in[0] + (j % 2 == 0 ? in[N] : -in[N]);
    for (std::size_t k = 1; k < N / 2; ++k) {
      const double angle = 2 * std::acos(-1.0) * static_cast<double>(j * k % N) / N;
      wanted[at] += 2 * (in[2 * k] * std::cos(angle) - in[2 * k + 1] * std::sin(angle));
    }
    squares[l] += wanted[at] * wanted[at];
  }
  auto after = within(wanted, [&](std::size_t i) { return std::log2(N) * 7 * 0x1p-24 * std::sqrt(squares[i / N]); });
  t.launch(tg::kernels::real_fft_grid<N>(s.m), t.in(x, s.m, N + 2, 2), t.in(tg::kernels::real_fft_roots<N>()),
           t.template out<float>(std::move(after), s.m, N, 2), s.m);
};

}  // namespace detail

inline constexpr row fft{tg::kernels::fft<256>,
                         {.family = "transforms", .other = {"fft.cu", "fft_256"}, .large = {128, 1}},
                         [] { return std::vector<shape>{{1}, {3}, {4}, {5}, {8}, {13}}; },
                         detail::try_fft<256, false>};
inline constexpr row fft_inverse{tg::kernels::fft<512, true>,
                                 {.family = "transforms", .other = {"fft.cu", "fft_512_inverse"}, .large = {64, 1}},
                                 [] { return std::vector<shape>{{1}, {2}, {3}, {4}, {7}}; },
                                 detail::try_fft<512, true>};
inline constexpr row fft_of_short_lines{tg::kernels::fft<16>,
                                        {.family = "transforms", .other = {"fft.cu", "fft_16"}, .large = {2048, 1}},
                                        [] { return std::vector<shape>{{1}, {63}, {64}, {65}, {128}, {509}}; },
                                        detail::try_fft<16, false>};
inline constexpr row real_fft{tg::kernels::real_fft<256>,
                              {.family = "transforms", .other = {"fft.cu", "real_fft_256"}, .large = {256, 1}},
                              [] { return std::vector<shape>{{1}, {7}, {8}, {9}, {16}, {23}}; },
                              detail::try_real_fft<256>};
inline constexpr row real_fft_inverse{tg::kernels::real_fft_inverse<128>,
                                      {.family = "transforms", .other = {"fft.cu", "real_fft_inverse_128"}, .large = {512, 1}},
                                      [] { return std::vector<shape>{{1}, {15}, {16}, {17}, {32}, {37}}; },
                                      detail::try_real_fft_inverse<128>};

inline constexpr row transpose_complex{
    tg::kernels::transpose_complex,
    {.family = "transforms", .other = {"fft_2d.cu", "transpose_complex"}, .large = {4, 256, 512}},
    [] { return std::vector<shape>{{1, 1, 1}, {1, 31, 33}, {2, 32, 32}, {3, 64, 5}}; },
    detail::try_transpose_complex};

template <class Ask> void each_transform(Ask ask) {
  ask(fft);
  ask(fft_inverse);
  ask(fft_of_short_lines);
  ask(real_fft);
  ask(real_fft_inverse);
  ask(transpose_complex);
}

}  // namespace registry
