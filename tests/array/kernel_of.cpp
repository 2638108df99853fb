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

TEST_CASE("accesses of dense arrays are proved, and no two threads race") {
  tg::device gpu;
  constexpr std::int64_t rows = 1024, columns = 512;
  const tg::array<float, 2> x(gpu, {rows, columns}), z(gpu, {rows, columns});
  const tg::array<float, 1> w(gpu, {columns}), line(gpu, {rows * columns + 3});
  const tg::array<tg::bf16, 2> half(gpu, {rows, columns});
  tg::array<float, 2> y(gpu, x.shape()), second(gpu, x.shape());
  tg::array<float, 1> of_rows(gpu, {rows}), of_columns(gpu, {columns}), out(gpu, line.shape());
  tg::array<tg::bf16, 2> half_y(gpu, x.shape());
  tg::array<int, 1> places(gpu, {rows});
  tg::array<float, 0> total(gpu, {});
  int kernels = 0;
  const auto check = [&](const tg::expression_kernel& own) {
    CAPTURE(kernels++);
    for (const tg::access& a : tg::trace(own).accesses) {
      // Rows of parts in shared memory are numbers of the recording: they are judged there.
      if (a.is_shared) CHECK(a.verdict != tg::verdict::gather);
      else CHECK(a.verdict == tg::verdict::proved);
    }
    const auto proofs = tg::analyze(own);
    CHECK(proofs.refuted().empty());
    for (const auto& f : proofs.with(tg::answer::unknown)) MESSAGE(f.fact);
    CHECK(proofs.with(tg::answer::unknown).empty());
  };
  check(tg::kernel_of(tg::into(out) = line * 0.5f + line));
  check(tg::kernel_of(tg::into(y) = tg::relu(x * w + w)));
  check(tg::kernel_of(tg::into(half_y) = tg::cast<tg::bf16>(tg::cast<float>(half) * 2.0f)));
  check(tg::kernel_of(tg::into(y) = tg::where(x > z, x, z)));
  check(tg::kernel_of(tg::into(y) = tg::expand<1>(of_rows) * tg::expand<0>(w)));
  check(tg::kernel_of(tg::into(of_rows) = tg::sum<1>(x)));
  check(tg::kernel_of(tg::into(of_columns) = tg::mean<0>(x)));
  check(tg::kernel_of(tg::into(places) = tg::argmax<1>(x)));
  check(tg::kernel_of(tg::into(y) = tg::log_softmax<1>(x)));
  check(tg::kernel_of(tg::into(of_rows) = tg::logsumexp<1>(x)));
  check(tg::kernel_of(tg::into(y) = x / (tg::norm<1>(x, tg::keep) + 1e-6f)));
  check(tg::kernel_of(tg::into(y) = (x - tg::mean<1>(x, tg::keep)) * tg::rsqrt(tg::variance<1>(x, tg::keep) + 1e-5f) * w));
  check(tg::kernel_of(tg::into(y) = x + z, tg::into(second) = x - z, tg::into(of_rows) = tg::mean<1>(x)));
  check(tg::kernel_of(tg::into(y) = tg::where(tg::index_of<0>(x) >= tg::index_of<1>(x), x, 0.0f)));
  check(tg::kernel_of(tg::into(y) = tg::uniform(x, 3)));
  check(tg::kernel_of(tg::into(total) = tg::sum(x(tg::range(0, 4), tg::full_extent))));
}
