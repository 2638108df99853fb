// What `tg::analyze` proves or refutes of random kernels, against all pairs of threads of concrete runs, the emulator's
// checkers and counters, and an SMT solver where there is one.
// Exit code: 0 without a finding, 1 with one; with --plant the other way round.
#include <cstdio>
#include <map>
#include <optional>
#include <string>

#include "judge/accesses.hpp"
#include "judge/command_line.hpp"
#include "judge/emulate.hpp"
#include "judge/jumps.hpp"
#include "judge/print.hpp"
#include "judge/reduce.hpp"
#include "judge/verdicts.hpp"
#ifdef TG_FUZZ_Z3
#include "judge/solver.hpp"
#endif

namespace {

struct complaint {
  std::string kind;  // empty: none
  std::string text;
  judge::launch how;
};

struct tally {
  long answers[6][3] = {};
  long runs = 0, emulated = 0, costs = 0, refused = 0, malformed = 0;
} counted;

constexpr int most_steps = 150;  // of a thread: a loop up to 2^31 is cut short, what it did before counts

bool is_counting = true;  // not while a kernel is reduced

std::string said(const char* what, const judge::fault& f) {
  return std::string(what) + " " + name(f.question) + ": " + f.text + (f.has_wrapped ? ", where a sum has wrapped around" : "");
}

judge::outcome run(const judge::kernel& k, const judge::launch& l, judge::plant broken) {
  if (is_counting) ++counted.runs;
  if (broken != judge::plant::blocks_are_one) return judge::host(k, l, broken, most_steps)();
  judge::launch one = l;
  one.grid = {1, 1, 1};
  return judge::host(k, one, judge::plant::none, most_steps)();
}

/// The emulator's findings as faults.
std::vector<judge::fault> faults_of(const judge::emulated& e, bool has_wrapped, const judge::launch& l) {
  std::vector<judge::fault> out;
  for (const auto& f : e.findings) {
    judge::fault one;
    one.line = static_cast<int>(f.at.line);
    one.other = f.other ? static_cast<int>(f.other->line) : one.line;
    one.has_wrapped = has_wrapped;
    if (f.other)
      for (std::size_t axis = 0; axis < 3; ++axis) one.differs[axis] = f.at.block[axis] != f.other->block[axis];
    one.text = tg::emulator::check::sentence(f);
    const bool is_shared = f.at.instruction.find("shared") != std::string::npos;
    switch (f.kind) {
      case tg::emulator::check::checker::race:
        one.question = is_shared ? tg::question::shared_race : tg::question::global_race;
        break;
      case tg::emulator::check::checker::init: one.question = tg::question::initialized; break;
      case tg::emulator::check::checker::sync: one.question = tg::question::barrier; break;
      case tg::emulator::check::checker::memory:
        if (!is_shared) continue;
        one.question = tg::question::extents;
        break;
      default: continue;
    }
    if (one.question == tg::question::initialized && !is_shared) continue;
    out.push_back(std::move(one));
  }
  (void)l;
  return out;
}

complaint against_emulator(const judge::kernel& k, const judge::launch& l, const judge::verdicts& v, const judge::outcome& host,
                           const tg::lowered_kernel& lowered, const std::vector<judge::fault>& brute) {
  tg::emulator::options how;
  how.check = tg::emulator::check::checkers::all();
  how.watchdog_instructions = std::uint64_t{1} << 22;
  const judge::emulated e = judge::emulate(k, l, lowered.ptx, how);
  if (is_counting) ++counted.emulated;
  const bool has_wrapped =
      std::any_of(host.touches.begin(), host.touches.end(), [](const judge::touch& t) { return t.has_wrapped; });
  for (const judge::fault& f : faults_of(e, has_wrapped, l)) {
    // Behind a barrier that some threads miss, nothing is said of the others.
    if (!host.missed.empty() && f.question != tg::question::barrier) continue;
    if (v.exclude(f))
      return {std::string("proved, the emulator's checkers disagree, ") + name(f.question), said("the emulator:", f), l};
    const bool is_known =
        std::any_of(brute.begin(), brute.end(), [&](const judge::fault& b) { return b.line == f.line || b.other == f.line; });
    if (!is_known && host.missed.empty())
      return {std::string("emulator and host disagree, ") + name(f.question), said("the emulator:", f), l};
  }
  for (const auto& i : e.counters.instructions) {
    if (i.full_requests == 0) continue;
    // The most that a warp was said to need at this line, which has several accesses where it is unrolled.
    std::uint32_t said = 0;
    const bool is_shared = i.space == tg::ptx::token::shared;
    for (const tg::access& a : lowered.accesses) {
      if (static_cast<std::uint32_t>(a.where.line) != i.line || a.is_shared != is_shared) continue;
      if (a.verdict == tg::verdict::gather) continue;
      for (const auto& warp : a.shared_of_warp)
        if (is_shared) said = std::max<std::uint32_t>(said, warp.wavefronts);
      for (const auto& warp : a.global_of_warp)
        if (!is_shared) said = std::max<std::uint32_t>(said, warp.sectors);
    }
    const std::uint32_t counted_most = is_shared ? i.full_wavefronts_max : i.full_sectors_max;
    if (said == 0) continue;
    if (is_counting) ++counted.costs;
    if (counted_most > said)
      return {"static cost",
              "line " + std::to_string(i.line) + ": " + std::to_string(counted_most) +
                  (is_shared ? " wavefronts, " : " sectors, ") + std::to_string(said) + " said",
              l};
  }
  // Without a race the values are decided too.
  const bool is_racy =
      std::any_of(brute.begin(), brute.end(), [](const judge::fault& f) { return f.question != tg::question::extents; });
  const bool has_atomics =
      std::any_of(host.touches.begin(), host.touches.end(), [](const judge::touch& t) { return t.is_atomic; });
  if (e.error.empty() && !is_racy && !has_atomics)
    if (const std::string where = judge::difference(k, host.memory, e.memory); !where.empty())
      return {"values differ", where, l};
  return {};
}

/// Arguments that the analysis itself tries, which takes the largest number of a type that cannot hold one of them, and
/// grids in all directions.
std::vector<judge::launch> counter_examples(const judge::kernel& k) {
  std::vector<judge::launch> out;
  for (const judge::bits n : {1u << 20, 1u, 2u, 3u, 33u, 100u, 257u, 1000u, 0u, 16u, 64u, 0x80000000u, 0xffffffffu})
    for (const std::array<std::uint32_t, 3> grid :
         {std::array<std::uint32_t, 3>{2, 2, 2}, std::array<std::uint32_t, 3>{3, 1, 1}}) {
      out.push_back({grid, {}, n + 3});
      for (const judge::type t : k.scalars) {
        const judge::bits largest = judge::mask_of(t) >> static_cast<int>(judge::is_signed(t));
        out.back().scalars.push_back(n <= 1u << 20 ? std::min<judge::bits>(n, largest) : n & judge::mask_of(t));
      }
    }
  return out;
}

#ifdef TG_FUZZ_Z3
constexpr unsigned effort = 200000;  // steps of z3 for one question

/// Proved claims: nothing refutes them, what z3 found does not show, z3 gave up, not asked.
enum class solved { confirmed, not_shown, gave_up, not_asked };
long solved_claims[4] = {};

void count_solved(const judge::verdicts& v, const std::vector<judge::possibility>* all, const std::vector<solved>& each) {
  if (!is_counting) return;
  for (const tg::finding& f : v.all()) {
    if (f.answer != tg::answer::proved) continue;
    solved said = all == nullptr || f.question == tg::question::initialized ? solved::not_asked : solved::confirmed;
    for (std::size_t n = 0; all != nullptr && n < all->size(); ++n)
      if (said != solved::not_asked && judge::verdicts::speaks_of(f, (*all)[n].what)) said = std::max(said, each[n]);
    ++solved_claims[static_cast<int>(said)];
  }
}

/// Asks z3 for launches that refute what is proved, and for those that show what `is_open`; `see` runs them.
template <class IsOpen, class See>
complaint ask_solver(const judge::kernel& k, const judge::verdicts& v, IsOpen is_open, See see) {
  // A context keeps what it has seen, so it is made anew from time to time.
  static std::optional<z3::context> context;
  static int kernels = 0;
  if (kernels++ % 200 == 0) context.emplace();
  std::optional<judge::solver> solver;
  try {
    solver.emplace(*context, k);
  } catch (const judge::malformed&) {
    // Named barriers and the like are left to the runs.
    count_solved(v, nullptr, {});
    return {};
  }
  using wanted = judge::solver::wanted;
  const std::vector<judge::possibility> all = solver->possibilities([&](judge::fault f) {
    f.has_wrapped = true;
    if (v.exclude(f)) return wanted::any;
    f.has_wrapped = false;
    return v.exclude(f) || is_open(f) ? wanted::whole : wanted::no;
  });
  std::vector<solved> each(all.size(), solved::confirmed);
  for (const bool may_wrap : {true, false}) {
    std::vector<std::size_t> rest;
    for (std::size_t n = 0; n < all.size(); ++n)
      if (all[n].may_wrap == may_wrap) rest.push_back(n);
    for (int misses = 0; !rest.empty();) {
      using answer = judge::solver::answer;
      const answer said = misses < 3 ? solver->find(all, rest, may_wrap, effort) : answer{answer::kind::gave_up, {}, {}};
      if (said.said == answer::kind::none) break;
      if (said.said == answer::kind::gave_up) {
        for (const std::size_t n : rest) each[n] = solved::gave_up;
        break;
      }
      if (complaint c = see(said.how); !c.kind.empty()) {
        c.text += " (the launch is z3's)";
        return c;
      }
      for (const std::size_t n : said.which) {
        if (v.exclude(all[n].what)) each[n] = solved::not_shown, ++misses;
        std::erase(rest, n);
      }
      // What this launch has shown is not looked for again.
      std::erase_if(rest, [&](std::size_t n) { return !v.exclude(all[n].what) && !is_open(all[n].what); });
    }
  }
  count_solved(v, &all, each);
  return {};
}
#endif

/// `known`: what was found before, while the kernel is reduced; then only that is looked for.
complaint complaint_about(const judge::kernel& written, std::uint64_t seed, judge::plant broken,
                          const complaint* known = nullptr) {
  judge::kernel k = written;
  const bool is_seen_in_one_run = known != nullptr && !known->kind.starts_with("refuted");
  try {
    const tg::lowered_kernel lowered = judge::lowered(k);
    const bool is_for_solver = broken == judge::plant::refuted_is_proved_to_solver;
    const judge::verdicts v(k, is_for_solver || broken == judge::plant::refuted_is_proved);
    if (is_counting)
      for (const tg::finding& f : v.all()) ++counted.answers[static_cast<int>(f.question)][static_cast<int>(f.answer)];
    std::vector<judge::fault> shown;
    std::vector<judge::launch> launches;
    if (known != nullptr) launches.push_back(known->how);
    // Four of six grids; z3 tries the others.
    const std::uint64_t first_runs = is_for_solver ? 0 : broken == judge::plant::none ? 4 : 6;
    for (std::uint64_t n = 0; n < first_runs && !is_seen_in_one_run; ++n)
      launches.push_back(judge::accesses::how(k, seed, static_cast<int>((n + seed) % 6)));
    bool is_emulated = known != nullptr && known->kind.starts_with("proved, but"), is_cut_short = false, is_stuck = false;
    const auto see = [&](const judge::launch& l) -> complaint {
      const judge::outcome host = run(k, l, broken);
      is_cut_short |= host.is_cut_short;
      is_stuck |= !host.missed.empty();
      const std::vector<judge::fault> faults = judge::brute_force(k, l, host)();
      for (const judge::fault& f : faults)
        if (v.exclude(f)) return {std::string("proved, but not so, ") + name(f.question), said("", f), l};
      shown.insert(shown.end(), faults.begin(), faults.end());
      if (is_emulated || broken != judge::plant::none || host.is_cut_short || !judge::stays_in_memory(k, host)) return {};
      is_emulated = true;
      return against_emulator(k, l, v, host, lowered, faults);
    };
    for (const judge::launch& l : launches)
      if (complaint c = see(l); !c.kind.empty()) return c;
    if (is_seen_in_one_run) return {};
    const auto is_shown = [&](const tg::finding& f) {
      return std::any_of(shown.begin(), shown.end(), [&](const judge::fault& x) { return judge::verdicts::is_shown_by(f, x); });
    };
    std::vector<tg::finding> open;
    for (const tg::finding& f : v.all())
      if (f.answer == tg::answer::refuted && !is_shown(f)) open.push_back(f);
#ifdef TG_FUZZ_Z3
    if ((broken == judge::plant::none || is_for_solver) && known == nullptr) {
      const auto is_open = [&](const judge::fault& f) {
        return std::any_of(open.begin(), open.end(),
                           [&](const tg::finding& o) { return !is_shown(o) && judge::verdicts::is_shown_by(o, f); });
      };
      if (complaint c = ask_solver(k, v, is_open, see); !c.kind.empty()) return c;
    }
#endif
    for (const judge::launch& l : counter_examples(k)) {
      if (std::all_of(open.begin(), open.end(), is_shown)) break;
      if (complaint c = see(l); !c.kind.empty()) return c;
    }
    for (const tg::finding& f : open) {
      if (is_shown(f)) continue;
      // Behind a barrier that some threads miss, nothing more is seen.
      if (!is_cut_short && !is_stuck)
        return {std::string("refuted, but never seen, ") + name(f.question), f.text(), judge::accesses::how(k, seed, 0)};
    }
  } catch (const judge::malformed&) {
    if (is_counting) ++counted.malformed;
  } catch (const tg::error& e) {
    if (is_counting) ++counted.refused;
    if (e.number() == 182 || e.number() == 183) return {};  // statements or barriers behind tg::return_
    return {"refused", e.what(), judge::accesses::how(k, seed, 0)};
  }
  return {};
}

}  // namespace

