// Tables for a terminal.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <tg/base/dynamic_array.hpp>
#include <utility>

namespace tg::report {

/// Columns: all but the last are as wide as their widest cell; numbers stand at the right.
class text_table {
 public:
  void row(dynamic_array<std::string> cells) { rows_.push_back(std::move(cells)); }

  std::string str() const {
    dynamic_array<std::size_t> widths;
    for (const auto& row : rows_)
      for (std::size_t c = 0; c < row.size(); ++c) {
        if (c == widths.size()) widths.push_back(0);
        widths[c] = std::max(widths[c], row[c].size());
      }
    std::string out;
    for (const auto& row : rows_) {
      std::string line = " ";
      for (std::size_t c = 0; c < row.size(); ++c) {
        const std::string blanks(widths[c] - row[c].size(), ' ');
        line += " " + (is_number(row[c]) ? blanks + row[c] : row[c] + blanks) + " ";
      }
      out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
    }
    return out;
  }

 private:
  static bool is_number(std::string_view cell) {
    return !cell.empty() && cell.find_first_not_of("0123456789,.<% ") == cell.npos;
  }

  dynamic_array<dynamic_array<std::string>> rows_;
};

}  // namespace tg::report
