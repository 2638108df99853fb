// Faults planted into kernels of tiles, and who finds them: the C++ compiler, the recording, the launch, or `tg::analyze`
// before it. Whether the emulator's checkers, which share no code with the analysis, see them when the kernel runs is noted
// beside it. Each fault has a clean twin of which nobody may say anything.
#pragma once

#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include <tg/dsl/proof/analyze.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/launch/finding.hpp>
#include <tg/emulator/launch/launch_shape.hpp>
#include <tg/tg.hpp>

namespace planted_tiles {

/// What is said of one kernel; what is not said is empty.
struct verdict {
  std::string refused = {};   // while it was recorded or launched: the error
  bool is_at_launch = false;  // the launch refused it
  std::string refuted = {};   // by the analysis: the first answer
  std::size_t unknown = 0;    // questions that the analysis leaves open
  bool has_run = false;
  std::string seen = {};  // by the emulator's checkers: the first finding

  bool is_found() const { return !refused.empty() || !refuted.empty(); }
};

/// One row: a fault or its clean twin is planted by the argument.
struct fault {
  const char* name;
  std::function<verdict(bool is_faulty)> judge;
};

/// A fault that the C++ compiler refuses: the pair of that name in tests/compile_fail.
struct compiled_fault {
  const char* name;
  const char* pair;
};

/// Buffers that every launch has.
struct buffers {
  tg::device gpu{"emulator"};
  static constexpr std::size_t elements = std::size_t{1} << 14;
  tg::buffer<float> x = gpu.upload(counting<float>()), y = gpu.upload(std::vector<float>(elements, 0.0f));
  tg::buffer<unsigned> u = gpu.upload(counting<unsigned>());

  template <class T> static std::vector<T> counting() {
    std::vector<T> out(elements);
    for (std::size_t i = 0; i < elements; ++i) out[i] = static_cast<T>(i + 1);
    return out;
  }
};

/// Analyses the kernel that `make()` gives and runs it under all checkers, with several orders of warps, until one of them
/// finds something. `launch(buffers, kernel)` launches it.
template <class Make, class Launch> verdict judge(Make make, Launch launch) {
  verdict out;
  try {
    const auto kernel = make();
    const auto answers = tg::analyze(kernel);
    out.unknown = answers.unknown().size();
    if (!answers.refuted().empty()) out.refuted = answers.refuted().front().text();
    for (const std::uint64_t seed : {0, 1, 7, 11}) {
      buffers with;
      tg::emulator::take_findings();
      tg::emulator::set_launch_options(
          {.check = tg::emulator::check::checkers::all(), .watchdog_instructions = 1 << 20, .seed = seed});
      try {
        launch(with, kernel);
        (void)with.y.to_host();
        out.has_run = true;
      } catch (const tg::error& e) {
        if (e.number() / 100 != 4) out.refused = e.what(), out.is_at_launch = true;
        else out.seen = e.what(), out.has_run = true;
      }
      tg::emulator::set_launch_options({});
      if (const auto found = tg::emulator::take_findings(); out.seen.empty() && !found.empty())
        out.seen = to_text(found.front());
      if (!out.seen.empty() || !out.refused.empty()) break;
    }
  } catch (const tg::error& e) { out.refused = e.what(); }
  return out;
}

/// A kernel of lanes: `statements(block, x, y, u, n)`, blocks of `Block`, a grid of `grid` blocks, n = 9.
template <class Block, class Statements> verdict judge_lanes(Statements statements, unsigned grid = 1) {
  return judge(
      [&] {
        return tg::kernel<"planted">(Block{}, [=](auto block, tg::in<float> x, tg::inout<float> y, tg::inout<unsigned> u,
                                                  tg::scalar<unsigned> n) { statements(block, x, y, u, n); });
      },
      [=](buffers& b, const auto& kernel) { b.gpu.launch(kernel, tg::grid(grid), b.x, b.y, b.u, 9u); });
}

std::vector<fault> faults_of_copies();
std::vector<fault> faults_of_barriers();
std::vector<fault> faults_of_tensors();
std::vector<fault> faults_of_products();
std::vector<fault> faults_of_clusters();
std::vector<fault> faults_of_tiles();

}  // namespace planted_tiles
