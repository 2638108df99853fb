// Random kernels in the words of the language compute on the emulator, or with TG_DEVICE=gpu on a GPU, what they compute on
// the host.
// Exit code: 0 without a finding, 1 with one; with --plant the other way round.
#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include "judge/command_line.hpp"
#include "judge/emulate.hpp"
#include "judge/jumps.hpp"
#include "judge/language.hpp"
#include "judge/on_gpu.hpp"
#include "judge/print.hpp"
#include "judge/reduce.hpp"

namespace {

long malformed = 0;  // what the generator made that is no kernel, or has no defined result
long unordered = 0;  // what the order of threads decides: the emulator's checkers say so, a GPU may do otherwise

/// What a GPU leaves of a kernel, where the emulator's checkers have nothing against it.
std::optional<judge::emulated> on_gpu(const judge::kernel& k, const judge::launch& l, const std::string& ptx,
                                      tg::emulator::options how) {
  how.check = tg::emulator::check::checkers::all();
  const judge::emulated checked = judge::emulate(k, l, ptx, how);
  if (checked.error.empty() && checked.findings.empty()) return judge::run_on_gpu(k, l, ptx);
  ++unordered;
  return std::nullopt;
}

/// What is wrong with a kernel; empty when nothing is, or when it is no kernel.
std::string complaint_about(const judge::kernel& k, const judge::launch& l, judge::plant broken, std::uint64_t seed) {
  judge::outcome expected;
  try {
    expected = judge::host(k, l, broken)();
  } catch (const judge::malformed&) {
    ++malformed;
    return "";
  }
  if (expected.is_cut_short || !expected.missed.empty()) return "";
  if (!judge::stays_in_memory(k, expected)) {
    ++malformed;
    return "";
  }
  std::string ptx;
  try {
    judge::kernel own = k;
    ptx = judge::lowered(own).ptx;
  } catch (const judge::malformed&) {
    ++malformed;
    return "";
  } catch (const tg::error& e) { return std::string("refused: ") + e.what(); }
  tg::emulator::options how;
  how.seed = seed % 3;
  how.watchdog_instructions = std::uint64_t{1} << 22;
  how.patterns = seed / 3 % 4 != 0;
  if (seed / 12 % 8 == 0) how.check = tg::emulator::check::checkers::all();
  const auto found = gpu_machine::is_asked() ? on_gpu(k, l, ptx, how) : judge::emulate(k, l, ptx, how);
  if (!found) return "";
  if (!found->error.empty()) return "stopped: " + found->error;
  const std::string where = judge::difference(k, expected.memory, found->memory);
  return where.empty() ? "" : "differs: " + where;
}

}  // namespace

int main(int count, char** words) {
  const judge::command_line asked(count, words,
                                  {{"casts", judge::plant::casts_keep_all_bits},
                                   {"breaks", judge::plant::breaks_go_on},
                                   {"literals", judge::plant::literals_are_negative},
                                   {"terms", judge::plant::last_term_is_lost}});
  long n = 0, findings = 0;
  std::map<std::string, long> kinds;
  for (; asked.goes_on(n); ++n) {
    const std::uint64_t seed = asked.seed + static_cast<std::uint64_t>(n);
    const judge::kernel k = judge::with_jumps(judge::language(seed)(), seed, false);
    const judge::launch l = judge::language::how(k, seed);
    const std::string complaint = complaint_about(k, l, asked.broken, seed);
    if (complaint.empty()) continue;
    ++findings;
    const std::string kind = complaint.substr(0, complaint.find(':') + 8);
    if (++kinds[kind] > 3) continue;
    const judge::kernel small = judge::reduced(k, [&](const judge::kernel& less) {
      return complaint_about(less, l, asked.broken, seed).starts_with(complaint.substr(0, complaint.find(':') + 8));
    });
    std::printf("seed %llu, after %.1f s: %s\n%s// %s\n\n", static_cast<unsigned long long>(seed), asked.elapsed(),
                complaint.c_str(), judge::to_text(small, l).c_str(), complaint_about(small, l, asked.broken, seed).c_str());
    if (!asked.keeps_going) break;
  }
  std::printf("%ld kernels in %.1f s, %ld findings, %ld no kernels", n, asked.elapsed(), findings, malformed);
  if (gpu_machine::is_asked()) std::printf(", %ld that the order of threads decides", unordered);
  std::printf("\n");
  return (findings != 0) == (asked.broken != judge::plant::none) ? 0 : 1;
}
