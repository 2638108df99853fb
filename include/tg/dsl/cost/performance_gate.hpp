// Keeps what kernels cost: costs are stored in a file, and a later build must not cost more.
//
// A figure that is smaller is no regression; a figure that is larger than the tolerance allows is one, with its line.
// The file is JSON, one object per kernel, to be kept with the tests.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>

#include <nlohmann/json.hpp>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/error.hpp>
#include <tg/base/file.hpp>
#include <tg/base/number_text.hpp>
#include <tg/dsl/cost/kernel_cost.hpp>

namespace tg {

/// One figure that has grown.
struct regression {
  std::string kernel;
  std::string figure;
  double stored = 0, now = 0;
  source_line where;  ///< whose part of the figure grew most

  double percent() const { return stored == 0 ? 100 : (now / stored - 1) * 100; }
  /// `transpose: wavefronts 64 -> 1088 (+1600.0 %) at transpose.hpp:59`
  std::string text() const;
};

/// Costs of kernels by name, and the tolerance with which others are compared with them.
class performance_gate {
 public:
  explicit performance_gate(double tolerance_percent = 5) : tolerance_percent_(tolerance_percent) {}

  /// The costs that `save` wrote. Errors: TG172.
  static performance_gate load(const std::string& path, double tolerance_percent = 5);
  /// Errors: TG172.
  void save(const std::string& path) const;

  /// Keeps this cost in place of the one of that name.
  void keep(const kernel_cost& cost) { costs_[cost.name] = to_json(cost); }

  /// The figures that are more than the tolerance above the stored ones, the worst first. Errors: TG173 where nothing is
  /// stored of that kernel.
  dynamic_array<regression> check(const kernel_cost& now) const;

 private:
  static nlohmann::json to_json(const kernel_cost& cost);
  static nlohmann::json to_json(const cost_figures& figures);
  bool grew(double stored, double now) const { return now > stored * (1 + tolerance_percent_ / 100); }
  static source_line blame(const nlohmann::json& stored, double scale, const kernel_cost& now, std::string_view name,
                           std::uint64_t cost_figures::* figure);

  double tolerance_percent_;
  nlohmann::json costs_ = nlohmann::json::object();
};

namespace detail {

/// Files are compared by their last part: a repository may lie anywhere.
inline std::string last_part(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

inline std::string number_text(double n) { return std::to_string(static_cast<long long>(std::llround(n))); }

}  // namespace detail

inline std::string regression::text() const {
  const std::string grown = "+" + fixed_text(percent(), 1) + " %";
  std::string out =
      kernel + ": " + figure + " " + detail::number_text(stored) + " -> " + detail::number_text(now) + " (" + grown + ")";
  if (where.line != 0) out += " at " + detail::last_part(where.file) + ":" + std::to_string(where.line);
  return out;
}

inline nlohmann::json performance_gate::to_json(const cost_figures& figures) {
  auto out = nlohmann::json::object();
  for (const auto& [name, figure] : cost_figure_names) out[std::string(name)] = figures.*figure;
  return out;
}

inline nlohmann::json performance_gate::to_json(const kernel_cost& cost) {
  auto out = to_json(static_cast<const cost_figures&>(cost));
  out["blocks"] = cost.blocks;
  out["shared_bytes"] = cost.shared_bytes;
  out["live_registers"] = cost.live_registers;
  auto& lines = out["lines"] = nlohmann::json::array();
  for (const line_cost& l : cost.lines) {
    auto line = to_json(static_cast<const cost_figures&>(l));
    line["file"] = detail::last_part(l.where.file);
    line["line"] = l.where.line;
    lines.push_back(std::move(line));
  }
  return out;
}

inline performance_gate performance_gate::load(const std::string& path, double tolerance_percent) {
  performance_gate out(tolerance_percent);
  const std::optional<std::string> text = read_file(path);
  if (!text) throw error(code{172}, "'" + path + "' cannot be read", "store the costs once with performance_gate::save");
  out.costs_ = nlohmann::json::parse(*text, nullptr, false);
  const auto is_cost = [](const nlohmann::json& c) { return c.is_object() && c.contains("lines") && c["lines"].is_array(); };
  if (!out.costs_.is_object() || !std::all_of(out.costs_.begin(), out.costs_.end(), is_cost))
    throw error(code{172}, "'" + path + "' holds no costs", "store them again with performance_gate::save");
  return out;
}

inline void performance_gate::save(const std::string& path) const {
  if (!write_file(path, costs_.dump(1) + "\n"))
    throw error(code{172}, "'" + path + "' cannot be written", "name a file in a folder that is there");
}

// The line whose part grew most since it was stored; a line that was not there has grown by all that it costs.
inline source_line performance_gate::blame(const nlohmann::json& stored, double scale, const kernel_cost& now,
                                           std::string_view name, std::uint64_t cost_figures::* figure) {
  double most = 0;
  source_line out;
  for (const line_cost& l : now.lines) {
    double before = 0;
    for (const auto& old : stored.at("lines"))
      if (old.value("line", 0u) == l.where.line && old.value("file", std::string()) == detail::last_part(l.where.file))
        before = old.value(std::string(name), 0.0) * scale;
    const double more = static_cast<double>(l.*figure) - before;
    if (more <= most) continue;
    most = more;
    out = l.where;
  }
  return out;
}

inline dynamic_array<regression> performance_gate::check(const kernel_cost& now) const {
  if (!costs_.contains(now.name))
    throw error(code{173}, "no cost of '" + now.name + "' is stored", "keep it with performance_gate::keep and save");
  const auto& stored = costs_.at(now.name);
  dynamic_array<regression> out;
  for (const auto& [name, figure] : cost_figure_names) {
    // Per block, so that a launch of another size can be compared.
    const double scale = static_cast<double>(now.blocks) / stored.value("blocks", 1.0);
    const double before = stored.value(std::string(name), 0.0) * scale, after = static_cast<double>(now.*figure);
    if (grew(before, after))
      out.push_back({now.name, std::string(name), before, after, blame(stored, scale, now, name, figure)});
  }
  const auto single = [&](const char* name, double after) {
    const double before = stored.value(name, 0.0);
    if (grew(before, after)) out.push_back({now.name, name, before, after, {}});
  };
  single("shared_bytes", static_cast<double>(now.shared_bytes));
  single("live_registers", now.live_registers);
  std::sort(out.begin(), out.end(), [](const regression& a, const regression& b) { return a.percent() > b.percent(); });
  return out;
}

}  // namespace tg
