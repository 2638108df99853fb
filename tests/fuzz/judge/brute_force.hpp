// What one run shows to be wrong: every pair of threads that touches one element, every access outside, every element
// of a tile that is read unwritten, every barrier that is missed.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <unordered_set>
#include <vector>

#include <tg/dsl/proof/finding.hpp>

#include "host.hpp"

namespace judge {

/// One thing that a run shows.
struct fault {
  tg::question question = tg::question::shared_race;
  int line = 0;
  int other = 0;
  bool has_wrapped = false;       // an index or condition on the way to it left the range of its type
  std::array<bool, 3> differs{};  // between blocks: along which axes
  std::string text;
  bool is_unclaimed = false;  // no proof excludes it: a race outside of a tile, or a read that the kernel need not make

  /// Equal for faults that say the same of the same lines.
  std::uint64_t key() const {
    const auto low = static_cast<std::uint64_t>(std::min(line, other)),
               high = static_cast<std::uint64_t>(std::max(line, other));
    return low << 40 | high << 16 | static_cast<std::uint64_t>(question) << 8 | static_cast<std::uint64_t>(is_unclaimed) << 4 |
           static_cast<std::uint64_t>(has_wrapped) << 3 | static_cast<std::uint64_t>(differs[0]) << 2 |
           static_cast<std::uint64_t>(differs[1]) << 1 | static_cast<std::uint64_t>(differs[2]);
  }
};

class brute_force {
 public:
  brute_force(const kernel& k, const launch& l, const outcome& run) : kernel_(k), launch_(l), run_(run) {}

  std::vector<fault> operator()() {
    races();
    extents();
    unwritten();
    if (!run_.missed.empty()) {
      add({tg::question::barrier, run_.missed.front(), run_.missed.back(), any_wrapped(), {}, {}, false}, [&] {
        std::string out = "some threads do not come to what the others wait at, lines";
        for (const int line : run_.missed) out += " " + std::to_string(line);
        return out;
      });
    }
    return std::move(out_);
  }

 private:
  // `text()` is asked for once for each kind of fault.
  template <class Text> void add(fault f, Text text) {
    if (!known_.insert(f.key()).second) return;
    f.text = text();
    out_.push_back(std::move(f));
  }
  bool any_wrapped() const {
    return run_.has_wrapped ||
           std::any_of(run_.touches.begin(), run_.touches.end(), [](const touch& t) { return t.has_wrapped; });
  }
  bool is_tile(const touch& t) const { return kernel_.objects[static_cast<std::size_t>(t.object)].what == object::kind::tile; }

  void races() {
    const auto place = [&](const touch* t) { return std::tuple(t->object, is_tile(*t) ? t->block : 0, t->offset); };
    std::vector<const touch*> all;
    for (const touch& t : run_.touches) all.push_back(&t);
    std::stable_sort(all.begin(), all.end(), [&](const touch* a, const touch* b) { return place(a) < place(b); });
    for (auto first = all.begin(); first != all.end();) {
      const auto last = std::find_if(first, all.end(), [&](const touch* t) { return place(t) != place(*first); });
      const std::vector<const touch*> here(first, last);
      first = last;
      if (here.size() < 2 || std::none_of(here.begin(), here.end(), [](const touch* t) { return t->writes; })) continue;
      const std::vector<const touch*> some = few(here);
      for (std::size_t b = 1; b < some.size(); ++b)
        for (std::size_t a = 0; a < b; ++a) compare(*some[a], *some[b]);
    }
  }

  // The first and the last touches of each line.
  static std::vector<const touch*> few(const std::vector<const touch*>& all) {
    if (all.size() <= 64) return all;
    std::map<int, int> before, after;
    for (const touch* t : all) ++after[t->line];
    std::vector<const touch*> out;
    for (const touch* t : all) {
      const int n = before[t->line]++, rest = --after[t->line];
      if (n < 20 || rest < 12) out.push_back(t);
    }
    return out;
  }

  static bool is_over(const touch& a, const touch& b) { return (*b.seen)[a.thread] > a.epoch; }

