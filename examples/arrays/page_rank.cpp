// PageRank by gathers: each page takes the rank of those that link to it, from a table of its links padded with a page of rank
// zero.
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  tg::device gpu;
  const int pages = 200, most = 4;  // page p is linked from p - 1, p / 2 and, where it is a multiple of 10, from all of 1 to 2
  std::vector<int> from(pages * most, pages);
  std::vector<float> links(pages + 1, 0.0f);
  for (int p = 0; p < pages; ++p) {
    int k = 0;
    const auto link = [&](int q) {
      from[static_cast<std::size_t>(p * most + k++)] = q, links[static_cast<std::size_t>(q)] += 1;
    };
    link((p + pages - 1) % pages);
    link(p / 2);
    if (p % 10 == 0) link(1), link(2);
  }
  for (float& n : links) n = std::max(n, 1.0f);
  const tg::array<int, 2> sources(gpu, {pages, most}, from);
  const tg::array<float, 1> out(gpu, links);
  tg::array<float, 1> rank(gpu, std::vector<float>(pages + 1, 1.0f / pages));
  rank(pages) = 0.0f;
  tg::array<float, 1> next(gpu, {pages});
  for (int step = 0; step < 60; ++step) {
    next = tg::sum<1>(tg::take(rank, sources) / tg::take(out, sources)) * 0.85f + 0.15f / pages;
    rank(tg::range(0, pages)) = next;
  }
  const float all = tg::eval(tg::sum(next)).item();
  std::printf("page %d has the highest rank; all ranks add up to %.4f\n", tg::eval(tg::argmax(next)).item(),
              static_cast<double>(all));
  return std::abs(all - 1) < 1e-3f ? 0 : 1;
}
