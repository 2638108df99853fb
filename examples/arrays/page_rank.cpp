// PageRank by gathers
//
// Each page takes the rank of the pages that link to it. The links are a table of page numbers with a fixed number of columns,
// padded with the number of an extra page whose rank is zero. Two gathers, a division and a sum are one kernel.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include <tg/array.hpp>

int main() {
  const int pages = 200, most = 4;  // page p is linked from p - 1 and p / 2; each tenth page from 1 and 2 as well
  std::vector<int> from(pages * most, pages);
  std::vector<float> links(pages + 1, 0.0f);
  for (int p = 0; p < pages; ++p) {
    int k = 0;
    const auto link = [&](int q) {
      from[std::size_t(p * most + k++)] = q;
      links[std::size_t(q)] += 1;
    };
    link((p + pages - 1) % pages);
    link(p / 2);
    if (p % 10 == 0) link(1), link(2);
  }
  for (float& n : links) n = std::max(n, 1.0f);

  tg::device gpu;
  const tg::array<int, 2> sources(gpu, {pages, most}, from);
  const tg::array<float, 1> out(gpu, links);
  tg::array<float, 1> rank(gpu, std::vector<float>(pages + 1, 1.0f / pages)), next(gpu, {pages});
  rank(pages) = 0.0f;
  for (int step = 0; step < 60; ++step) {
    next = tg::sum<1>(tg::take(rank, sources) / tg::take(out, sources)) * 0.85f + 0.15f / pages;
    rank(tg::range(0, pages)) = next;
  }

  const float all = tg::eval(tg::sum(next)).item();
  std::printf("page %d has the highest rank; all ranks add up to %.4f\n", tg::eval(tg::argmax(next)).item(), double(all));
  return std::abs(all - 1) < 1e-3f ? 0 : 1;
}
