// All that the checkers found in one process, and the report of it.
#pragma once

#include <cstdio>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/file.hpp>
#include <tg/emulator/launch/environment.hpp>
#include <tg/emulator/launch/json.hpp>

namespace tg::emulator::check {

class session {
 public:
  /// Where findings go from now on; an empty path keeps them here only.
  /// Errors: TG480 when nothing can be written there.
  void report_to(std::string path) {
    path_ = std::move(path);
    if (path_.empty()) return;
    write();
    if (!is_written_)
      throw error(code{480}, "TG_EMULATOR_REPORT: " + path_ + " cannot be written",
                  "name a file in a folder that exists, or unset it");
  }

  /// Calls `body(how)` with a place for findings in `how`, and reports them, whether or not it throws.
  template <class Body> void launch(options how, Body body) {
    dynamic_array<finding> found;
    how.findings = &found;
    const struct keeper {
      session& to;
      dynamic_array<finding>& found;
      ~keeper() { to.add(found); }
    } keep{*this, found};
    body(how);
  }

  void add(const dynamic_array<finding>& found) {
    if (found.empty()) return;
    found_.insert(found_.end(), found.begin(), found.end());
    if (!path_.empty()) write();
  }

  /// Everything since the last call; the report keeps all.
  dynamic_array<finding> take() {
    dynamic_array<finding> out(found_.begin() + static_cast<std::ptrdiff_t>(taken_), found_.end());
    taken_ = found_.size();
    return out;
  }

  /// Writes the leaks since the last `take` to stderr, if there is no report.
  void say_leaks() {
    if (!path_.empty()) return;
    for (const finding& f : take())
      if (f.kind == checker::leak) std::fputs(to_text(f).c_str(), stderr);
  }

 private:
  void write() {
    std::string out;
    if (path_.ends_with(".json")) {
      out = to_json(found_);
    } else {
      for (const finding& f : found_) out += to_text(f);
      out += std::to_string(found_.size()) + (found_.size() == 1 ? " finding\n" : " findings\n");
    }
    is_written_ = write_file(path_, out);
  }

  std::string path_;
  dynamic_array<finding> found_;
  std::size_t taken_ = 0;
  bool is_written_ = false;
};

}  // namespace tg::emulator::check
