// Rows in tiles: norms, softmax, losses and their gradients, and a norm with the products that follow it.
#pragma once

#include <kernels/cross_entropy.hpp>
#include <kernels/layer_norm.hpp>
#include <kernels/reference/cross_entropy.hpp>
#include <kernels/reference/norms.hpp>
#include <kernels/reference/softmax.hpp>
#include <kernels/rms_swiglu.hpp>
#include <kernels/softmax_tiles.hpp>
#include <registry/row.hpp>

namespace registry {

namespace detail {

inline expectation expect(const tg::kernels::reference::bounded& x) { return {x.value, x.bound}; }

/// m rows of n elements.
inline constexpr auto try_layer_norm = [](auto& t, const shape& s) {
  using T = tg::bf16;
  const auto x = t.template floats<T>(std::size_t{s.m} * s.n), gamma = t.template floats<T>(s.n),
             beta = t.template floats<T>(s.n);
  constexpr float epsilon = 1e-5f;
  const auto wanted =
      tg::kernels::reference::layer_norm<T>(s.m, s.n, numbers_of(x, s.n), numbers_of(gamma), numbers_of(beta), double{epsilon});
  t.launch(tg::grid(s.m), t.in(x, s.m, s.n, 8), t.in(gamma), t.in(beta), t.template out<T>(expect(wanted), s.m, s.n, 8), s.m,
           s.n, epsilon);
};
inline constexpr auto try_residual_rms_norm = [](auto& t, const shape& s) {
  using T = tg::bf16;
  const auto x = t.template floats<T>(std::size_t{s.m} * s.n), residual = t.template floats<T>(x.size()),
             gamma = t.template floats<T>(s.n);
  constexpr float epsilon = 1e-6f;
  const auto wanted = tg::kernels::reference::residual_rms_norm<T>(s.m, s.n, numbers_of(x, s.n), numbers_of(residual, s.n),
                                                                   numbers_of(gamma), double{epsilon});
  t.launch(tg::grid(s.m), t.in(x, s.m, s.n, 8), t.in(residual, s.m, s.n, 8), t.in(gamma),
           t.template out<T>(expect(wanted.sum), s.m, s.n, 8), t.template out<T>(expect(wanted.y), s.m, s.n, 8), s.m, s.n,
           epsilon);
};
inline constexpr auto try_softmax_tiles = [](auto& t, const shape& s) {
  constexpr float reach = 3;
  const auto x = t.template floats<tg::bf16>(std::size_t{s.m} * s.n, -reach, reach);
  const std::vector<float> exact(x.begin(), x.end());
  // An exponential is off by the rounding of its argument, of up to 2 * reach, and by two units; so is the sum. The sum of a
  // row is a tree under the elements of a thread; then a reciprocal, a product, and one rounding.
  const double steps = s.n / 128 + 10, exponential = 3 * 2 * double(reach) + 4;
  const auto after = relative(tg::kernels::reference::softmax(exact, s.n),
                              tg::kernels::reference::unit<tg::bf16> + 1.01 * 0x1p-24 * (2 * exponential + steps + 4));
  t.launch(tg::grid(s.m), t.in(x, s.m, s.n, 8), t.template out<tg::bf16>(after, s.m, s.n, 8), s.m, s.n);
};

/// m rows of n logits, of which one counts for nothing.
template <class Trial> std::vector<unsigned> any_targets(Trial& t, const shape& s) {
  auto targets = t.template integers<unsigned>(s.m, 0, s.n - 1);
  if (s.m > 1) targets[1] = s.n;
  return targets;
}
inline constexpr float scale_of_gradient = 0.25f;
inline constexpr auto try_cross_entropy = [](auto& t, const shape& s) {
  const auto x = t.template floats<tg::bf16>(std::size_t{s.m} * s.n, -3, 3);
  const auto targets = any_targets(t, s);
  const auto wanted = tg::kernels::reference::cross_entropy<tg::bf16>(
      s.m, s.n, numbers_of(x, s.n), [&](unsigned r) { return targets[r]; }, scale_of_gradient);
  t.launch(tg::grid(s.m), t.in(x, s.m, s.n, 8), t.in(targets), t.template out<float>(expect(wanted.loss)),
           t.template out<float>(expect(wanted.log_sums)), s.m, s.n);
};
inline constexpr auto try_cross_entropy_backward = [](auto& t, const shape& s) {
  const auto x = t.template floats<tg::bf16>(std::size_t{s.m} * s.n, -3, 3);
  const auto targets = any_targets(t, s);
  const auto wanted = tg::kernels::reference::cross_entropy<tg::bf16>(
      s.m, s.n, numbers_of(x, s.n), [&](unsigned r) { return targets[r]; }, scale_of_gradient);
  const std::vector<float> log_sums(wanted.log_sums.value.begin(), wanted.log_sums.value.end());
  t.launch(tg::kernels::cross_entropy_grid(s.m, s.n), t.in(x, s.m, s.n, 8), t.in(targets), t.in(log_sums),
           t.template out<tg::bf16>(expect(wanted.gradient), s.m, s.n, 8), s.m, s.n, scale_of_gradient);
};

/// m x k times k x n, twice.
inline constexpr auto try_rms_swiglu = [](auto& t, const shape& s) {
  using T = tg::bf16;
  const auto x = t.template floats<T>(std::size_t{s.m} * s.k), gate = t.template floats<T>(std::size_t{s.k} * s.n),
             up = t.template floats<T>(gate.size());
  const auto gamma = t.floats(s.k);
  constexpr float epsilon = 1e-5f;
  const auto wanted = tg::kernels::reference::rms_swiglu<T>(s.m, s.n, s.k, numbers_of(x, s.k), numbers_of(gamma),
                                                            numbers_of(gate, s.n), numbers_of(up, s.n), double{epsilon});
  t.launch(tg::kernels::rms_swiglu_grid(s.m, s.n), t.in(x, s.m, s.k, 8), t.in(gamma), t.in(gate, s.k, s.n, 8),
           t.in(up, s.k, s.n, 8), t.template out<T>(expect(wanted), s.m, s.n, 8), s.m, s.n, s.k, epsilon);
};

/// Rows of up to 1024 elements.
inline std::vector<shape> short_rows() { return {{1, 1}, {3, 7}, {2, 127}, {3, 256}, {2, 509}, {1, 1023}, {2, 1024}}; }
/// Rows around steps of 2048 elements.
inline std::vector<shape> vocabularies() { return {{1, 1}, {3, 97}, {2, 2047}, {3, 2048}, {2, 2049}, {3, 5003}}; }
constexpr facts of_rows(std::string_view family, shape large) { return {.family = family, .least_sm = 80, .large = large}; }

}  // namespace detail

inline constexpr row layer_norm{tg::kernels::layer_norm<tg::bf16, 1024>, detail::of_rows("norms", {64, 1024}),
                                detail::short_rows, detail::try_layer_norm};
inline constexpr row residual_rms_norm{tg::kernels::residual_rms_norm<tg::bf16, 1024>, detail::of_rows("norms", {64, 1024}),
                                       detail::short_rows, detail::try_residual_rms_norm};
inline constexpr row rms_swiglu{tg::kernels::rms_swiglu<tg::bf16>, detail::of_rows("norms", {128, 256, 256}),
                                products(64, 64, 32), detail::try_rms_swiglu};
inline constexpr row softmax_tiles{tg::kernels::softmax_tiles<tg::bf16, 1024>, detail::of_rows("softmax", {64, 1024}),
                                   detail::short_rows, detail::try_softmax_tiles};
inline constexpr row cross_entropy{tg::kernels::cross_entropy<tg::bf16>, detail::of_rows("losses", {16, 30011}),
                                   detail::vocabularies, detail::try_cross_entropy};
inline constexpr row cross_entropy_backward{tg::kernels::cross_entropy_backward<tg::bf16>,
                                            detail::of_rows("losses", {16, 30011}), detail::vocabularies,
                                            detail::try_cross_entropy_backward};

template <class Ask> void each_norm(Ask ask) {
  ask(layer_norm);
  ask(residual_rms_norm);
  ask(rms_swiglu);
  ask(softmax_tiles);
  ask(cross_entropy);
  ask(cross_entropy_backward);
}

}  // namespace registry
