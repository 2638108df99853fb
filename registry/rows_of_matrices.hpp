// Softmax of rows, and transposes with the steps that lead to the shipped one.
#pragma once

#include <span>

#include <kernels/reference/softmax.hpp>
#include <kernels/reference/transpose.hpp>
#include <kernels/softmax.hpp>
#include <kernels/softmax_online.hpp>
#include <kernels/transpose.hpp>
#include <kernels/transpose_steps.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

/// m rows of n elements.
inline constexpr auto try_softmax = [](auto& t, const shape& s) {
  constexpr float reach = 5;
  const auto x = t.floats(std::size_t{s.m} * s.n, -reach, reach);
  // An exponential of -t is off by the rounding of t, of its product with log2 e, and by two units of ex2.approx; one for the
  // element, one for each that a thread adds, then eight additions, a reciprocal and a product. The online form rescales.
  const double exponential = 3 * 2 * double(reach) + 4, steps = s.n / 256 + 2;
  const auto after = relative(tg::kernels::reference::softmax(x, s.n), 0x1p-24 * (2 * (steps + 1) * exponential + steps + 20));
  t.launch(tg::grid(s.m), t.in(x, s.m, s.n), t.template out<float>(after, s.m, s.n), s.n);
};
inline constexpr auto try_transpose = [](auto& t, const shape& s) {
  const auto x = t.floats(std::size_t{s.m} * s.n);
  const auto after = exactly(tg::kernels::reference::transpose(std::span<const float>(x), s.m, s.n));
  t.launch(tg::kernels::transpose_grid(s.m, s.n), t.in(x, s.m, s.n), t.template out<float>(after, s.n, s.m), s.m, s.n);
};
constexpr facts moves(std::string_view family, std::string_view file, std::string_view entry, shape large) {
  return {.family = family, .other = {file, entry}, .large = large};
}

}  // namespace detail

inline constexpr row softmax{tg::kernels::softmax, detail::moves("softmax", "softmax.cu", "softmax", {64, 1u << 14}),
                             matrices(3, 256), detail::try_softmax};
inline constexpr row softmax_online{tg::kernels::softmax_online,
                                    detail::moves("softmax", "softmax_online.cu", "softmax_online", {64, 1u << 14}),
                                    matrices(3, 256), detail::try_softmax};
inline constexpr row transpose_naive{tg::kernels::transpose_naive,
                                     detail::moves("transposes", "transpose_naive.cu", "transpose_naive", {512, 512}),
                                     matrices(32, 32), detail::try_transpose};
inline constexpr row transpose_tiled{tg::kernels::transpose_tiled,
                                     detail::moves("transposes", "transpose_tiled.cu", "transpose_tiled", {512, 512}),
                                     matrices(32, 32), detail::try_transpose};
inline constexpr row transpose_padded{tg::kernels::transpose_padded,
                                      detail::moves("transposes", "transpose_padded.cu", "transpose_padded", {512, 512}),
                                      matrices(32, 32), detail::try_transpose};
inline constexpr row transpose_swizzled{tg::kernels::transpose_swizzled,
                                        detail::moves("transposes", "transpose_swizzled.cu", "transpose_swizzled", {512, 512}),
                                        matrices(32, 32), detail::try_transpose};

template <class Ask> void each_of_matrices(Ask ask) {
  ask(softmax);
  ask(softmax_online);
  ask(transpose_naive);
  ask(transpose_tiled);
  ask(transpose_padded);
  ask(transpose_swizzled);
}

}  // namespace registry
