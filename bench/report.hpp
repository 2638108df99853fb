// The rows of a benchmark: a table on the screen, and the same rows in the file that TG_BENCH_JSON names.
#pragma once

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <boost/config.hpp>
#include <nlohmann/json.hpp>

namespace bench {

enum class better { lower, higher };

/// One comparison: our figure and that of `other_name`, in the same unit, measured in the same run.
struct row {
  std::string name;
  double ours = 0;
  double other = 0;
  std::string other_name;
  std::string unit;
  bench::better better = bench::better::lower;

  double ratio() const { return other == 0 ? 0 : ours / other; }
};

/// Processor, cores and compiler of this run.
inline std::string machine() {
  std::string model = "unknown processor";
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const auto colon = line.find(": ");
    if (line.starts_with("model name") && colon != line.npos) {
      model = line.substr(colon + 2);
      break;
    }
  }
  return model + ", " + std::to_string(std::thread::hardware_concurrency()) + " threads, " + BOOST_COMPILER;
}

/// Collects rows; `finish` prints and writes them.
class report {
 public:
  explicit report(std::string name) : name_(std::move(name)) {}

  void add(row one) { rows_.push_back(std::move(one)); }

  /// Returns what `main` should return: 1 when there is no row or the file cannot be written.
  int finish() const {
    print();
    const char* path = std::getenv("TG_BENCH_JSON");
    return rows_.empty() || (path != nullptr && !write(path)) ? 1 : 0;
  }

 private:
  void print() const {
    std::size_t widest = 4;
    for (const auto& one : rows_) widest = std::max(widest, one.name.size());
    const int width = static_cast<int>(widest);
    std::printf("%s on %s\n%-*s %12s %12s  %-8s %8s\n", name_.c_str(), machine().c_str(), width, "name", "ours", "other",
                "unit", "ratio");
    for (const auto& one : rows_) {
      const char* verdict = one.better == better::lower ? "lower is better" : "higher is better";
      std::printf("%-*s %12.4g %12.4g  %-8s %8.3g  other: %s (%s)\n", width, one.name.c_str(), one.ours, one.other,
                  one.unit.c_str(), one.ratio(), one.other_name.c_str(), verdict);
    }
  }

  bool write(const char* path) const {
    auto rows = nlohmann::json::array();
    for (const auto& one : rows_) {
      rows.push_back({{"name", one.name},
                      {"ours", one.ours},
                      {"other", one.other},
                      {"other_name", one.other_name},
                      {"unit", one.unit},
                      {"ratio", one.ratio()},
                      {"better", one.better == better::lower ? "lower" : "higher"}});
    }
    std::ofstream file(path);
    file << nlohmann::json{{"bench", name_}, {"machine", machine()}, {"rows", rows}}.dump(1) << "\n";
    return file.good();
  }

  std::string name_;
  std::vector<row> rows_;
};

}  // namespace bench
