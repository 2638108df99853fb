#include <kernels/q8_1.hpp>

#include <doctest/doctest.h>

#include <kernels/reference/q8_1.hpp>
#include <tg/dsl/proof/analyze.hpp>

#include "inputs.hpp"
#include "ledger.hpp"

using namespace tg::kernels;

namespace {

constexpr unsigned sizes[] = {32, 64, 992, 1024, 1056, 2048, 32 * 97};

/// Half a unit of the last place of an f16, or of its smallest numbers, and a few roundings to float.
double f16_error(double x) { return std::abs(x) * (0x1p-11 + 0x1p-20) + 0x1p-25; }

/// Groups of all kinds: random, of one sign, zeros, far apart, too small for f16.
std::vector<float> groups(inputs::generator& random, unsigned n) {
  auto x = random.floats(n, -3, 3);
  for (unsigned i = 0; i < n; ++i) {
    const unsigned kind = i / 32 % 6;
    x[i] = kind == 1 ? std::abs(x[i]) : kind == 2 ? 0.0f : kind == 3 ? x[i] * (i % 32 == 7 ? 1e3f : 1e-3f) : x[i];
    if (kind == 4) x[i] *= 1e-30f;
  }
  return x;
}

}  // namespace

TEST_CASE("numbers are quantised in groups of 32") {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned n : sizes) {
    INFO("seed ", random.seed, ", n ", n);
    const auto x = groups(random, n);
    auto on_x = gpu.upload(x);
    auto on_q = gpu.upload(std::vector<std::int8_t>(n + 4, inputs::poison<std::int8_t>()));
    const tg::f16x2 untouched{tg::f16(-7.0), tg::f16(-9.0)};
    auto on_ds = gpu.upload(std::vector<tg::f16x2>(n / 32 + 1, untouched));
    gpu.launch(quantize_q8_1, tg::cover(n / 4), on_x, on_q, on_ds, n);
    const auto q = on_q.to_host();
    const auto ds = on_ds.to_host();
    for (unsigned i = n; i < n + 4; ++i) CHECK(inputs::is_poison(q[i]));
    CHECK(ds.back() == untouched);
    for (unsigned g = 0; g < n / 32; ++g) {
      CAPTURE(g);
      const std::span<const float> own(&x[g * 32], 32);
      const auto wanted = reference::quantize_q8_1(own);
      CHECK(std::abs(double{ds[g].low} - wanted.d) <= f16_error(wanted.d));
      double sum = 0;
      for (unsigned j = 0; j < 32; ++j) {
        const double exact = wanted.d > 0 ? own[j] / wanted.d : 0;
        sum += wanted.d * q[g * 32 + j];
        CHECK(std::abs(q[g * 32 + j] - exact) <= 0.5 + 127 * 4 * inputs::unit_roundoff);
        if (std::abs(std::abs(exact - std::trunc(exact)) - 0.5) > 1e-3) CHECK(int{q[g * 32 + j]} == wanted.q[j]);
      }
      CHECK(std::abs(double{ds[g].high} - sum) <= f16_error(sum));
    }
  }
}

TEST_CASE("nothing is refuted of the quantisation, and it costs what the compiler says") {
  const auto found = tg::analyze(quantize_q8_1);
  INFO(found.text());
  CHECK(found.refuted().empty());
  CHECK(found.race_free());
  CHECK(found.barriers_met());

  tg::device gpu;
  if (!gpu.is_emulated()) return;
  ledger counted(quantize_q8_1);
  auto x = gpu.zeros<float>(5000);
  auto q = gpu.zeros<std::int8_t>(5120);
  auto ds = gpu.zeros<tg::f16x2>(160);
  counted.count([&] { gpu.launch(quantize_q8_1, tg::grid(4), x, q, ds, 4096u); });
  counted.count([&] { gpu.launch(quantize_q8_1, tg::grid(4), x.part(4, 4096), q.part(16, 4096), ds.part(4, 128), 4096u); });
  for (const auto& mismatch : counted.mismatches(edges::clamped)) FAIL_CHECK(mismatch);
}
