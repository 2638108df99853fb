#include <tg/analysis/roofline.hpp>

#include <doctest/doctest.h>

#include <tg/analysis/device_table.hpp>

using namespace tg::analysis;

namespace { constexpr roofline simple{10, 1000}; }

static_assert(simple.ridge() == 10);
static_assert(simple.is_memory_bound(9.9) && !simple.is_memory_bound(10));
static_assert(simple.attainable_tflops(2) == 2 && simple.attainable_tflops(100) == 10);
static_assert(simple.least_us(10e6, 500) == 1 && simple.least_us(0, 3e6) == 3);

TEST_CASE("saxpy is bound by the memory of every part, a large matrix product by no part's") {
  for (const device_figures& d : device_table) {
    CAPTURE(d.name);
    CHECK(roofline_of(d).is_memory_bound(2.0 / 12));
    CHECK_FALSE(roofline_of(d, &tensor_peaks::bf16).is_memory_bound(8192.0 / 3));
  }
}
