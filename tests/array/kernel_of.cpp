#include <tg/array/kernel_of.hpp>

#include <string>

#include <tg/dsl/cost/cost.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/dsl/kernel/to_ptx.hpp>
#include <tg/dsl/kernel/trace.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/emulator.hpp>

#include "../random_seed.hpp"
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

TEST_CASE("what several views of an array share counts once in the floor") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {64, 1024});
  tg::array<float, 2> y(gpu, {64, 1022}), halves(gpu, {64, 512});
  const auto columns_from = [&](std::int64_t first) { return x(tg::range(0, 64), tg::range(first, first + 1022)); };
  const std::int64_t written = 64 * 1022 * 4;
  CHECK(tg::kernel_of(tg::into(y) = columns_from(0) + columns_from(2)).floor_bytes() == 64 * 1024 * 4 + written);
  CHECK(tg::kernel_of(tg::into(y) = columns_from(0) + columns_from(1) + columns_from(2)).floor_bytes() ==
        64 * 1024 * 4 + written);
  CHECK(tg::kernel_of(tg::into(y) = columns_from(1) * 2.0f).floor_bytes() == 64 * 1022 * 4 + written);
  // The left and the right half of each row lie between each other and share nothing.
  const auto half = [&](std::int64_t first) { return x(tg::range(0, 64), tg::range(first, first + 512)); };
  CHECK(tg::kernel_of(tg::into(halves) = half(0) + half(512)).floor_bytes() == 64 * 1024 * 4 + 64 * 512 * 4);
  CHECK(tg::kernel_of(tg::into(halves) = half(512) - 1.0f).floor_bytes() == 2 * 64 * 512 * 4);
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
  check(tg::kernel_of(tg::into(total) = tg::sum(x)));
}

TEST_CASE("no two blocks race that share a row, a column or a scan, and what one of them reads of the others is ordered") {
  tg::device gpu;
  const tg::array<float, 2> rows(gpu, {4, 1 << 17}), columns(gpu, {1 << 16, 32});
  const tg::array<double, 2> doubles(gpu, {4, 1 << 16});
  tg::array<float, 1> of_rows(gpu, {4}), of_columns(gpu, {32});
  tg::array<float, 2> sums(gpu, rows.shape());
  tg::array<double, 2> sums_of_doubles(gpu, doubles.shape());
  const tg::array<float, 1> line(gpu, {1 << 19});
  tg::array<float, 1> sums_of_line(gpu, line.shape());
  const auto check = [](const tg::expression_kernel& own) {
    CHECK(own.blocks() > 4);
    const auto proofs = tg::analyze(own);
    INFO(proofs.text());
    CHECK(proofs.refuted().empty());
    CHECK(proofs.with(tg::answer::unknown).empty());
    CHECK(proofs.assumed().counters_at_zero);
  };
  check(tg::kernel_of(tg::into(of_rows) = tg::sum<1>(rows)));
  check(tg::kernel_of(tg::into(of_rows) = tg::logsumexp<1>(rows)));
  check(tg::kernel_of(tg::into(of_columns) = tg::mean<0>(columns)));
  check(tg::kernel_of(tg::into(sums) = tg::cumsum<1>(rows)));
  check(tg::kernel_of(tg::into(sums_of_doubles) = tg::cumsum<1>(doubles)));
  check(tg::kernel_of(tg::into(sums_of_line) = tg::cumsum(line)));
}

namespace {

/// What the compiler said of the accesses of an assignment beside what the emulator counted: the widest requests to global
/// memory.
struct judged {
  int accesses = 0, too_dear = 0, reached = 0;

  template <class Assign> void run(const tg::expression_kernel& own, Assign assign) {
    const tg::lowered_kernel lowered = tg::lower(own);
    tg::emulator::count_launches(true);
    assign();
    tg::emulator::count_launches(false);
    for (const auto& i : tg::emulator::counters_of_last_launch().instructions) {
      const std::uint32_t number = lowered.module.functions[0].body.at(i.index).access;
      if (i.full_requests == 0 || number >= lowered.accesses.size()) continue;
      const tg::access& access = lowered.accesses[number];
      if (access.is_shared || access.verdict == tg::verdict::gather) continue;
      const auto said = static_cast<std::uint32_t>(access.global.sectors);
      ++accesses;
      too_dear += i.full_sectors_max > said;
      reached += i.full_sectors_max == said;
    }
  }
};

}  // namespace

TEST_CASE("no request costs more sectors than the compiler said, over random shapes and layouts, and some cost as many") {
  tg::device gpu("emulator");  // which counts
  std::mt19937 random(random_seed());
  const std::int64_t sizes[] = {32, 33, 64, 100, 128, 130, 256, 512, 1000};
  judged all;
  for (int turn = 0; turn < 60; ++turn) {
    const std::vector<std::int64_t> shape{sizes[random() % 9], sizes[random() % 9]};
    const auto how = [&] { return arrays::all_layouts[random() % 5]; };
    const arrays::on_device<float, 2> x(gpu, arrays::host(shape, 1), how()), z(gpu, arrays::host(shape, 2), how());
    const arrays::on_device<float, 1> w(gpu, arrays::host({shape[1]}, 3), how());
    arrays::on_device<float, 2> y(gpu, arrays::host(shape), how());
    arrays::on_device<float, 1> r(gpu, arrays::host({shape[0]}), how()), c(gpu, arrays::host({shape[1]}), how());
    all.run(tg::kernel_of(tg::into(y.view) = x.view * w.view + z.view), [&] { y.view = x.view * w.view + z.view; });
    all.run(tg::kernel_of(tg::into(y.view) = tg::softmax<1>(x.view) * w.view),
            [&] { y.view = tg::softmax<1>(x.view) * w.view; });
    all.run(tg::kernel_of(tg::into(r.view) = tg::sum<1>(x.view)), [&] { r.view = tg::sum<1>(x.view); });
    all.run(tg::kernel_of(tg::into(c.view) = tg::mean<0>(x.view)), [&] { c.view = tg::mean<0>(x.view); });
  }
  CHECK(all.accesses > 300);
  CHECK(all.too_dear == 0);
  CHECK(all.reached > 30);  // a claim that is one sector too low is found
}
