// Runs a kernel of generated accesses and compares the emulator's counts with the compiler's.
#pragma once

#include <doctest/doctest.h>

#include <tests/kernels/ledger.hpp>

#include <tests/agreement/expressions.hpp>
#include <tests/ptx/text_judge.hpp>

namespace agreement {

/// What came out over all kernels of a test.
struct tally {
  int compared = 0;
  int bad = 0;  // judged bad by the compiler
};

/// Every access of the ledger costs at worst what the compiler said, and is judged bad only if it is; the text of the
/// kernel is read back as its module and assembles.
template <class Ledger>
void compare(const Ledger& ledger, tally& total, int least_sm = 75) {
  const auto& lowered = ledger.lowered();
  for (const auto& complaint : tg::ptx::test::text_complaints(lowered.module, lowered.ptx, least_sm)) FAIL_CHECK(complaint);
  for (const ledger_row& row : ledger.rows()) {
    if (row.access.is_write) continue;
    INFO(row.text());
    const bool is_shared = row.access.is_shared;
    CHECK(row.most == static_cast<std::uint32_t>(is_shared ? row.access.shared.wavefronts : row.access.global.sectors));
    // Some warp at some base is at least as cheap as the best base of the dearest warp.
    if (!is_shared) CHECK(row.least <= static_cast<std::uint32_t>(row.access.global.sectors_best));
    const bool is_bad = row.access.verdict == tg::verdict::allowed;
    if (is_bad)
      CHECK(row.most > static_cast<std::uint32_t>(is_shared ? row.access.shared.ideal_wavefronts : row.access.global.ideal_sectors));
    ++total.compared;
    total.bad += is_bad;
  }
}

}  // namespace agreement
