// Adam: a step over the weights and both moments is one kernel, which reads four arrays and writes three. Here it finds the
// least of (w - 3)^2.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  tg::device gpu;
  const int n = 1000;
  tg::array<float, 1> w(gpu, std::vector<float>(n, 0.0f)), m(gpu, std::vector<float>(n, 0.0f)),
      v(gpu, std::vector<float>(n, 0.0f));
  const float rate = 0.1f, beta1 = 0.9f, beta2 = 0.999f;
  for (int step = 1; step <= 200; ++step) {
    const float fix1 = 1 / (1 - std::pow(beta1, static_cast<float>(step))),
                fix2 = 1 / (1 - std::pow(beta2, static_cast<float>(step)));
    const auto gradient = (w - 3.0f) * 2.0f;
    const auto m_new = m * beta1 + gradient * (1 - beta1);
    const auto v_new = v * beta2 + gradient * gradient * (1 - beta2);
    tg::assign(tg::into(w) = w - m_new * fix1 / (tg::sqrt(v_new * fix2) + 1e-8f) * rate, tg::into(m) = m_new,
               tg::into(v) = v_new);
  }
  const float far = tg::eval(tg::max(tg::abs(w - 3.0f))).item();
  std::printf("after 200 steps %.4f from 3\n", static_cast<double>(far));
  return far < 0.05f ? 0 : 1;
}
