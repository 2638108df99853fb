// The kernel against the host, at sizes that fill blocks and sizes that do not. It runs on the emulator with all checkers.
#include <algorithm>
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

#include <my_project.hpp>

int main() {
  int wrong = 0;
  tg::device gpu;
  for (const unsigned n : {1u, 255u, 256u, 257u, 1000u}) {
    std::vector<float> hx(n), hy(n);
    for (unsigned k = 0; k < n; ++k) {
      hx[k] = static_cast<float>(k % 17) - 8.0f;
      hy[k] = static_cast<float>(k % 5);
    }
    const auto x = gpu.upload(hx), y = gpu.upload(hy);
    auto z = gpu.zeros<float>(n);
    gpu.launch(my_project::scaled_sum, tg::cover(n), x, y, z, 0.5f, n);
    const std::vector<float> out = z.to_host();
    for (unsigned k = 0; k < n; ++k) {
      const float wanted = std::max(0.5f * hx[k] + hy[k], 0.0f);
      if (out[k] == wanted) continue;
      std::printf("z(%u) of %u is %g, not %g\n", k, n, static_cast<double>(out[k]), static_cast<double>(wanted));
      ++wrong;
    }
  }
  if (wrong == 0) std::printf("every element is right\n");
  return wrong != 0;
}
