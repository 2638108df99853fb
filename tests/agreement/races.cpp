// What the analysis refutes, the emulator's checkers find when the kernel runs; of clean twins both are silent.
#include <doctest/doctest.h>

#include <numeric>
#include <vector>

#include <tg/dsl/proof/analyze.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/launch/finding.hpp>
#include <tg/emulator/launch/launch_shape.hpp>
#include <tg/tg.hpp>

namespace {

using namespace tg::literals;

/// Whether the checkers find anything when two blocks of `kernel` run.
template <class K> bool is_found(const K& kernel) {
  tg::device gpu("emulator");
  std::vector<float> different(256);  // equal stores of two blocks are no race that shows
  std::iota(different.begin(), different.end(), 1.0f);
  auto x = gpu.upload(different), y = gpu.upload(std::vector<float>(256, 0.0f));
  tg::emulator::take_findings();
  tg::emulator::set_launch_options({.check = tg::emulator::check::checkers::all()});
  try {
    gpu.launch(kernel, tg::grid(2), x, y, 100u);
    (void)y.to_host();
  } catch (const tg::error& e) {
    INFO(e.what());
    CHECK(e.number() / 100 == 4);
  }
  tg::emulator::set_launch_options({});
  return !tg::emulator::take_findings().empty();
}

template <class Statements> void check(bool is_faulty, Statements statements) {
  const auto kernel = tg::kernel<"planted">(
      tg::block<64>, [=](auto b, tg::in<float> x, tg::inout<float> y, tg::scalar<unsigned> n) { statements(b, x, y, n); });
  const auto answers = tg::analyze(kernel);
  INFO(answers.text());
  CHECK(answers.refuted().empty() == !is_faulty);
  CHECK(is_found(kernel) == is_faulty);
}

}  // namespace

TEST_CASE("the analysis and the emulator agree on planted faults and their twins") {
  for (const bool is_faulty : {true, false}) {
    CAPTURE(is_faulty);
    const auto meet = [=](const auto& b) {
      if (!is_faulty) b.sync();
    };
    check(is_faulty, [=](auto b, auto x, auto y, auto) {
      const auto tile = tg::shared<float>(tg::shape<64>);
      tile(b.thread.x) = x(b.thread.x);
      meet(b);
      y(b.global_index()) = tile(63_c - b.thread.x);
    });
    check(is_faulty, [=](auto b, auto x, auto y, auto) {
      const auto tile = tg::shared<float>(tg::shape<64>);
      tg::var<float> sum = 0.0f;
      tg::for_(tg::range(3_c), [&](auto i) {
        tile(b.thread.x) = x(i * 64_c + b.thread.x);
        b.sync();
        sum += tile(63_c - b.thread.x);
        meet(b);
      });
      y(b.global_index()) = sum;
    });
    check(is_faulty, [=](auto b, auto x, auto y, auto n) {
      const auto inside = b.global_index() < n;
      if (!is_faulty) b.sync();
      tg::if_(inside, [&] {
        if (is_faulty) b.sync();
        y(b.global_index()) = x(b.global_index());
      });
    });
    check(is_faulty, [=](auto b, auto, auto y, auto) {
      const auto tile = tg::shared<float>(tg::shape<64>);
      if (!is_faulty) tile(b.thread.x) = 1.0f;
      y(b.global_index()) = tile(b.thread.x);
    });
    check(is_faulty, [=](auto b, auto x, auto y, auto) {
      if (is_faulty) y(b.thread.x) = x(b.global_index());
      else y(b.global_index()) = x(b.global_index());
    });
  }
}
