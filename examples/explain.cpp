// explain KERNEL|all [--run] [--target GPU] [--out FILE]: a report about a kernel that comes with tg, as text and as a
// page.
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <examples/kernel_runs.hpp>
#include <tests/kernels/shipped.hpp>
#include <tg/base/file.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/explain.hpp>

namespace {

struct request {
  std::string kernel;
  std::string target = "H100";
  std::string out;
  bool runs = false;
};

std::string names() {
  std::string out, last;
  shipped::each([&](const auto& kernel) {
    if (last != kernel.name) out += "  " + std::string(kernel.name) + "\n";
    last = kernel.name;
  });
  return out;
}

request read(const std::vector<std::string>& arguments) {
  request out;
  for (std::size_t n = 0; n < arguments.size(); ++n) {
    const std::string& own = arguments[n];
    const auto value = [&] {
      if (n + 1 == arguments.size()) throw std::invalid_argument(own + " wants a value");
      return arguments[++n];
    };
    if (own == "--run") out.runs = true;
    else if (own == "--target") out.target = value();
    else if (own == "--out") out.out = value();
    else if (own.starts_with('-')) throw std::invalid_argument("unknown option " + own);
    else if (!out.kernel.empty()) throw std::invalid_argument("one kernel at a time, not " + out.kernel + " and " + own);
    else out.kernel = own;
  }
  if (out.kernel.empty()) throw std::invalid_argument("which kernel?");
  if (out.kernel == "all" && !out.out.empty()) throw std::invalid_argument("--out names the file of one kernel");
  return out;
}

template <class K> tg::emulator::counters counted(const K& kernel, const examples::kernel_run& run) {
  tg::device emulator("emulator");
  tg::emulator::count_launches(true);
  examples::launch(kernel, emulator, run);
  tg::emulator::count_launches(false);
  return tg::emulator::counters_of_last_launch();
}

std::uint64_t blocks_of(const examples::kernel_run& run) {
  return static_cast<std::uint64_t>(run.blocks[0]) * static_cast<std::uint64_t>(run.blocks[1]) *
         static_cast<std::uint64_t>(run.blocks[2]);
}

/// Writes the reports; returns how many.
int explain(const request& wanted) {
  int made = 0;
  std::string last;
  int same_name = 0;
  shipped::each([&](const auto& kernel) {
    same_name = last == kernel.name ? same_name + 1 : 1;
    last = kernel.name;
    if (wanted.kernel != kernel.name && wanted.kernel != "all") return;
    const auto run = examples::find_run(kernel.name);
    const bool runs = wanted.runs && run.has_value();
    const std::clock_t before = std::clock();
    tg::explanation e = tg::explain(kernel, wanted.target, runs ? blocks_of(*run) : 1);
    const double explain_ms = 1000.0 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    if (runs) e.measured(counted(kernel, *run));
    const std::string page = tg::to_html(e);
    const std::string suffix = same_name == 1 ? "" : "-" + std::to_string(same_name);
    std::filesystem::path path = wanted.out.empty() ? "build/explain/" + last + suffix + ".html" : wanted.out;
    if (made > 0 && !wanted.out.empty()) path.replace_filename(path.stem().string() + suffix + path.extension().string());
    if (path.has_parent_path()) tg::make_folders(path.parent_path().string());
    if (!tg::write_file(path.string(), page)) throw std::runtime_error("cannot write " + path.string());
    if (wanted.kernel != "all") std::printf("%s\n", tg::to_text(e).c_str());
    std::printf("wrote %s: %zu bytes, explained in %.1f ms\n", path.c_str(), page.size(), explain_ms);
    if (wanted.runs && !run) std::printf("no launch of '%s' is known: nothing is counted\n", last.c_str());
    ++made;
  });
  return made;
}

}  // namespace

int main(int count, char** arguments) try {
  const request wanted = read({arguments + 1, arguments + count});
  if (explain(wanted) != 0) return 0;
  std::fprintf(stderr, "explain: no kernel is called '%s'; there are\n%s", wanted.kernel.c_str(), names().c_str());
  return 1;
} catch (const std::invalid_argument& error) {
  std::fprintf(stderr, "explain: %s\nexplain KERNEL|all [--run] [--target GPU] [--out FILE], where the kernels are\n%s",
               error.what(), names().c_str());
  return 1;
} catch (const std::exception& error) {
  std::fprintf(stderr, "explain: %s\n", error.what());
  return 1;
}
