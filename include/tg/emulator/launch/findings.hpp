// What the checkers of one launch found: each pair of instructions once, with a count.
#pragma once

#include <cstdint>
#include <map>
#include <tuple>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/launch/finding.hpp>

namespace tg::emulator::check {

class findings {
 public:
  /// What makes two findings the same: code and operations.
  using key = std::tuple<int, std::uint32_t, std::uint32_t>;

  static constexpr std::size_t most = 100;

  /// Counts a finding; `describe` makes it when it is new.
  template <class Describe> void add(const key& which, Describe describe) {
    const auto [known, is_new] = places_.try_emplace(which, list_.size());
    if (!is_new) {
      if (known->second < list_.size()) ++list_[known->second].count;
      return;
    }
    if (list_.size() < most) list_.push_back(describe());
    else known->second = most;
  }

  const dynamic_array<finding>& list() const { return list_; }

 private:
  std::map<key, std::size_t> places_;
  dynamic_array<finding> list_;
};

}  // namespace tg::emulator::check
