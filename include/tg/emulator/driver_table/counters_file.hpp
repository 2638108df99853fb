// The file of counters that TG_EMULATOR_COUNTERS asks for: JSON where its name ends so, else text.
#pragma once

#include <algorithm>
#include <string>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/error.hpp>
#include <tg/base/file.hpp>
#include <tg/emulator/counters/counters_json.hpp>
#include <tg/emulator/counters/counters_text.hpp>

namespace tg::emulator::entry {

/// Adds up the launches of each kernel.
class counters_file {
 public:
  bool is_on() const { return !path_.empty(); }

  /// Errors: TG480 when nothing can be written there.
  void write_to(std::string path) {
    path_ = std::move(path);
    if (!path_.empty() && !write())
      throw error(code{480}, "TG_EMULATOR_COUNTERS: " + path_ + " cannot be written",
                  "name a file in a folder that exists, or unset it");
  }

  void add(const std::string& kernel, const counters& counted) {
    const auto same = [&](const kernel_counters& k) {
      return k.name == kernel && k.sum.instructions.size() == counted.instructions.size();
    };
    const auto known = std::ranges::find_if(kernels_, same);
    if (known == kernels_.end()) return kernels_.push_back({kernel, 1, counted});
    ++known->launches;
    known->sum += counted;
  }

  /// False where the file cannot be written.
  bool write() const {
    if (path_.ends_with(".json")) return write_file(path_, to_json(kernels_));
    std::string out;
    for (const kernel_counters& k : kernels_)
      out += "kernel '" + k.name + "', " + std::to_string(k.launches) + " launches\n" + to_text(k.sum) + "\n";
    return write_file(path_, out);
  }

 private:
  std::string path_;
  dynamic_array<kernel_counters> kernels_;
};

}  // namespace tg::emulator::entry
