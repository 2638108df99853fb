// What is known of each kernel of the registry before it runs: sectors of global memory and wavefronts of shared memory beside
// the least that its accesses can have, what is proved of it, registers and occupancy on an H100, and how long its text takes.
// The rows sum up: answers that are open, accesses that are allowed to be worse, the longest way to a text beside a
// millisecond.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include <bench/report.hpp>
#include <registry/registry.hpp>
#include <tg/dsl/kernel/lower.hpp>
#include <tg/explain.hpp>

namespace {

/// Median of some warm runs.
template <class F> double median_us(F&& work) {
  std::vector<double> times;
  for (int run = 0; run < 21; ++run) {
    const auto start = std::chrono::steady_clock::now();
    work();
    times.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
  }
  std::nth_element(times.begin(), times.begin() + 10, times.end());
  return times[10];
}

struct totals {
  std::uint64_t sectors = 0, least_sectors = 0, wavefronts = 0, least_wavefronts = 0;
  std::size_t answers = 0, unknown = 0, refuted = 0, accesses = 0, allowed = 0, kernels = 0;
  double longest_us = 0;
  std::string longest;
};

}  // namespace

int main() {
  tg::dynamic_array<tg::index_row> table;
  totals all;
  registry::each([&](const auto& row) {
    const tg::explanation e = tg::explain(row.kernel, "H100");
    table.push_back(tg::to_index_row(e, ""));
    const tg::index_row& own = table.back();
    all.sectors += own.sectors, all.least_sectors += own.ideal_sectors;
    all.wavefronts += own.wavefronts, all.least_wavefronts += own.ideal_wavefronts;
    all.answers += own.proved + own.refuted + own.unknown;
    all.unknown += own.unknown, all.refuted += own.refuted;
    for (const tg::explained_access& access : e.accesses) all.accesses += access.instructions.size();
    all.allowed += e.bad_accesses();
    ++all.kernels;
    const double us = median_us([&] { tg::lower(row.kernel); });
    if (us > all.longest_us) all.longest_us = us, all.longest = own.kernel;
  });
  std::printf("%s", tg::to_text(table).c_str());
  bench::report report("static");
  const auto count = [](auto n) { return static_cast<double>(n); };
  const std::string of_all = "all " + std::to_string(all.kernels) + " kernels, ";
  report.add({of_all + "sectors", count(all.sectors), count(all.least_sectors), "the least", "sectors"});
  report.add({of_all + "wavefronts", count(all.wavefronts), count(all.least_wavefronts), "the least", "wavefronts"});
  report.add({of_all + "allowed accesses", count(all.allowed), count(all.accesses), "all accesses", "accesses"});
  report.add({of_all + "refuted answers", count(all.refuted), count(all.answers), "all answers", "answers"});
  report.add({of_all + "unknown answers", count(all.unknown), count(all.answers), "all answers", "answers"});
  report.add({"the longest way to a text, " + all.longest, all.longest_us, 1000, "a millisecond", "us"});
  return report.finish();
}
