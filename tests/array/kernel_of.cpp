#include <tg/array/kernel_of.hpp>

#include <string>

#include <tg/dsl/cost/cost.hpp>
#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/dsl/kernel/trace.hpp>
#include <tg/dsl/proof/analyze.hpp>

#include "arrays.hpp"

TEST_CASE("the kernel of an expression has a text, a cost and proofs, and nothing is computed") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {64, 1024});
  tg::array<float, 2> y(gpu, {64, 1024});
  y = 7.0f;
  const auto own = tg::kernel_of(tg::into(y) = tg::softmax<1>(x * 0.5f));
  const std::string text = tg::to_ptx(own);
  CHECK(text.find(".entry array_rows") != text.npos);
  CHECK(text.find("ld.global.nc.v4.f32") != text.npos);
  CHECK(text.find("st.global.v4.f32") != text.npos);
  CHECK(own.blocks() == 64);
  CHECK(own.floor_bytes() == 2 * 64 * 1024 * 4);
  const auto cost = tg::cost(own, static_cast<std::uint64_t>(own.blocks()));
  CHECK(cost.bytes == static_cast<std::uint64_t>(own.floor_bytes()));
  for (const tg::access& a : tg::trace(own).accesses) CHECK(a.verdict == tg::verdict::proved);
  CHECK(tg::analyze(own).verdicts().size() > 0);
  CHECK(tg::analyze(own).with(tg::answer::unknown).empty());
  CHECK(tg::analyze(own).refuted().empty());
  CHECK(y.to_host()[5] == 7.0f);
}

TEST_CASE("what broadcasts counts once in the floor") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {64, 1024});
  const tg::array<float, 1> w(gpu, {1024});
  tg::array<float, 2> y(gpu, {64, 1024});
  CHECK(tg::kernel_of(tg::into(y) = x * w + w).floor_bytes() == 2 * 64 * 1024 * 4 + 1024 * 4);
}