  void compare(const touch& a, const touch& b) {
    if ((!a.writes && !b.writes) || (a.is_atomic && b.is_atomic)) return;
    const bool is_same_block = a.block == b.block;
    if (is_same_block && a.thread == b.thread) {
      if (a.is_copy && b.begin > a.begin && b.begin < a.end) conflict(tg::question::async_copy, a, b);
      if (b.is_copy && a.begin > b.begin && a.begin < b.end) conflict(tg::question::async_copy, a, b);
      return;
    }
    if (is_same_block && (is_over(a, b) || is_over(b, a))) return;
    conflict(is_tile(a) ? (a.is_copy || b.is_copy) ? tg::question::async_copy : tg::question::shared_race
                        : tg::question::global_race,
             a, b);
  }

  // What is proved of races is proved inside of tiles.
  bool is_outside_tile(const touch& t) const {
    const object& o = kernel_.objects[static_cast<std::size_t>(t.object)];
    return is_tile(t) && (t.offset < 0 || t.offset >= std::int64_t{o.elements} * bytes_of(o.of));
  }

  void conflict(tg::question q, const touch& a, const touch& b) {
    fault f{q, a.line, b.line, a.has_wrapped || b.has_wrapped, {}, {}, a.is_optional || b.is_optional || is_outside_tile(a)};
    std::uint32_t x = a.block, y = b.block;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      f.differs[axis] = x % launch_.grid[axis] != y % launch_.grid[axis];
      x /= launch_.grid[axis], y /= launch_.grid[axis];
    }
    const auto who = [](const touch& t) {
      return std::string(t.is_atomic ? "atomic"
                         : t.writes  ? "write"
                                     : "read") +
             " of line " + std::to_string(t.line) + " by thread " + std::to_string(t.thread) + " of block " +
             std::to_string(t.block);
    };
    add(std::move(f), [&] {
      return who(a) + " and " + who(b) + " at byte " + std::to_string(a.offset) + " of object " + std::to_string(a.object);
    });
  }

  void extents() {
    for (const touch& t : run_.touches) {
      const object& o = kernel_.objects[static_cast<std::size_t>(t.object)];
      const std::int64_t size = static_cast<std::int64_t>(is_tile(t) ? o.elements : o.at_least) * bytes_of(o.of);
      if (size > 0 && (t.offset < 0 || t.offset > size - t.bytes))
        add({tg::question::extents, t.line, t.line, t.has_wrapped, {}, {}, t.is_optional}, [&] {
          return "thread " + std::to_string(t.thread) + " of block " + std::to_string(t.block) + " touches byte " +
                 std::to_string(t.offset) + " of object " + std::to_string(t.object);
        });
    }
  }

  // Read where nothing was written before: by the thread itself, or by one that has met it since.
  void unwritten() {
    std::map<std::tuple<int, std::uint32_t, std::int64_t>, std::vector<const touch*>> written;
    const bool wrapped = any_wrapped();
    for (const touch& t : run_.touches) {
      if (!is_tile(t)) continue;
      const std::tuple place{t.object, t.block, t.offset};
      const object& o = kernel_.objects[static_cast<std::size_t>(t.object)];
      const bool is_inside = t.offset >= 0 && t.offset <= o.elements * bytes_of(o.of) - t.bytes;
      if (!is_inside) continue;
      std::vector<const touch*>& writes = written[place];
      if (t.reads &&
          std::none_of(writes.begin(), writes.end(), [&](const touch* w) { return w->thread == t.thread || is_over(*w, t); }))
        add({tg::question::initialized, t.line, t.line, wrapped, {}, {}, t.is_optional}, [&] {
          return "thread " + std::to_string(t.thread) + " of block " + std::to_string(t.block) + " reads byte " +
                 std::to_string(t.offset) + " of object " + std::to_string(t.object) + ", which nobody has written";
        });
      if (t.writes) writes.push_back(&t);
    }
  }

  const kernel& kernel_;
  const launch& launch_;
  const outcome& run_;
  std::vector<fault> out_;
  std::unordered_set<std::uint64_t> known_;
};

}  // namespace judge
