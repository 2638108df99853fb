// Jacobi steps with slices
//
// The inside of the plate is a slice; its neighbours are the same slice moved by one. Each step is one kernel that writes into
// a second array, because writing into the one that is read is refused (TG701). `std::swap` exchanges the memory, not elements.
#include <cmath>
#include <cstdio>
#include <utility>
#include <vector>

#include <tg/array.hpp>

int main() {
  tg::device gpu;
  const int n = 34;
  tg::array<float, 2> now(gpu, {n, n}, std::vector<float>(n * n, 0.0f)), next(gpu, {n, n});
  now(0, tg::full_extent) = 100.0f;  // the upper edge is hot
  next = now;
  const auto inside = tg::range(1, n - 1), before = tg::range(0, n - 2), behind = tg::range(2, n);
  for (int step = 0; step < 2000; ++step) {
    next(inside, inside) = (now(before, inside) + now(behind, inside) + now(inside, before) + now(inside, behind)) * 0.25f;
    std::swap(now, next);
  }
  const float middle = now(n / 2, n / 2).item(), change = tg::eval(tg::max(tg::abs(now - next))).item();
  std::printf("%.2f degrees in the middle; the last step changed %.5f\n", double(middle), double(change));
  return change < 0.01f && std::abs(middle - 25) < 2 ? 0 : 1;
}
