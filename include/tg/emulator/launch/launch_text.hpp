// What the blocks of a launch print, put in the order of the blocks.
#pragma once

#include <cstdint>
#include <cstdio>
#include <map>
#include <mutex>
#include <string>

#include <tg/emulator/launch/launch_shape.hpp>

namespace tg::emulator::detail {

/// Calls of `add` may come from several threads.
class launch_text {
 public:
  void add(std::uint64_t block, const std::string& printed, const std::string& asserted) {
    if (printed.empty() && asserted.empty()) return;
    const std::lock_guard lock(mutex_);
    printed_[block] += printed;
    asserted_[block] += asserted;
  }

  /// Hands over what blocks up to `last` wrote; later ones ran in an order that is not the same each time.
  void flush(const options& how, std::uint64_t last) {
    put(printed_, last, how.on_printf, stdout);
    put(asserted_, last, how.on_assert, stderr);
  }

 private:
  using texts = std::map<std::uint64_t, std::string>;

  static void put(const texts& all, std::uint64_t last, const text_sink& sink, std::FILE* file) {
    for (auto at = all.begin(); at != all.upper_bound(last); ++at) {
      if (at->second.empty()) continue;
      if (sink) sink(at->second);
      else std::fwrite(at->second.data(), 1, at->second.size(), file);
    }
    if (!sink && !all.empty()) std::fflush(file);
  }

  std::mutex mutex_;
  texts printed_;
  texts asserted_;
};

}  // namespace tg::emulator::detail
