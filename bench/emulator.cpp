// The emulator beside PoCL (OpenCL on the processor) and plain C++ loops: the same algorithms on the same data, on one
// core and on two. A figure is the median of runs in interleaved turns, each of which is checked. Arguments: a part of
// the names of the kernels to run, and how many turns.
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdio>
#include <ctime>
#include <map>

#include <bench/emulator/machines.hpp>
#include <bench/emulator/opencl.hpp>
#include <bench/emulator/tasks.hpp>
#include <bench/report.hpp>

namespace {

using figures = std::map<std::string, std::vector<double>>;  // "task machine": ms of each run

struct machine {
  std::string name;
  std::function<void()> clear, run;
  std::function<bench::task::words()> result;
};

template <class On> machine as_machine(std::string name, On& on) {
  return {std::move(name), [&on] { on.clear(); }, [&on] { on.run(); }, [&on] { return on.result(); }};
}

/// On one core the time of the processor, which other programs do not change; else of the wall clock.
double now_ms(unsigned cores) {
  timespec now;
  clock_gettime(cores == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &now);
  return static_cast<double>(now.tv_sec) * 1e3 + static_cast<double>(now.tv_nsec) / 1e6;
}

struct check {
  const char* name;
  tg::emulator::check::checkers on;
};
constexpr check unchecked{"unchecked", tg::emulator::check::checkers::none()};
constexpr check checks[] = {
    {"memory", {true, false, false, false, false, false}}, {"init", {false, true, false, false, false, false}},
    {"race", {false, false, true, false, false, false}},   {"sync", {false, false, false, true, false, false}},
    {"all", tg::emulator::check::checkers::all()},
};

tg::emulator::options with(const check& c) {
  tg::emulator::options how;
  how.threads = 1;
  how.check = c.on;
  return how;
}

void keep_to(unsigned cores) {
  cpu_set_t allowed, chosen;
  CPU_ZERO(&chosen);
  sched_getaffinity(0, sizeof allowed, &allowed);
  for (std::size_t k = 0; k < CPU_SETSIZE && CPU_COUNT(&chosen) < static_cast<int>(cores); ++k)
    if (CPU_ISSET(k, &allowed)) CPU_SET(k, &chosen);
  sched_setaffinity(0, sizeof chosen, &chosen);
  setenv("POCL_MAX_PTHREAD_COUNT", std::to_string(cores).c_str(), 1);
}

/// The machines that run one task. What a second core gains is a ratio of the same minutes and the same clock, so the
/// machines of one core run beside those of several.
class contest {
 public:
  contest(const bench::task& t, const std::string& ptx, std::optional<bench::opencl>& opencl, unsigned cores)
      : task_(t), cores_(cores) {
    add("emulator", emulators_, ptx, t, on(cores));
    add("loops", loops_, t, cores);
    if (opencl) add("PoCL", opencl_, *opencl, t);
    if (cores != 1) {
      add("emulator alone", emulators_, ptx, t, on(1));
      add("loops alone", loops_, t, 1);
      return;
    }
    add(unchecked.name, emulators_, ptx, t, with(unchecked));
    for (const check& c : checks) add(c.name, emulators_, ptx, t, with(c));
  }

  /// What a turn begins with is not measured: it wakes the threads of its machine, those of the machine before fall
  /// asleep, and an idle core takes some milliseconds to be as fast as one at work.
  void take_turn(figures& out) {
    constexpr int runs = 4;
    constexpr double waking_ms = 20;
    for (const machine& m : machines_) {
      const auto run = [&] {
        m.clear();
        const double start = now_ms(cores_);
        m.run();
        return now_ms(cores_) - start;
      };
      for (double spent = 0; spent < waking_ms;) spent += run();
      for (int k = 0; k < runs; ++k) out[task_.name + " " + m.name].push_back(run());
      if (!task_.is_right(m.result())) throw std::runtime_error(task_.name + " on " + m.name + ": wrong result");
    }
  }

  std::uint64_t thread_instructions() { return emulators_.front()->thread_instructions(); }

 private:
  static tg::emulator::options on(unsigned cores) {
    tg::emulator::options how;
    how.threads = cores;
    return how;
  }

  template <class On, class... From> void add(std::string name, std::vector<std::unique_ptr<On>>& to, From&&... from) {
    to.push_back(std::make_unique<On>(std::forward<From>(from)...));
    machines_.push_back(as_machine(std::move(name), *to.back()));
  }

