// What is known of each kernel of the registry before it runs: sectors of global memory and wavefronts of shared memory beside
// the least that its accesses can have, what is proved of it, registers and occupancy on an H100. The rows sum up: kernels
// written in tiles have accesses that are allowed to be worse at the edges of matrices, which are counted as if they were
// always made.
#include <cstdint>
#include <cstdio>
#include <string>

#include <bench/report.hpp>
#include <registry/entry.hpp>

namespace {

struct totals {
  std::uint64_t sectors = 0, least_sectors = 0, wavefronts = 0, least_wavefronts = 0;
  std::size_t answers = 0, unknown = 0, refuted = 0, accesses = 0, allowed = 0, kernels = 0;
};

}  // namespace

int main() {
  tg::dynamic_array<tg::index_row> table;
  totals all;
  for (const auto& row : registry::entries()) {
    const tg::explanation e = row->explain("H100", 1);
    table.push_back(tg::to_index_row(e, ""));
    const tg::index_row& own = table.back();
    all.sectors += own.sectors, all.least_sectors += own.ideal_sectors;
    all.wavefronts += own.wavefronts, all.least_wavefronts += own.ideal_wavefronts;
    all.answers += own.proved + own.refuted + own.unknown;
    all.unknown += own.unknown, all.refuted += own.refuted;
    for (const tg::explained_access& access : e.accesses) all.accesses += access.instructions.size();
    all.allowed += e.bad_accesses();
    ++all.kernels;
  }
  std::printf("%s", tg::to_text(table).c_str());
  bench::report report("static");
  const auto count = [](auto n) { return static_cast<double>(n); };
  const std::string of_all = "all " + std::to_string(all.kernels) + " kernels, ";
  report.add({of_all + "sectors", count(all.sectors), count(all.least_sectors), "the least", "sectors"});
  report.add({of_all + "wavefronts", count(all.wavefronts), count(all.least_wavefronts), "the least", "wavefronts"});
  report.add({of_all + "allowed accesses", count(all.allowed), count(all.accesses), "all accesses", "accesses"});
  report.add({of_all + "refuted answers", count(all.refuted), count(all.answers), "all answers", "answers"});
  report.add({of_all + "unknown answers", count(all.unknown), count(all.answers), "all answers", "answers"});
  return report.finish();
}
