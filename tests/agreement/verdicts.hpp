// Kernels of which the analysis says something that the emulator's checkers judge: a faulty one and its clean twin.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include <tg/dsl/block/barrier.hpp>
#include <tg/dsl/memory/atomic_access.hpp>
#include <tg/dsl/proof/analyze.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/launch/finding.hpp>
#include <tg/emulator/launch/launch_shape.hpp>
#include <tg/tg.hpp>

namespace verdicts {

using namespace tg::literals;

/// What a launch passes.
struct launch {
  unsigned grid = 2;
  unsigned n = 100;
  unsigned long long w = 100;
  std::vector<std::uint64_t> seeds = {0, 1, 7};
};

inline constexpr std::size_t elements = std::size_t{1} << 17;

/// The kernel whose body is `statements(block, x, y, z, u, n, w)`. Elements of x are all different, those of u count up
/// from 0 in steps of 1, y and z are 0.
template <int Threads, class Statements> auto kernel_of(Statements statements) {
  return tg::kernel<"judged">(
      tg::block<Threads>, [=](auto b, tg::in<float> x, tg::inout<float> y, tg::inout<float> z, tg::inout<unsigned> u,
                              tg::scalar<unsigned> n, tg::scalar<unsigned long long> w) { statements(b, x, y, z, u, n, w); });
}

/// Whether the emulator's checkers find anything in a launch, for any of the seeds.
template <class K> bool is_found(const K& kernel, const launch& with) {
  bool out = false;
  for (const std::uint64_t seed : with.seeds) {
    tg::device gpu("emulator");
    std::vector<float> different(elements);
    std::iota(different.begin(), different.end(), 1.0f);
    std::vector<unsigned> counting(elements);
    std::iota(counting.begin(), counting.end(), 0u);
    auto x = gpu.upload(different);
    auto y = gpu.upload(std::vector<float>(elements, 0.0f)), z = gpu.upload(std::vector<float>(elements, 0.0f));
    auto u = gpu.upload(counting);
    tg::emulator::take_findings();
    tg::emulator::set_launch_options({.check = tg::emulator::check::checkers::all(), .seed = seed});
    try {
      gpu.launch(kernel, tg::grid(static_cast<int>(with.grid)), x, y, z, u, with.n, with.w);
      (void)y.to_host();
    } catch (const tg::error& e) {
      INFO(e.what());
      CHECK(e.number() / 100 == 4);
      out = true;
    }
    tg::emulator::set_launch_options({});
    for (const auto& f : tg::emulator::take_findings()) {
      (void)f;
      out = true;
    }
  }
  return out;
}

/// Whether the launch keeps to what the proofs take for granted.
inline bool keeps(const tg::assumptions& a, const launch& with) { return !a.one_block_x || with.grid == 1; }

/// The checkers find something in this launch, so not everything may be proved of it.
template <int Threads = 64, class Statements> void check_faulty(const launch& with, Statements statements) {
  const auto kernel = kernel_of<Threads>(statements);
  const auto answers = tg::analyze(kernel);
  INFO(answers.text());
  CHECK_FALSE((answers.refuted().empty() && answers.unknown().empty() && keeps(answers.assumed(), with)));
  CHECK(is_found(kernel, with));
}

/// The checkers find nothing, so nothing may be refuted; with `most_unknown` as many answers may be open.
template <int Threads = 64, class Statements>
void check_clean(const launch& with, Statements statements, std::size_t most_unknown = 0) {
  const auto kernel = kernel_of<Threads>(statements);
  const auto answers = tg::analyze(kernel);
  INFO(answers.text());
  CHECK(answers.refuted().empty());
  CHECK(answers.unknown().size() <= most_unknown);
  CHECK_FALSE(is_found(kernel, with));
}

}  // namespace verdicts
