// Generated accesses, each judged three ways that must agree: by its type while the C++ compiler runs, by the tracer
// while the kernel is recorded, and by the emulator's counters when it has run.
#pragma once

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <tg/base/dynamic_array.hpp>

#include <tests/kernels/ledger.hpp>

#include <tests/agreement/expressions.hpp>
#include <tests/ptx/text_judge.hpp>

namespace agreement {

// An access is written twice: by an index whose form the compiler judges, and by the same index as one that plain C++
// integers take part in, which only the tracer judges. The reasons of the excuses tell the two apart.
inline constexpr char compiling[] = "judged while compiling";
inline constexpr char tracing[] = "judged while tracing";
template <int Code> inline constexpr tg::allow<Code> while_compiling{compiling};
template <int Code> inline constexpr tg::allow<Code> while_tracing{tracing};

/// An index whose type says nothing.
using traced_index = tg::value<unsigned, tg::index::traced>;

/// What came out over all kernels of a test.
struct tally {
  std::map<std::string, int> kinds;  // compared
  int compared = 0;
  int bad = 0;  // judged bad by the compiler

  tally& operator+=(const tally& other) {
    for (const auto& [kind, count] : other.kinds) kinds[kind] += count;
    compared += other.compared;
    bad += other.bad;
    return *this;
  }
};

/// The access that the tracer judged in place of access `number`: groups of accesses are recorded for one judge, then
/// for the other.
inline const tg::access& traced_twin(const tg::dynamic_array<tg::access>& all, std::size_t number) {
  std::size_t begin = number, end = number;
  while (begin > 0 && all[begin - 1].reason == compiling) --begin;
  while (end < all.size() && all[end].reason == compiling) ++end;
  const tg::access& twin = all.at(number + (end - begin));
  REQUIRE(twin.reason == tracing);
  return twin;
}

/// Where one of the three says something else. Requires: launches at every base that is permitted.
inline std::string disagreement(const tg::access& traced, const ledger_row& row) {
  const tg::access& compiled = row.access;
  const bool is_shared = compiled.is_shared;
  std::string out;
  const auto differ = [&](const char* whom) { out += std::string(whom) + " disagrees on a " + row.text() + "; "; };
  bool is_traced = is_shared ? compiled.shared == traced.shared : compiled.global == traced.global;
  for (std::size_t w = 0; w < row.warps(); ++w)
    is_traced = is_traced && (is_shared ? compiled.shared_of_warp[w] == traced.shared_of_warp[w]
                                        : compiled.global_of_warp[w] == traced.global_of_warp[w]);
  if (!is_traced) differ("the tracer");
  const bool is_bad = is_shared ? !compiled.shared.good : !compiled.global.good;
  const int ideal = is_shared ? compiled.shared.ideal_wavefronts : compiled.global.ideal_sectors;
  const bool is_counted = row.adds_up() && row.most == row.compiled() && (is_shared || row.least <= row.compiled_best()) &&
                          (!is_bad || row.most > static_cast<std::uint32_t>(ideal));
  if (!is_counted) differ("the emulator");
  return out;
}

/// All three agree on every access of the ledger that two judges saw; the text of the kernel is read back as its module
/// and assembles.
template <class Ledger> void compare(const Ledger& ledger, const std::string& kind, tally& total, int least_sm = 75) {
  const auto& lowered = ledger.lowered();
  for (const auto& complaint : tg::ptx::test::text_complaints(lowered.module, lowered.ptx, least_sm)) FAIL_CHECK(complaint);
  for (const ledger_row& row : ledger.rows()) {
    if (row.access.reason != compiling) continue;
    const std::string found = disagreement(traced_twin(lowered.accesses, row.number), row);
    if (!found.empty()) FAIL_CHECK(found);
    ++total.kinds[kind + (row.access.is_shared ? ", shared " : ", global ") + (row.access.is_write ? "stores" : "loads")];
    ++total.compared;
    total.bad += row.access.is_shared ? !row.access.shared.good : !row.access.global.good;
  }
}

// The generated accesses of each kind: compared once, when they are first asked for.
const tally& global_elements();
const tally& global_vectors();
const tally& global_matrices();
const tally& shared_elements();
const tally& shared_tiles();
const tally& moved_values();
const tally& moved_matrices();
const tally& asynchronous_copies();

}  // namespace agreement
