#include <kernels/sgemm.hpp>

#include <doctest/doctest.h>

#include <kernels/reference/sgemm.hpp>
#include <tg/dsl/proof/analyze.hpp>

#include "inputs.hpp"
#include "ledger.hpp"

using namespace tg::kernels;

namespace {

constexpr auto plain = [](auto sum, const auto&) { return sum; };
constexpr auto scaled = [](auto sum, const auto& at, auto alpha, auto beta) { return alpha * sum + beta * at.old(); };
constexpr auto biased = [](auto sum, const auto& at, auto bias) { return tg::max(sum + bias(at.column), 0.0f); };

constexpr auto product = sgemm<128, 128>(plain);
constexpr auto update = sgemm<128, 256, tg::multiple_of<4>, tg::scalar<float>, tg::scalar<float>>(scaled);
constexpr auto layer = sgemm<128, 128, tg::multiple_of<1>, tg::in<float>>(biased);

/// Random matrices between poison, on a device, and A * B. Rows of A and B begin at multiples of `align` elements.
struct problem {
  unsigned m, n, k;
  std::vector<float> a, b, c;
  inputs::rows<float> on_a, on_b, on_c;
  reference::product exact = reference::multiply(a, b, m, n, k);

  problem(tg::device& gpu, inputs::generator& random, unsigned m, unsigned n, unsigned k, unsigned align, unsigned gap)
      : m(m),
        n(n),
        k(k),
        a(random.floats(m * k)),
        b(random.floats(k * n)),
        c(random.floats(m * n)),
        on_a(gpu, a, m, k, (k + align - 1) / align * align + align * gap),
        on_b(gpu, b, k, n, (n + align - 1) / align * align + align * gap),
        on_c(gpu, c, m, n, n + gap) {}

  void forget_c(tg::device& gpu, unsigned gap) { on_c = inputs::rows<float>(gpu, m, n, n + gap); }

  template <class K, class... Extra> void launch(tg::device& gpu, const K& kernel, const Extra&... extra) {
    gpu.launch(kernel, sgemm_grid(kernel, m, n), on_a.matrix(), on_b.matrix(), on_c.matrix(), m, n, k, extra...);
  }

  /// By how much an element leaves its bound; `finish(i)` makes what an element should be and the bound in unit
  /// roundoffs.
  template <class Finish> double excess(Finish finish) const {
    std::vector<double> wanted(m * n), bound(m * n);
    for (std::size_t i = 0; i < wanted.size(); ++i) {
      const auto [result, units] = finish(i);
      wanted[i] = result;
      bound[i] = units * inputs::unit_roundoff;
    }
    const auto got = on_c.to_host();
    return inputs::largest_excess(std::span<const float>(got), std::span<const double>(wanted),
                                  [&](std::size_t i) { return bound[i]; });
  }
};

struct bounded { double result, units; };

void check_product(unsigned m, unsigned n, unsigned k) {
  tg::device gpu;
  inputs::generator random;
  const unsigned gap = (m + n + k) % 2;
  INFO("seed ", random.seed, ", m ", m, ", n ", n, ", k ", k, ", gap ", gap);
  problem p(gpu, random, m, n, k, 4, gap);
  p.forget_c(gpu, gap);
  p.launch(gpu, product);
  CHECK(p.excess([&](std::size_t i) { return bounded{p.exact.sum[i], k * p.exact.magnitude[i]}; }) <= 0);
}

void check_update(unsigned m, unsigned n, unsigned k) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", m ", m, ", n ", n, ", k ", k);
  problem p(gpu, random, m, n, k, 4, 1);
  const float alpha = random.between(-2, 2), beta = random.between(-2, 2);
  p.launch(gpu, update, alpha, beta);
  CHECK(p.excess([&](std::size_t i) {
    const double old = double(beta) * p.c[i];
    return bounded{alpha * p.exact.sum[i] + old, (k + 3) * (std::abs(alpha) * p.exact.magnitude[i] + std::abs(old))};
  }) <= 0);
}

/// The excess of max(A * B + bias + offset, 0) over its bound.
double layer_excess(unsigned m, unsigned n, unsigned k, float offset) {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed, ", m ", m, ", n ", n, ", k ", k);
  problem p(gpu, random, m, n, k, 1, 1);
  p.forget_c(gpu, 0);
  const auto bias = random.floats(n);
  p.launch(gpu, layer, gpu.upload(bias));
  return p.excess([&](std::size_t i) {
    const double add = double(bias[i % n]) + offset;
    return bounded{std::max(p.exact.sum[i] + add, 0.0), (k + 2) * (p.exact.magnitude[i] + std::abs(add))};
  });
}

