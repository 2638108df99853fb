#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

#include "my_project.hpp"

int main() {
  const unsigned n = 1000;
  tg::device gpu;  // the first NVIDIA GPU, else the emulator
  const auto x = gpu.upload(std::vector<float>(n, 1.0f)), y = gpu.upload(std::vector<float>(n, 2.0f));
  auto z = gpu.zeros<float>(n);
  gpu.launch(my_project::scaled_sum, tg::cover(n), x, y, z, 3.0f, n);
  std::printf("max(3 * 1 + 2, 0) = %g on '%s'\n", z.to_host().back(), gpu.name().c_str());
}
