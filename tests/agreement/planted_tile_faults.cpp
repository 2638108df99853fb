#include "planted_tile_faults.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <set>

using namespace planted_tiles;

namespace {

const compiled_fault compiled_faults[] = {
    {"cp.async: a wait that waits for no group", "TG143_wait_for_nothing"},
    {"cp.async: a loop that leaves more groups than it found", "TG145_loop_commits_more"},
    {"cp.async: a stage that is read under way", "TG146_stage_under_way"},
    {"ring: a stage that is read by its number", "TG146_stage_of_a_ring"},
    {"ring: a stage of warps that a thread releases", "TG147_released_by_threads"},
    {"mbarrier: no arrivals", "TG147_arrivals_of_none"},
    {"mbarrier: a number past the last, a constant", "TG147_barrier_past_the_end"},
    {"mbarrier: bytes by hand in place of copies", "TG147_expected_bytes"},
    {"bulk store: a wait that waits for no group", "TG143_bulk_wait_for_nothing"},
    {"bulk copy: a tile with a swizzle", "TG148_swizzled_tile"},
    {"bulk copy: a place that is no multiple of 16 bytes", "TG203_bulk_copy_of_odd_place"},
    {"tensor map: rows longer than the swizzle", "TG149_rows_beyond_the_swizzle"},
    {"tensor map: a box of 512", "TG149_box_of_512"},
    {"tensor copy: fewer rows than the box", "TG150_rows_of_the_box"},
    {"tensor copy: a tile without the map's swizzle", "TG150_tile_without_swizzle"},
    {"tensor copy: from a map that is written", "TG150_copy_from_out_map"},
    {"wgmma: another swizzle than the tile's", "TG151_wrong_swizzle"},
    {"wgmma: a pitch", "TG151_pitch"},
    {"wgmma: a part of lines", "TG151_part_of_lines"},
    {"wgmma: sums that are read under way, by type", "TG152_sums_read_too_early"},
    {"wgmma: sums that are kept", "TG152_sums_kept"},
    {"wgmma: a loop that leaves more groups than it found", "TG152_loop_adds_groups"},
    {"wgmma: operands of other depths", "TG153_depths_differ"},
    {"wgmma: half a warpgroup", "TG153_half_a_warpgroup"},
    {"cluster: a block that is in none", "TG154_no_cluster"},
    {"roles: warps that are left over", "TG199_warps_left_over"},
    {"roles: more registers than the block has", "TG199_too_many_registers"},
    {"tile: a stage that is assigned", "TG105_stage_assigned"},
    {"tile: an element by row and column of a tile in registers", "TG116_element_of_tile"},
    {"tile: tiles of other extents", "TG602_other_extents"},
    {"tile: a whole view beside a tile", "TG605_view_beside_tile"},
    {"tile: tiles that are spread otherwise", "TG604_other_spread"},
    {"tile: a product summed where its sums do not lie", "TG608_other_sums"},
};

/// What no proof finds so far: a thread that waits for another's copy, blocks of a cluster and what they do to each other are
/// not followed. The answers must be open, and the emulator must see the fault.
const std::set<std::string> found_when_they_run = {
    "mbarrier: a wait of one warp of two",
    "roles: a second filling that is not waited for",
    "cluster: no barrier in front of a read of the other block",
    "cluster: a barrier of the block in front of such a read",
    "cluster: an arrival that releases nothing in front of such a read",
    "cluster: a tile that is written while the other block reads it",
    "cluster: a write to the other block while it reads its tile",
    "cluster: two blocks that write to one tile",
    "cluster: a block that ends while the other reads it",
    "multicast: bytes that a block does not expect",
    "multicast: barriers that may not be made yet",
    "multicast: no wait",
};

/// What runs without a finding of the emulator. It takes a fence in the thread that copies for one of the threads that wrote,
/// which the PTX ISA leaves open and the analysis does not; and it does not follow when an mbarrier is made.
const std::set<std::string> not_seen_when_they_run = {
    "bulk copy: fence.proxy.async behind the barrier",
    "bulk store: fence.proxy.async behind the barrier",
    "bulk store: fence.proxy.async of the storing thread alone",
    "tensor store: fence.proxy.async behind the barrier",
    "wgmma: fence.proxy.async behind the barrier",
    "mbarrier: used before the threads met behind its making",
};

struct counts { int compiled = 0, recorded = 0, launched = 0, refuted = 0, only_run = 0, seen = 0, run = 0; };

void judge_all(const std::vector<fault>& faults, counts& n, std::set<std::string>& names) {
  for (const fault& f : faults) {
    CAPTURE(f.name);
    CHECK(names.insert(f.name).second);
    const verdict bad = f.judge(true);
    const bool is_open = found_when_they_run.contains(f.name);
    const char* how = !bad.refused.empty() ? (bad.is_at_launch ? "at launch" : "recorded") : "refuted";
    if (is_open) how = "when it runs";
    std::printf("%-12s %-70s %s\n", how, f.name,
                bad.has_run ? (bad.seen.empty() ? "not seen by the emulator" : "seen by the emulator") : "does not run");
    CAPTURE(bad.refused);
    CAPTURE(bad.refuted);
    CAPTURE(bad.seen);
    CHECK(bad.is_found() != is_open);
    if (is_open) CHECK((bad.unknown != 0 && !bad.seen.empty()));
    if (bad.has_run) CHECK(bad.seen.empty() == not_seen_when_they_run.contains(f.name));
    ++(is_open ? n.only_run : bad.refused.empty() ? n.refuted : bad.is_at_launch ? n.launched : n.recorded);
    n.run += bad.has_run;
    n.seen += !bad.seen.empty();

    const verdict twin = f.judge(false);
    CHECK_MESSAGE(twin.refused == "", "the clean twin");
    CHECK_MESSAGE(twin.refuted == "", "the clean twin");
    CHECK_MESSAGE(twin.seen == "", "the clean twin");
    CHECK(twin.has_run);
  }
}

}  // namespace

TEST_CASE("planted faults of kernels of tiles are found before they run, their clean twins are not accused") {
  counts n;
  std::set<std::string> names;
  for (const compiled_fault& f : compiled_faults) {
    CAPTURE(f.pair);
    CHECK(names.insert(f.name).second);
    // The pair itself is compiled by tests/compile_fail/run.py: the wrong half must fail with its code.
    CHECK(std::filesystem::exists("tests/compile_fail/" + std::string(f.pair) + ".cpp"));
    std::printf("%-12s %-70s %.5s\n", "compiler", f.name, f.pair);
    ++n.compiled;
  }
  for (const auto& faults : {faults_of_copies(), faults_of_barriers(), faults_of_tensors(), faults_of_products(),
                             faults_of_clusters(), faults_of_tiles()})
    judge_all(faults, n, names);
  std::printf(
      "%d refused by the compiler, %d while recorded, %d at launch, %d refuted; of %d that ran the emulator sees %d; %d are "
      "found when they run only\n",
      n.compiled, n.recorded, n.launched, n.refuted, n.run, n.seen, n.only_run);
  CHECK(n.recorded + n.launched + n.refuted >= 40);
  CHECK(n.only_run == static_cast<int>(found_when_they_run.size()));
}
