// Fourier transforms.
#pragma once

#include <kernels/fft.hpp>
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

}  // namespace detail

inline constexpr row fft{tg::kernels::fft<256>,
                         {.family = "transforms", .large = {128, 1}},
                         [] { return std::vector<shape>{{1}, {3}, {4}, {5}, {8}, {13}}; },
                         detail::try_fft<256, false>};
inline constexpr row fft_inverse{tg::kernels::fft<512, true>,
                                 {.family = "transforms", .large = {64, 1}},
                                 [] { return std::vector<shape>{{1}, {2}, {3}, {4}, {7}}; },
                                 detail::try_fft<512, true>};
inline constexpr row fft_of_short_lines{tg::kernels::fft<16>,
                                        {.family = "transforms", .large = {2048, 1}},
                                        [] { return std::vector<shape>{{1}, {63}, {64}, {65}, {128}, {509}}; },
                                        detail::try_fft<16, false>};

template <class Ask> void each_transform(Ask ask) {
  ask(fft);
  ask(fft_inverse);
  ask(fft_of_short_lines);
}

}  // namespace registry
