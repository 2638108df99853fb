// The feed-forward part of a transformer
//
// Two products of matrices, with bias and GELU in the kernel of the first, bias and residual in that of the second. What lies
// between them is written once, in half the size.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>
#include <tg/array/matmul.hpp>

std::vector<float> waves(std::size_t n, float step) {
  std::vector<float> out(n);
  for (std::size_t k = 0; k < n; ++k) out[k] = 0.2f * std::sin(step * static_cast<float>(k));
  return out;
}

int main() {
  tg::device gpu;
  const int tokens = 100, width = 64, wide = 4 * width;
  const tg::array<float, 2> x(gpu, {tokens, width}, waves(tokens * width, 0.7f));
  const tg::array<tg::bf16, 2> up(gpu, {width, wide}, waves(width * wide, 0.31f)),
      down(gpu, {wide, width}, waves(wide * width, 0.17f));
  const tg::array<float, 1> bias(gpu, waves(wide, 1.3f)), bias_down(gpu, waves(width, 2.1f));

  const tg::array<tg::bf16, 2> own = tg::cast<tg::bf16>(x);
  const tg::array<tg::bf16, 2> hidden = tg::cast<tg::bf16>(tg::gelu(tg::matmul(own, up) + bias));
  const tg::array<float, 2> y = x + tg::matmul(hidden, down) + bias_down;

  // Both layers again, as sums over a third axis of the products of elements.
  const auto h = tg::eval(tg::sum<1>(tg::expand<2>(tg::cast<float>(own)) * tg::expand<0>(tg::cast<float>(up))) + bias);
  const auto slow = tg::eval(
      tg::sum<1>(tg::expand<2>(tg::cast<float>(tg::cast<tg::bf16>(tg::gelu(h)))) * tg::expand<0>(tg::cast<float>(down))));
  const float far = tg::eval(tg::max(tg::abs(y - (x + slow + bias_down)))).item();
  std::printf("%d tokens, at most %.1e apart\n", tokens, static_cast<double>(far));
  return far < 0.01f ? 0 : 1;
}
