// explain KERNEL|all [--run] [--target GPU] [--out FILE]: a report about a kernel that comes with tg, as text and as a
// page.
#include <cstdio>
#include <ctime>
#include <exception>
#include <filesystem>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include <registry/entry.hpp>
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

/// Calls `ask(row)` for each kernel that has a report: not for permutations.
template <class Ask> void each_kernel(Ask ask) {
  for (const auto& row : registry::entries())
    if (row->known.writes != registry::placing::permuted && row->known.is_explained) ask(*row);
}

/// The names of all kernels, with their families.
std::string names() {
  std::string out, last;
  each_kernel([&](const registry::entry& row) {
    if (last == row.name) return;
    last = row.name;
    out += "  " + last + " (" + std::string(row.known.family) + ")\n";
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

/// A launch on the emulator: how many blocks it had, and what was counted.
struct counted_run {
  std::uint64_t blocks;
  tg::emulator::counters counters;
};

/// The launch of the row for its shape `large`.
counted_run run(const registry::entry& row) {
  tg::device emulator("emulator");
  tg::emulator::count_launches(true);
  const std::uint64_t blocks = row.launch(emulator, row.known.large, 1).blocks;
  const counted_run out{blocks, tg::emulator::counters_of_last_launch()};
  tg::emulator::count_launches(false);
  return out;
}

/// Writes the reports; returns how many.
int explain(const request& wanted) {
  int made = 0;
  tg::dynamic_array<tg::index_row> index;
  std::string device;
  std::map<std::string, int> reports;  // of kernels of this name
  each_kernel([&](const registry::entry& row) {
    const std::string name(row.name);
    const int number = ++reports[name];
    if (wanted.kernel != name && wanted.kernel != "all") return;
    const auto done = wanted.runs ? std::optional(run(row)) : std::nullopt;
    const std::clock_t before = std::clock();
    std::optional<tg::explanation> found;
    try {
      found = row.explain(wanted.target, done ? done->blocks : 1);
    } catch (const tg::error& refused) {  // of all kernels, some are for other GPUs
      if (wanted.kernel != "all" || refused.code() != tg::driver::driver_too_old) throw;
      std::printf("left out: %s\n", refused.what());
      return;
    }
    tg::explanation& e = *found;
    const double explain_ms = 1000.0 * static_cast<double>(std::clock() - before) / CLOCKS_PER_SEC;
    if (done) e.measured(done->counters);
    const std::string page = tg::to_html(e);
    const std::string suffix = number == 1 ? "" : "-" + std::to_string(number);
    std::filesystem::path path = wanted.out.empty() ? "build/explain/" + name + suffix + ".html" : wanted.out;
    if (made > 0 && !wanted.out.empty()) path.replace_filename(path.stem().string() + suffix + path.extension().string());
    if (path.has_parent_path()) tg::make_folders(path.parent_path().string());
    if (!tg::write_file(path.string(), page)) throw std::runtime_error("cannot write " + path.string());
    index.push_back(tg::to_index_row(e, path.filename().string()));
    device = e.device.name;
    if (wanted.kernel != "all") std::printf("%s\n", tg::to_text(e).c_str());
    std::printf("wrote %s: %zu bytes, explained in %.1f ms\n", path.c_str(), page.size(), explain_ms);
    ++made;
  });
  if (wanted.kernel == "all") {
    const std::string path = "build/explain/index.html";
    if (!tg::write_file(path, tg::to_html(index, device))) throw std::runtime_error("cannot write " + path);
    std::printf("%swrote %s\n", tg::to_text(index).c_str(), path.c_str());
  }
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
