#include <kernels/reference/attention_gradients.hpp>

#include <doctest/doctest.h>

#include <random>

using namespace tg::kernels::reference;

namespace {

struct mask {
  bool causal = true;
  unsigned window = 0;
};

constexpr attention_shape own{3, 5, 2, 2};
constexpr unsigned size = 4;

struct inputs { table q{3, 8}, k{5, 4}, v{5, 4}, d_o{3, 8}; };

// The sum of o * d_o, whose gradient is asked for.
double weighted(const inputs& x) {
  double sum = 0;
  attend(
      {}, mask{}, own, size, 0, 0, x.q, x.k, x.v, [&](unsigned r, unsigned c, double o, double) { sum += o * x.d_o(r, c); },
      [](unsigned, unsigned, double, double) {});
  return sum;
}

}  // namespace

TEST_CASE("gradients are differences of the function") {
  inputs x;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1, 1);
  for (table* t : {&x.q, &x.k, &x.v, &x.d_o})
    for (double& e : t->elements) e = any(random);
  attention_gradients found(3, 8, 5, 4);
  for (const unsigned head : {0u, 1u})
    add_attention_gradients(
        found, mask{}, own, size, 0, 0, head, x.q, x.k, x.v, x.d_o, [](unsigned, unsigned, double o) { return o; },
        [](unsigned, double, double) {});
  const auto check = [&](table& of, const table& gradient) {
    for (std::size_t i = 0; i < of.elements.size(); ++i) {
      const double before = of.elements[i], step = 1e-5;
      of.elements[i] = before + step;
      const double more = weighted(x);
      of.elements[i] = before - step;
      const double less = weighted(x);
      of.elements[i] = before;
      CHECK(gradient.elements[i] == doctest::Approx((more - less) / (2 * step)).epsilon(1e-6));
    }
  };
  check(x.q, found.q);
  check(x.k, found.k);
  check(x.v, found.v);
  for (std::size_t i = 0; i < found.q.elements.size(); ++i)
    CHECK(found.q_size.elements[i] >= std::abs(found.q.elements[i]) * (1 - 1e-12));
}
