// The names a function can see while it is parsed: nested `{ }` scopes that shadow each other.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/function.hpp>

namespace tg::ptx::detail {

/// What a name stands for.
struct symbol {
  operand_kind kind = operand_kind::none;
  std::uint32_t id = 0;
  std::uint8_t parts = 1;  // of a `.v2` or `.v4` register: `id` and the following
};

class scopes {
 public:
  explicit scopes(function& f) : function_(f) { levels_.push_back({no_index, {}, {}, {}, {}}); }

  std::uint32_t current() const { return current_; }
  std::size_t depth() const { return depth_; }
  void open() {
    levels_.push_back({current_, {}, {}, {}, {}});
    current_ = static_cast<std::uint32_t>(levels_.size() - 1);
    ++depth_;
  }
  void close() {
    current_ = levels_[current_].parent;
    --depth_;
  }

  /// False where the scope has the name already.
  bool declare(std::string_view name, symbol s) {
    level& own = levels_[current_];
    return find_range(own, name) == nullptr && own.names.try_emplace(name, s).second;
  }

  /// `%r<count>`: the registers come into being when they are first named; each has `parts`.
  bool declare_range(std::string_view prefix, token type, std::uint64_t count, std::uint8_t parts = 1) {
    return levels_[current_].ranges.try_emplace(prefix, range{type, count, parts}).second;
  }

  std::optional<symbol> find(std::string_view name) {
    for (std::uint32_t level = current_; level != no_index; level = levels_[level].parent) {
      auto& names = levels_[level].names;
      if (const auto at = names.find(name); at != names.end()) return at->second;
      if (const range* const from = find_range(levels_[level], name)) {
        const symbol made{operand_kind::reg, function_.new_register(from->type), from->parts};
        for (int part = 1; part < from->parts; ++part) function_.new_register(from->type);
        names.emplace(name, made);
        return made;
      }
    }
    return std::nullopt;
  }

  /// Labels may be used before they are written, so they are looked up when the function ends.
  bool define_label(std::string_view name, std::uint32_t id) { return levels_[current_].labels.try_emplace(name, id).second; }
  std::optional<std::uint32_t> find_label(std::string_view name, std::uint32_t level) const {
    for (; level != no_index; level = levels_[level].parent)
      if (const auto at = levels_[level].labels.find(name); at != levels_[level].labels.end()) return at->second;
    return std::nullopt;
  }

  /// `.branchtargets`, `.calltargets` and `.callprototype` are operands with a name.
  bool define_table(std::string_view name, operand o) { return levels_[current_].tables.try_emplace(name, o).second; }
  std::optional<operand> find_table(std::string_view name, std::uint32_t level) const {
    for (; level != no_index; level = levels_[level].parent)
      if (const auto at = levels_[level].tables.find(name); at != levels_[level].tables.end()) return at->second;
    return std::nullopt;
  }

 private:
  struct range {
    token type;
    std::uint64_t count;
    std::uint8_t parts;
  };
  struct level {
    std::uint32_t parent;
    std::unordered_map<std::string_view, symbol> names;
    std::unordered_map<std::string_view, range> ranges;
    std::unordered_map<std::string_view, std::uint32_t> labels;
    std::unordered_map<std::string_view, operand> tables;
  };

  /// The range of the scope that has a register of this name, or null.
  static const range* find_range(const level& l, std::string_view name) {
    if (l.ranges.empty()) return nullptr;
    std::uint64_t index = 0, scale = 1;
    for (std::size_t split = name.size(); split-- > 1 && name.size() - split <= 10;) {
      const char digit = name[split];
      if (digit < '0' || digit > '9') break;
      index += scale * static_cast<std::uint64_t>(digit - '0');
      scale *= 10;
      if (digit == '0' && split + 1 < name.size()) continue;  // %r01 is not %r1
      const auto at = l.ranges.find(name.substr(0, split));
      if (at != l.ranges.end() && index < at->second.count) return &at->second;
    }
    return nullptr;
  }

  function& function_;
  dynamic_array<level> levels_;
  std::uint32_t current_ = 0;
  std::size_t depth_ = 0;
};

}  // namespace tg::ptx::detail
