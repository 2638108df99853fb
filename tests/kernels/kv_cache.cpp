#include <kernels/kv_cache.hpp>

#include <vector>

#include "inputs.hpp"

using namespace tg::kernels;

TEST_CASE("rows of a paged cache: the page table makes the slots") {
  tg::device gpu;
  constexpr unsigned page = 4, width = 8, tokens = 6;
  const std::vector<int> pages{2, 0};  // of one sequence
  std::vector<int> slots;
  for (unsigned t = 0; t < tokens; ++t) slots.push_back(pages[t / page] * static_cast<int>(page) + static_cast<int>(t % page));
  std::vector<float> rows(tokens * width);
  for (std::size_t i = 0; i < rows.size(); ++i) rows[i] = static_cast<float>(i);
  auto keys = gpu.upload(rows), values = gpu.upload(rows), k = gpu.zeros<float>(12 * width), v = gpu.zeros<float>(12 * width);
  auto s = gpu.upload(slots);
  gpu.launch(kv_cache_write<float>, kv_cache_grid<float>(tokens, width), tg::matrix(keys, tokens, width, width),
             tg::matrix(values, tokens, width, width), s, tg::matrix(k, 12, width, width), tg::matrix(v, 12, width, width),
             tokens, width);
  const auto found = k.to_host();
  CHECK(found == v.to_host());
  CHECK(found[8 * width] == 0);      // token 0 is in page 2
  CHECK(found[8 * width + 9] == 9);  // token 1
  CHECK(found[0] == 4 * width);      // token 4 is in page 0
  CHECK(found[width + 3] == 5 * width + 3);
  CHECK(found[2 * width] == 0);  // nobody
}
