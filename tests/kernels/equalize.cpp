#include <kernels/equalize.hpp>

#include <doctest/doctest.h>

#include <kernels/reference/equalize.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

void check(tg::device& gpu, tg::buffer<unsigned>& bins, tg::buffer<std::uint8_t>& table, const std::vector<std::uint8_t>& x) {
  std::vector<unsigned> counts(256);
  for (const std::uint8_t v : x) ++counts[v];
  const auto wanted_table = reference::equalize_table(counts);
  std::vector<std::uint8_t> wanted;
  for (const std::uint8_t v : x) wanted.push_back(wanted_table[v]);
  const auto on_x = gpu.upload(x);
  auto y = gpu.upload(std::vector<std::uint8_t>(x.size(), inputs::poison<std::uint8_t>()));
  equalize(gpu, on_x, y, bins, table, static_cast<unsigned>(x.size()));
  CHECK((y.to_host() == wanted));
  CHECK((bins.to_host() == std::vector<unsigned>(256)));
}

}  // namespace

TEST_CASE("pictures of any size; the bins are ready for the next") {
  tg::device gpu;
  inputs::generator random;
  auto bins = gpu.zeros<unsigned>(256);
  auto table = gpu.zeros<std::uint8_t>(256);
  for (const unsigned n : {1u, 2u, 15u, 16u, 17u, 4095u, 4096u, 4097u, 16385u, 40009u}) {
    INFO("seed ", random.seed, ", n ", n);
    auto x = random.bytes(n);
    check(gpu, bins, table, x);
    for (auto& v : x) v = static_cast<std::uint8_t>(60 + v % 16);  // a dark picture
    check(gpu, bins, table, x);
    check(gpu, bins, table, std::vector<std::uint8_t>(n, 200));
    x[n / 2] = 255;
    check(gpu, bins, table, x);
  }
}

TEST_CASE("tables of counts that floats cannot tell from their neighbours") {
  tg::device gpu;
  inputs::generator random;
  for (int run = 0; run < 20; ++run) {
    INFO("seed ", random.seed, ", run ", run);
    std::vector<unsigned> counts(256);
    for (unsigned& c : counts) c = random.engine() % 4 == 0 ? 0 : random.engine() % 8000000;
    const auto wanted = reference::equalize_table(counts);
    auto bins = gpu.upload(counts);
    auto table = gpu.zeros<std::uint8_t>(256);
    gpu.launch(equalize_table, tg::grid(1), bins, table);
    CHECK((table.to_host() == wanted));
  }
}
