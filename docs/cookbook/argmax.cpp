// Top-1: the largest of each row, and where it is
//
// Two results of one kernel, which reads the rows once. `tg::argmax` gives the first of equal ones. A number on the host
// needs `tg::eval` and `item()`: an expression alone is not computed.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  const int rows = 20, columns = 1000;
  std::vector<float> hx(rows * columns);
  for (std::size_t k = 0; k < hx.size(); ++k) hx[k] = std::sin(float(k * k % 7919));

  tg::device gpu;
  const tg::array<float, 2> logits(gpu, {rows, columns}, hx);
  tg::array<float, 1> best(gpu, {rows});
  tg::array<int, 1> place(gpu, {rows});
  tg::assign(tg::into(best) = tg::max<1>(logits), tg::into(place) = tg::argmax<1>(logits));

  const auto value = best.to_host();
  const auto where = place.to_host();
  int wrong = 0;
  for (std::size_t r = 0; r < rows; ++r) {
    std::size_t wanted = 0;
    for (std::size_t c = 0; c < columns; ++c)
      if (hx[r * columns + c] > hx[r * columns + wanted]) wanted = c;
    wrong += where[r] != int(wanted) || value[r] != hx[r * columns + wanted];
  }
  const float top = tg::eval(tg::max(logits)).item();
  std::printf("the largest of all is %.4f; %d rows wrong\n", double(top), wrong);
  return wrong == 0 ? 0 : 1;
}