int main(int count, char** words) {
  using judge::plant;
  const judge::command_line asked(count, words,
                                  {{"barriers", plant::barriers_separate_nothing},
                                   {"bands", plant::bands_are_one},
                                   {"blocks", plant::blocks_are_one},
                                   {"casts", plant::casts_keep_all_bits},
                                   {"terms", plant::last_term_is_lost},
                                   {"verdicts", plant::refuted_is_proved},
                                   {"solver", plant::refuted_is_proved_to_solver}});
  long n = 0, findings = 0;
  std::map<std::string, long> kinds;
  for (; asked.goes_on(n); ++n) {
    const std::uint64_t seed = asked.seed + static_cast<std::uint64_t>(n);
    const judge::kernel k = judge::with_jumps(judge::accesses(seed)(), seed, true);
    is_counting = true;
    const complaint found = complaint_about(k, seed, asked.broken);
    if (found.kind.empty()) continue;
    ++findings;
    if (++kinds[found.kind] > 3) continue;
    is_counting = false;
    const judge::kernel small = judge::reduced(
        k, [&](const judge::kernel& less) { return complaint_about(less, seed, asked.broken, &found).kind == found.kind; },
        500);
    const complaint last = complaint_about(small, seed, asked.broken, &found);
    std::printf("seed %llu, after %.1f s: %s: %s\n%s\n", static_cast<unsigned long long>(seed), asked.elapsed(),
                last.kind.c_str(), last.text.c_str(), judge::to_text(small, last.how).c_str());
    std::fflush(stdout);
    if (!asked.keeps_going) break;
  }
  std::printf("%ld programs in %.1f s, %ld findings\n", n, asked.elapsed(), findings);
  for (const auto& [kind, times] : kinds) std::printf("  %ld %s\n", times, kind.c_str());
  std::printf("  %ld runs on the host, %ld on the emulator, %ld costs compared, %ld refused, %ld no kernels\n", counted.runs,
              counted.emulated, counted.costs, counted.refused, counted.malformed);
#ifdef TG_FUZZ_Z3
  std::printf("  proved claims and z3: %ld confirmed, %ld where its launches show no fault, %ld given up, %ld not asked\n",
              solved_claims[0], solved_claims[1], solved_claims[2], solved_claims[3]);
#else
  std::printf("  no z3: the solver was skipped\n");
#endif
  for (int q = 0; q < 6; ++q)
    std::printf("  %-14s %8ld proved %8ld refuted %8ld unknown\n", name(static_cast<tg::question>(q)), counted.answers[q][0],
                counted.answers[q][1], counted.answers[q][2]);
  return (findings != 0) == (asked.broken != judge::plant::none) ? 0 : 1;
}
