// Which bytes of a tile somebody has written.
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/proof/use.hpp>

namespace tg::proof {

/// The bytes of one tile.
class written_bytes {
 public:
  /// What is known of the bytes that a read touches.
  struct state {
    enum class kind { written, unknown, unwritten };
    kind what = kind::written;
    std::uint32_t thread = 0;  // the first that reads what is worst
    number byte = 0;
  };

  /// `size`: 0 or less where the launch decides it. Then as many bytes are followed as have been written.
  explicit written_bytes(number size) : cells_(static_cast<std::size_t>(std::max<number>(size, 0))), is_sized_(size <= 0) {}

  /// Bytes that are inside in each launch.
  number size() const { return is_sized_ ? 0 : static_cast<number>(cells_.size()); }

  /// `uses` holds `u` as the one of this number.
  void write(const dynamic_array<use>& uses, std::uint32_t number_of_use) {
    const use& u = uses[number_of_use];
    if (!u.offset.is_exact()) {
      is_anywhere_ = true;
      return;
    }
    for (std::uint32_t t = 0; t < u.way.may.size(); ++t) {
      if (!u.way.may[t]) continue;
      const number at = u.offset.at(t), end = std::min(at + u.bytes, limit());
      if (end > static_cast<number>(cells_.size())) cells_.resize(static_cast<std::size_t>(std::min(2 * end, limit())));
      for (number b = std::max<number>(at, 0); b < end; ++b) {
        cell& c = cells_[static_cast<std::size_t>(b)];
        if (c.is_sure) continue;
        touched_ += !c.is_maybe;
        if (u.way.is_sure && u.way.must[t]) c.is_sure = true;
        else if (c.is_maybe && c.thread == t && are_both_ways(uses[c.use].way, u.way)) c.is_sure = true;
        else c.use = number_of_use, c.thread = t, c.is_maybe = true;
        sure_ += c.is_sure;
      }
    }
  }

  state read(const use& u, const dynamic_array<use>& uses, const conditions& all, const symbols& s) const {
    state worst;
    if (!is_sized_ && sure_ == cells_.size()) return worst;
    if (!u.offset.is_exact()) {
      worst.what = touched_ == 0 && !is_anywhere_ ? state::kind::unwritten : state::kind::unknown;
      for (std::uint32_t t = static_cast<std::uint32_t>(u.way.may.size()); t-- > 0;)
        if (u.way.may[t]) worst.thread = t;
      return worst;
    }
    static const cell unwritten;
    std::map<std::uint32_t, implication> implied;
    const cell* last = nullptr;  // whose writer is known to have come
    std::uint32_t last_reader = 0;
    for (std::uint32_t t = 0; t < u.way.may.size(); ++t) {
      if (!u.way.may[t]) continue;
      const number at = u.offset.at(t);
      for (number b = std::max<number>(at, 0); b < std::min(at + u.bytes, limit()); ++b) {
        const cell& c = b < static_cast<number>(cells_.size()) ? cells_[static_cast<std::size_t>(b)] : unwritten;
        if (c.is_sure) continue;
        if (c.is_maybe) {
          if (last != nullptr && last_reader == t && last->use == c.use && last->thread == c.thread) continue;
          const auto [known, is_new] = implied.try_emplace(c.use);
          if (is_new) known->second = implication(uses[c.use].way, u.way, all, s);
          if (known->second.holds(c.thread, t)) {
            last = &c, last_reader = t;
            continue;
          }
        }
        const bool is_unwritten = !c.is_maybe && !is_anywhere_;
        if (is_unwritten) return {state::kind::unwritten, t, b};
        if (worst.what == state::kind::written) worst = {state::kind::unknown, t, b};
      }
    }
    return worst;
  }

 private:
  struct cell {
    bool is_sure = false;
    bool is_maybe = false;  // by this thread in this use
    std::uint32_t use = 0;
    std::uint32_t thread = 0;
  };

  // Shared memory of a block ends before it. Source: CUDA C++ Programming Guide, technical specifications.
  static constexpr number most_bytes = 256 * 1024;
  number limit() const { return is_sized_ ? most_bytes : size(); }

  // Whether one of the two is taken: they are the ways of one branch.
  static bool are_both_ways(const path& a, const path& b) {
    return a.literals->size() == 1 && b.literals->size() == 1 &&
           a.literals->front().condition == b.literals->front().condition &&
           a.literals->front().holds != b.literals->front().holds;
  }

  // Whether the writer has come by its way when the reader comes by its own. What one thread knows says something of
  // another only as far as both see the same: arguments, the block, iterations that a barrier holds together.
  class implication {
   public:
    implication() = default;
    implication(const path& writer, const path& reader, const conditions& all, const symbols& s) {
      const dynamic_array<form> given = reader.facts(all);
      for (const literal& l : *writer.literals) {
        const condition& c = all[l.condition];
        if (c.what == condition::kind::known) continue;
        const auto is_same = [&](const literal& other) { return other.condition == l.condition && other.holds == l.holds; };
        const bool is_on_both = std::any_of(reader.literals->begin(), reader.literals->end(), is_same);
        if (is_on_both && c.is_uniform && !c.is_loose) continue;
        dynamic_array<form> wanted;
        if (!all.facts(l.condition, l.holds, wanted)) {
          is_of_one_thread_ = is_of_one_thread_ || is_on_both;
          is_possible_ = is_possible_ && is_on_both;
          continue;
        }
        for (form& f : wanted) {
          needs_.push_back({f, s.shared(form{f.terms, 0, nullptr}) > sharing::block || s.is_loose(f), {}});
          for (const form& g : given)
            if (g.terms == f.terms && !g.is_broken && !f.is_broken) needs_.back().given.push_back(g);
        }
      }
    }

    bool holds(std::size_t writer, std::size_t reader) const {
      if (!is_possible_ || (is_of_one_thread_ && writer != reader)) return false;
      for (const need& n : needs_)
        if ((n.is_of_one_thread && writer != reader) ||
            std::none_of(n.given.begin(), n.given.end(), [&](const form& g) { return n.wanted.at(writer) <= g.at(reader); }))
          return false;
      return true;
    }

   private:
    struct need {
      form wanted;  // <= 0
      bool is_of_one_thread = false;
      dynamic_array<form> given;
    };
    bool is_possible_ = true;
    bool is_of_one_thread_ = false;
    dynamic_array<need> needs_;
  };

  dynamic_array<cell> cells_;
  bool is_sized_;
  std::size_t sure_ = 0, touched_ = 0;  // cells that are written, that are or may be
  bool is_anywhere_ = false;
};

/// What has been written of a tile.
struct written_tile {
  written_bytes all;
  std::optional<written_bytes> plain = {};  // without atomics and strong stores, once there is one

  explicit written_tile(number size) : all(size) {}

  void write(const dynamic_array<use>& uses, std::uint32_t id) {
    if (uses[id].is_atomic && !plain) plain = all;
    all.write(uses, id);
    if (!uses[id].is_atomic && plain) plain->write(uses, id);
  }
};

}  // namespace tg::proof