  const bench::task& task_;
  unsigned cores_;
  std::vector<std::unique_ptr<bench::emulated>> emulators_;
  std::vector<std::unique_ptr<bench::looped>> loops_;
  std::vector<std::unique_ptr<bench::opencl::prepared>> opencl_;
  std::vector<machine> machines_;
};

/// Each task has a turn, then each has another, so that what disturbs some seconds disturbs a part of every median.
figures measure(unsigned cores, const std::string& wanted, int turns) {
  keep_to(cores);
  const std::string ptx = bench::read_file("bench/emulator/kernels.ptx");
  std::optional<bench::opencl> opencl = bench::opencl::open(bench::read_file("bench/emulator/kernels.cl"));
  if (cores == 1) std::printf("OpenCL: %s\n", opencl ? opencl->name().c_str() : "no library, headers or processor: skipped");
  figures out;
  const std::vector<bench::task> tasks = bench::all_tasks();
  std::vector<contest> contests;
  for (const bench::task& t : tasks) {
    if (t.name.find(wanted) == std::string::npos) continue;
    contest& added = contests.emplace_back(t, ptx, opencl, cores);
    if (cores == 1) out[t.name + " instructions"] = {static_cast<double>(added.thread_instructions())};
  }
  for (int turn = 0; turn < turns; ++turn)
    for (contest& c : contests) c.take_turn(out);
  return out;
}

/// Measures in a process of its own, because PoCL's threads are set once per process.
figures measure_apart(unsigned cores, const std::string& wanted, int turns) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("no pipe");
  std::fflush(stdout);
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    try {
      std::ostringstream text;
      for (const auto& [name, samples] : measure(cores, wanted, turns)) {
        text << name << '\n' << samples.size();
        for (const double s : samples) text << ' ' << s;
        text << '\n';
      }
      std::fflush(stdout);
      const std::string all = text.str();
      const bool is_whole = write(ends[1], all.data(), all.size()) == static_cast<ssize_t>(all.size());
      _exit(is_whole ? 0 : 1);
    } catch (const std::exception& e) {
      std::fprintf(stderr, "%s\n", e.what());
      _exit(1);
    }
  }
  close(ends[1]);
  std::string all;
  char part[4096];
  for (ssize_t got; (got = read(ends[0], part, sizeof part)) > 0;) all.append(part, static_cast<std::size_t>(got));
  close(ends[0]);
  int status = 0;
  if (waitpid(child, &status, 0) != child || status != 0) throw std::runtime_error("a measurement failed");
  figures out;
  std::istringstream lines(all);
  for (std::string name; std::getline(lines, name);) {
    std::size_t count = 0;
    lines >> count;
    std::vector<double>& samples = out[name];
    for (double s; count != 0 && lines >> s; --count) samples.push_back(s);
    lines.ignore(1);
  }
  return out;
}

double median(const figures& from, const std::string& name) {
  const auto found = from.find(name);
  if (found == from.end()) return 0;
  std::vector<double> sorted = found->second;
  std::sort(sorted.begin(), sorted.end());
  return sorted[sorted.size() / 2];
}

double fastest(const figures& from, const std::string& name) {
  const auto found = from.find(name);
  return found == from.end() ? 0 : *std::min_element(found->second.begin(), found->second.end());
}

void print_spread(const figures& from, const std::string& cores) {
  for (const auto& [name, samples] : from) {
    if (name.ends_with("instructions")) continue;
    const auto [least, most] = std::minmax_element(samples.begin(), samples.end());
    std::printf("%-28s %-7s median %9.4g ms of %zu, %.4g to %.4g\n", name.c_str(), cores.c_str(), median(from, name),
                samples.size(), *least, *most);
  }
}

/// What each checker costs over a run without any, from medians of runs that took turns.
void print_costs(const figures& from) {
  std::printf("%-28s", "cost of checkers");
  for (const check& c : checks) std::printf(" %8s", c.name);
  std::printf("\n");
  for (const bench::task& t : bench::all_tasks()) {
    const double alone = median(from, t.name + " " + unchecked.name);
    if (alone == 0) continue;
    std::printf("%-28s", t.name.c_str());
    for (const check& c : checks) std::printf(" %7.2fx", median(from, t.name + " " + c.name) / alone);
    std::printf("\n");
  }
}

}  // namespace

int main(int count, char** arguments) {
  const std::string wanted = count > 1 ? arguments[1] : "";
  const int turns = count > 2 ? std::stoi(arguments[2]) : 8;
  const figures one = measure_apart(1, wanted, turns), two = measure_apart(2, wanted, turns);
  print_spread(one, "1 core");
  print_spread(two, "2 cores");
  print_costs(one);
  bench::report report("emulator");
  using enum bench::better;
  for (const bench::task& t : bench::all_tasks()) {
    if (!one.contains(t.name + " emulator")) continue;
    const auto figure = [&](const figures& from, const std::string& machine) { return median(from, t.name + " " + machine); };
    for (const char* const other : {"PoCL", "loops"}) {
      if (!one.contains(t.name + " " + other)) continue;  // no OpenCL here
      report.add({t.name + ", 1 core", figure(one, "emulator"), figure(one, other), other, "ms"});
      report.add({t.name + ", 2 cores", figure(two, "emulator"), figure(two, other), other, "ms"});
    }
    const double instructions = figure(one, "instructions") / 1e6;
    const auto rate = [&](const std::string& machine) {
      const double ms = figure(one, machine);
      return ms == 0 ? 0 : instructions / ms;
    };
    report.add({t.name + ", PTX instructions of all threads, 1 core", rate("emulator"), rate("loops"), "loops", "G/s", higher});
    // The fastest runs beside the medians: a machine that shares its cores and its memory with others takes from two
    // threads more than from one, and in most runs.
    const auto gain = [&](const char* how, double (*of)(const figures&, const std::string&)) {
      const auto against_alone = [&](const std::string& machine) {
        return of(two, t.name + " " + machine + " alone") / of(two, t.name + " " + machine);
      };
      report.add(
          {t.name + ", 2 cores against 1" + how, against_alone("emulator"), against_alone("loops"), "loops", "x", higher});
    };
    gain("", median);
    gain(", fastest runs", fastest);
    for (const check& c : checks)
      report.add({t.name + ", check " + c.name, figure(one, c.name), figure(one, unchecked.name), unchecked.name, "ms"});
  }
  return report.finish();
}
