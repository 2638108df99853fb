// Claims with a threshold and a figure: what is printed, and which rows go to the report.
#pragma once

#include <cstdio>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <bench/report.hpp>

namespace bench {

struct claim {
  std::string name;
  std::string text;
  better direction = better::lower;
  double threshold = 0;
  std::string unit;
  std::optional<double> figure;  // none: what it is about does not exist

  const char* verdict() const {
    if (!figure) return "absent";
    const bool holds = direction == better::lower ? *figure <= threshold : *figure >= threshold;
    return holds ? "survived" : "falsified";
  }
};

/// Collects claims; `finish` prints each with its verdict and writes those that have a figure.
class claims {
 public:
  explicit claims(std::string device) : device_(std::move(device)) {}

  void add(claim one) { all_.push_back(std::move(one)); }

  /// Returns what `main` should return.
  int finish() const {
    report rows("hypotheses");
    std::printf("on %s\n%-5s %-9s %12s  %14s  %s\n", device_.c_str(), "claim", "verdict", "figure", "threshold", "");
    for (const claim& c : all_) {
      char figure[32] = "-";
      if (c.figure) std::snprintf(figure, sizeof figure, "%.4g", *c.figure);
      std::printf("%-5s %-9s %12s  %s %-11.4g  %s%s%s\n", c.name.c_str(), c.verdict(), figure,
                  c.direction == better::lower ? "<=" : ">=", c.threshold, c.text.c_str(), c.unit.empty() ? "" : ", in ",
                  c.unit.c_str());
      if (c.figure) rows.add({c.name, *c.figure, c.threshold, c.text, c.unit, c.direction});
    }
    std::puts("");
    return rows.finish();
  }

 private:
  std::string device_;
  std::vector<claim> all_;
};

}  // namespace bench
