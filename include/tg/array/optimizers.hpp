// Steps of optimizers over all weights of an array: each is one kernel, which reads and writes each state once. Rates and the
// number of the step are arguments of the kernel. States are float, or double. Weights are of that type or of a shorter one;
// the gradient is an array or an expression of any. The step is computed in the type of the states, and its factors in double
// before they are rounded to it. NaN in a gradient becomes NaN in the weights.
#pragma once

#include <cmath>

#include <tg/array/assign.hpp>
#include <tg/array/mean.hpp>
#include <tg/tree/functions.hpp>

namespace tg {

namespace detail {
/// An array or an expression, read as numbers of type T.
template <class T, class X> decltype(auto) read_as(const X& x) {
  if constexpr (std::is_same_v<element_of_expression<X>, T>) return (x);
  else return tg::cast<T>(x);
}

/// Errors: TG705 for a step below 1.
void require_step(int step, source_location where);
}  // namespace detail

/// Rates of `adam_step`. `decay`: of the weights themselves, apart from the gradient (AdamW); 0: Adam.
struct adam_rates { double rate = 1e-3, beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0; };

/// A step of Adam, or AdamW. `m`, `v`: the moments, zeros before the first step. `step`: 1, 2, ... Errors: TG705 for a step
/// below 1; those of an assignment. Source: Kingma and Ba, "Adam", 2015; Loshchilov and Hutter, "Decoupled Weight Decay
/// Regularization", 2019.
template <class W, class T, int Rank, class G>
void adam_step(array<W, Rank>& weights, array<T, Rank>& m, array<T, Rank>& v, const G& gradient, int step,
               const adam_rates& r = {}, source_location where = source_location::current()) {
  detail::require_step(step, where);
  auto&& g = detail::read_as<T>(gradient);
  const double correction1 = 1 / (1 - std::pow(r.beta1, step)), correction2 = 1 / (1 - std::pow(r.beta2, step));
  auto m_new = m * T(r.beta1) + g * T(1 - r.beta1);
  auto v_new = v * T(r.beta2) + detail::squared(g) * T(1 - r.beta2);
  auto moved = m_new * T(r.rate * correction1) / (tg::sqrt(v_new * T(correction2)) + T(r.epsilon));
  auto next = detail::read_as<T>(weights) * T(1 - r.rate * r.decay) - std::move(moved);
  tg::assign(tg::into(weights, where) = detail::read_as<W>(next), tg::into(m, where) = m_new, tg::into(v, where) = v_new);
}

/// Rates of `sgd_step`. `decay`: added to the gradient, times the weights.
struct sgd_rates {
  double rate = 1e-2, momentum = 0.9, decay = 0;
  bool is_nesterov = false;
};

/// A step of gradient descent with momentum. `velocity`: zeros before the first step.
template <class W, class T, int Rank, class G>
void sgd_step(array<W, Rank>& weights, array<T, Rank>& velocity, const G& gradient, const sgd_rates& r = {},
              source_location where = source_location::current()) {
  auto&& w = detail::read_as<T>(weights);
  auto own = detail::read_as<T>(gradient) + w * T(r.decay);
  auto moved = velocity * T(r.momentum) + own;
  const auto step_along = [&](const auto& direction) {
    auto next = w - direction * T(r.rate);
    tg::assign(tg::into(weights, where) = detail::read_as<W>(next), tg::into(velocity, where) = moved);
  };
  if (r.is_nesterov) step_along(own + moved * T(r.momentum));
  else step_along(moved);
}

/// Rates of `lion_step`.
struct lion_rates { double rate = 1e-4, beta1 = 0.9, beta2 = 0.99, decay = 0; };

/// A step of Lion: the sign of a moment. Source: Chen et al., "Symbolic Discovery of Optimization Algorithms", 2023.
template <class W, class T, int Rank, class G>
void lion_step(array<W, Rank>& weights, array<T, Rank>& m, const G& gradient, const lion_rates& r = {},
               source_location where = source_location::current()) {
  auto&& g = detail::read_as<T>(gradient);
  auto along = m * T(r.beta1) + g * T(1 - r.beta1);
  auto sign = tg::where(along > T(0), T(1), tg::where(along < T(0), T(-1), along));  // 0 and NaN stay
  auto next = detail::read_as<T>(weights) * T(1 - r.rate * r.decay) - std::move(sign) * T(r.rate);
  tg::assign(tg::into(weights, where) = detail::read_as<W>(next), tg::into(m, where) = m * T(r.beta2) + g * T(1 - r.beta2));
}

/// A gradient scaled so that the norm of all gradients is at most `most`: `squares` is the sum of their squares, an array of
/// one element on the device, so that the host waits for nothing. If it is NaN, so is every element. Example:
///   squares = tg::sum(g * g);  tg::adam_step(w, m, v, tg::clipped(g, squares, 1.0f), step);
template <array_like G, class T> auto clipped(G&& gradient, const array<T, 0>& squares, float most) {
  auto factor = T(most) / (tg::sqrt(squares) + T(1e-6));
  return static_cast<G&&>(gradient) * tg::where(factor > T(1), T(1), factor);
}

}  // namespace tg
