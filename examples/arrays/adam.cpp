// A step of Adam over all weights: one kernel
//
// It reads the weights, the gradient and both moments, and writes three of them: three results of one `tg::assign`. Expressions
// with a name (`m_new`) are no arrays: they become part of the kernel. Rates are arguments: no kernel for each step.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  tg::device gpu;
  const int n = 1000;
  const std::vector<float> zero(n, 0.0f);
  tg::array<float, 1> w(gpu, zero), m(gpu, zero), v(gpu, zero), gradient(gpu, {n});
  const float rate = 0.1f, beta1 = 0.9f, beta2 = 0.999f;
  for (int step = 1; step <= 200; ++step) {
    gradient = (w - 3.0f) * 2.0f;  // of (w - 3)^2
    const float fix1 = 1 / (1 - std::pow(beta1, float(step))), fix2 = 1 / (1 - std::pow(beta2, float(step)));
    const auto m_new = m * beta1 + gradient * (1 - beta1);
    const auto v_new = v * beta2 + gradient * gradient * (1 - beta2);
    tg::assign(tg::into(w) = w - m_new * fix1 / (tg::sqrt(v_new * fix2) + 1e-8f) * rate, tg::into(m) = m_new,
               tg::into(v) = v_new);
  }
  const float far = tg::eval(tg::max(tg::abs(w - 3.0f))).item();
  std::printf("after 200 steps %.4f from the minimum\n", double(far));
  return far < 0.05f ? 0 : 1;
}
