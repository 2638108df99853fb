#include <tg/dsl/kernel/lower.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/dsl/value/let.hpp>

namespace {

constexpr auto saxpy = tg::kernel<"saxpy">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
      auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = a * x(i) + y(i); });
    });

}  // namespace

TEST_CASE("a kernel becomes PTX with its own fma, block size and accesses") {
  const auto k = tg::lower(saxpy);
  CHECK(k.ptx == tg::to_ptx(saxpy));
  CHECK(k.ptx.find(".entry saxpy(") != std::string::npos);
  CHECK(k.ptx.find(".reqntid 256, 1, 1") != std::string::npos);
  CHECK(k.ptx.find("fma.rn.f32") != std::string::npos);
  CHECK(k.ptx.find("ld.global.nc.f32") != std::string::npos);
  int reads = 0;
  int writes = 0;
  for (const auto& i : k.module.functions[0].body) {
    if (i.access == tg::ptx::no_index) continue;
    REQUIRE(i.access < k.accesses.size());
    (k.accesses[i.access].is_write ? writes : reads)++;
  }
  CHECK(reads == 2);
  CHECK(writes == 1);
}
