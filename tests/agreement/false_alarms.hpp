// Judges everyday indices of which the type of the index does not say what they cost: each is recorded without a finding, and
// its verdict is the most that the emulator counts over many values of what is not known. What is said and what is counted have
// nothing in common but the kernel.
#pragma once

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <tests/kernels/ledger.hpp>

namespace false_alarms {

using namespace tg::literals;

inline constexpr std::size_t elements = std::size_t{1} << 17;

/// What is judged of a kernel: the accesses to its first view, or the loads from its tile.
enum class place { view, tile };

/// One line of code. `launches(run)` calls `run(grid, arguments...)` for many values of what is not known.
template <class K, class Launches> void check(const char* text, place where, const K& kernel, Launches launches) {
  tg::device gpu("emulator");
  ledger counted(kernel);
  launches(gpu, [&](unsigned blocks, auto&&... arguments) {
    counted.count([&] { gpu.launch(kernel, tg::grid(blocks), arguments...); });
  });
  int rows = 0;
  for (const ledger_row& row : counted.rows()) {
    const tg::access& a = row.access;
    if (where == place::tile ? !a.is_shared || a.is_write : a.is_shared || a.parameter != 0) continue;
    ++rows;
    const auto said = row.compiled();
    std::printf("  %-64s %4u %7u\n", text, said, row.most);
    CAPTURE(std::string(text));
    CAPTURE(row.text());
    CHECK((a.verdict == tg::verdict::proved || a.verdict == tg::verdict::traced));
    CHECK((a.is_shared ? a.shared.good : a.global.good));
    CHECK(row.requests > 0);
    CHECK(row.most == said);
  }
  CHECK(rows > 0);
}

/// Divisors around the lanes of a warp, and some far from them.
inline const std::vector<unsigned>& divisors() {
  static const std::vector<unsigned> all = [] {
    std::vector<unsigned> out;
    for (unsigned u = 1; u <= 136; ++u) out.push_back(u);
    for (const unsigned u : {255u, 257u, 1000u}) out.push_back(u);
    return out;
  }();
  return all;
}

/// Calls `see` with the buffer at each place in a sector where a view may begin.
template <class T, class See> void at_each_place(tg::device& gpu, See see) {
  auto all = gpu.zeros<T>(elements);
  for (std::size_t bytes = 0; bytes < 32; bytes += 16) see(all.part(bytes / sizeof(T), elements - 64));
}

/// Numbers above and below 0 in no order.
inline std::vector<float> coins() {
  std::vector<float> out(elements);
  std::uint32_t x = 1;
  for (float& c : out) x = x * 1664525u + 1013904223u, c = (x >> 16 & 3) == 0 ? 1.0f : -1.0f;
  out[0] = -1.0f;
  return out;
}

/// Where rows of 0 to 90 elements begin.
inline std::vector<unsigned> row_starts() {
  std::vector<unsigned> out(2048);
  std::uint32_t x = 7, at = 64;
  for (unsigned& start : out) {
    start = at;
    x = x * 1664525u + 1013904223u;
    at += (x >> 16) % 91;
  }
  return out;
}

using lines = tg::out<float>;

}  // namespace false_alarms