template <class K> void check_accesses(const K& kernel) {
  const auto lowered = tg::lower(kernel);
  CHECK(lowered.module.sm == 80);
  for (const auto& access : lowered.accesses) {
    INFO("line ", access.where.line);
    CHECK(access.verdict == tg::verdict::proved);
    if (access.is_shared) CHECK(access.shared.ways == 1);
  }
  const tg::kernel_analysis found = tg::analyze(kernel);
  INFO(found.text());
  CHECK(found.refuted().empty());
  CHECK(found.race_free());
  CHECK(found.barriers_met());
  CHECK(found.unknown().size() * 10 < found.verdicts().size());
}

}  // namespace

TEST_CASE("a product of any size") {
  for (const unsigned m : {1u, 127u, 128u, 129u})
    for (const unsigned n : {1u, 127u, 128u, 129u}) check_product(m, n, 7 + m % 4);
  for (const unsigned k : {1u, 2u, 3u, 7u, 8u, 9u, 16u, 17u}) check_product(5, 6, k);
  check_product(256, 256, 16);
  check_product(61, 307, 101);
}

TEST_CASE("a product in wide blocks is scaled and added to what is there") {
  check_update(1, 255, 1);
  check_update(127, 257, 23);
  check_update(128, 256, 16);
  check_update(129, 1, 7);
  check_update(131, 512, 8);
}

TEST_CASE("any leading dimension, an epilogue that takes views, and an oracle that knows one from another") {
  CHECK(layer_excess(67, 301, 19, 0) <= 0);
  CHECK(layer_excess(128, 128, 8, 0) <= 0);
  CHECK(layer_excess(1, 1, 1, 0) <= 0);
  CHECK(layer_excess(131, 129, 5, 0) <= 0);
  CHECK(layer_excess(67, 301, 19, 0.001f) > 0);
}

TEST_CASE("nothing is read past the last row of a matrix, and no rows are no work") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const unsigned m = 130, n = 131, k = 13, leading_a = 16, leading_b = 132;
  const auto a = random.floats((m - 1) * leading_a + k), b = random.floats((k - 1) * leading_b + n);
  auto on_a = gpu.upload(a), on_b = gpu.upload(b);
  inputs::rows<float> on_c(gpu, m, n, n);
  gpu.launch(product, sgemm_grid(product, m, n), tg::matrix(on_a, m, k, leading_a), tg::matrix(on_b, k, n, leading_b),
             on_c.matrix(), m, n, k);
  std::vector<float> dense_a, dense_b;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (i % leading_a < k) dense_a.push_back(a[i]);
  for (std::size_t i = 0; i < b.size(); ++i)
    if (i % leading_b < n) dense_b.push_back(b[i]);
  const auto exact = reference::multiply(dense_a, dense_b, m, n, k);
  const auto got = on_c.to_host();
  CHECK(inputs::largest_excess(std::span<const float>(got), std::span<const double>(exact.sum),
                               [&](std::size_t i) { return k * inputs::unit_roundoff * exact.magnitude[i]; }) <= 0);
  gpu.launch(product, sgemm_grid(product, m, n), tg::matrix(on_a, m, k, leading_a), tg::matrix(on_b, k, n, leading_b),
             on_c.matrix(), m, n, 0u);
  CHECK(on_c.to_host() == std::vector<float>(m * n));
}

TEST_CASE("nothing is refuted, little is unknown, and no shared access meets a bank twice") {
  check_accesses(product);
  check_accesses(update);
  check_accesses(layer);
}

TEST_CASE("each access costs what the compiler says, copies of whole tiles and at the edges included") {
  tg::device gpu;
  if (!gpu.is_emulated()) return;
  constexpr unsigned m = 132, n = 160, k = 16;
  const auto check = [&](const auto& kernel, const auto& blocks, auto... extra) {
    ledger counted(kernel);
    auto a = gpu.zeros<float>(m * k + 4), b = gpu.zeros<float>(k * n + 4), c = gpu.zeros<float>(m * n + 4);
    for (const unsigned shift : {0u, 4u})
      counted.count([&] {
        gpu.launch(kernel, blocks, tg::matrix(a.part(shift, m * k), m, k, k), tg::matrix(b.part(shift, k * n), k, n, n),
                   tg::matrix(c.part(shift, m * n), m, n, n), m, n, k, extra...);
      });
    for (const auto& mismatch : counted.mismatches()) FAIL_CHECK(mismatch);
    const auto is_copy = [](const ledger_row& row) { return row.access.is_shared && row.access.parameter >= 0; };
    CHECK(std::count_if(counted.rows().begin(), counted.rows().end(), is_copy) >= 4);
  };
  check(product, sgemm_grid(product, m, n));
  check(update, sgemm_grid(update, m, n), 2.0f, 0.5f);
}
