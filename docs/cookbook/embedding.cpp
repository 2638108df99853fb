// Embedding: rows of a table by their numbers
//
// `tg::take(table, tokens)` is a row for each token. It is an expression: the scale and the positions are added in the same
// kernel, and no array of chosen rows is made.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  const int words = 100, width = 64, length = 17;
  std::vector<float> ht(words * width), hp(length * width);
  std::vector<int> tokens(length);
  for (std::size_t k = 0; k < ht.size(); ++k) ht[k] = float(k / width);
  for (std::size_t k = 0; k < hp.size(); ++k) hp[k] = 0.001f * float(k);
  for (int k = 0; k < length; ++k) tokens[std::size_t(k)] = k * 37 % words;

  tg::device gpu;
  const tg::array<float, 2> table(gpu, {words, width}, ht), places(gpu, {length, width}, hp);
  const tg::array<int, 1> which(gpu, tokens);
  const tg::array<float, 2> y = tg::take(table, which) * 8.0f + places;

  const auto out = y.to_host();
  double worst = 0;
  for (std::size_t k = 0; k < out.size(); ++k)
    worst = std::fmax(worst, std::fabs(double(out[k]) - 8.0 * tokens[k / width] - double(hp[k])));
  std::printf("%d rows of %d, largest error %.1e\n", length, width, worst);
  return worst < 1e-4 ? 0 : 1;
}
