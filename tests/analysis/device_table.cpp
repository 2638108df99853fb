#include <tg/analysis/device_table.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>

using namespace tg::analysis;

static_assert(find_device("H200")->memory_gb_per_s > find_device("H100")->memory_gb_per_s);
static_assert(find_device("RTX 4090")->sm == 89 && find_device("B300") == nullptr);

namespace {

// Lanes of each multiprocessor that take an f32 fma in one clock.
int f32_lanes(int sm) { return sm == 80 ? 64 : 128; }

std::string complaint(const device_figures& d) {
  if (d.source.empty()) return "no source";
  const double peak = d.multiprocessors * f32_lanes(d.sm) * 2.0 * d.boost_mhz * 1e-6;
  if (std::abs(peak / d.f32_tflops - 1) > 0.01) return "f32 peak does not follow from lanes and clock";
  const multiprocessor& m = d.multiprocessor;
  if (m.threads % 32 != 0 || m.shared_opt_in_bytes != m.shared_bytes - 1024) return "impossible multiprocessor";
  if (d.tensor.f16 != d.tensor.bf16 || d.tensor.f16 < 2 * d.tensor.tf32 * 0.97) return "tensor peaks do not double";
  return "";
}

}  // namespace

TEST_CASE("each row of the device table agrees with itself") {
  CHECK(device_table.size() == 7);
  for (const device_figures& d : device_table) {
    CAPTURE(d.name);
    CHECK(complaint(d) == "");
    CHECK(std::ranges::count(device_table, d.name, &device_figures::name) == 1);
  }
}

TEST_CASE("a wrong figure of the device table is noticed") {
  device_figures d = *find_device("H100");
  d.multiprocessors = 114;
  CHECK(complaint(d) != "");
  d = *find_device("H100");
  d.tensor.f16 = 494;
  CHECK(complaint(d) != "");
}
