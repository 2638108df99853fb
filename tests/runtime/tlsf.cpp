#include <tg/runtime/tlsf.hpp>

#include <doctest/doctest.h>

#include <map>
#include <random>
#include <vector>

using tg::runtime::address_range;
using tg::runtime::tlsf;

namespace {

constexpr std::size_t mib = std::size_t{1} << 20;
constexpr std::uint64_t base = std::uint64_t{1} << 40;

/// What a set of ranges must be, kept byte range by byte range: begin -> (bytes, lane or used).
class model {
 public:
  static constexpr int used = -1, absent = -2;

  explicit model(address_range all) { parts_[all.begin] = {all.bytes, absent}; }

  void set(address_range r, int from, int to) {
    auto it = std::prev(parts_.upper_bound(r.begin));
    const auto [begin, part] = *it;
    REQUIRE(part.kind == from);
    REQUIRE(begin + part.bytes >= r.end());
    parts_.erase(it);
    if (begin < r.begin) parts_[begin] = {r.begin - begin, from};
    if (r.end() < begin + part.bytes) parts_[r.end()] = {begin + part.bytes - r.end(), from};
    parts_[r.begin] = {r.bytes, to};
    if (to != used) join(r.begin);
  }
  void hand_over(int from, int to) {
    for (auto& [begin, part] : parts_)
      if (part.kind == from) part.kind = to;
    for (auto it = parts_.begin(); it != parts_.end();) {
      const auto begin = it->first;
      ++it;
      if (parts_.contains(begin) && parts_[begin].kind == to) join(begin), it = parts_.upper_bound(begin);
    }
  }
  std::size_t largest(int kind) const {
    std::size_t out = 0;
    for (const auto& [begin, part] : parts_)
      if (part.kind == kind) out = std::max(out, part.bytes);
    return out;
  }
  std::size_t total(int kind) const {
    std::size_t out = 0;
    for (const auto& [begin, part] : parts_)
      if (part.kind == kind) out += part.bytes;
    return out;
  }

 private:
  struct part {
    std::size_t bytes;
    int kind;
  };

  void join(std::uint64_t begin) {
    auto it = parts_.find(begin);
    if (const auto next = std::next(it); next != parts_.end() && next->second.kind == it->second.kind) {
      it->second.bytes += next->second.bytes;
      parts_.erase(next);
    }
    if (it == parts_.begin()) return;
    if (const auto before = std::prev(it); before->second.kind == it->second.kind) {
      before->second.bytes += it->second.bytes;
      parts_.erase(it);
    }
  }

  std::map<std::uint64_t, part> parts_;
};

struct held {
  tlsf::block block;
  address_range range;
};

}  // namespace

TEST_CASE("freed neighbours of one lane become one range, those of two lanes do not") {
  tlsf ranges;
  ranges.reserve({base, 16 * mib});
  CHECK(ranges.allocate(1, 0) == tlsf::none);
  ranges.provide({base, 4 * mib}, 0);
  const auto a = ranges.allocate(mib, 0), b = ranges.allocate(mib, 0), c = ranges.allocate(mib - 255, 0);
  CHECK(ranges.begin_of(a) == base);
  CHECK(ranges.bytes_of(c) == mib);
  CHECK(ranges.free_bytes() == mib);
  ranges.free(a, 0);
  ranges.free(b, 1);
  CHECK(ranges.largest_free() == mib);
  CHECK(ranges.free_bytes(1) == mib);
  CHECK(ranges.allocate(2 * mib, 0) == tlsf::none);
  CHECK(ranges.allocate(mib + 1, 1) == tlsf::none);
  CHECK(ranges.free_ranges() == std::vector<address_range>{{base, 2 * mib}, {base + 3 * mib, mib}});
  ranges.hand_over(1, 0);
  CHECK(ranges.largest_free() == 2 * mib);
  ranges.free(c, 0);
  CHECK(ranges.largest_free() == 4 * mib);
  CHECK(ranges.missing_bytes(6 * mib, {base, 16 * mib}, 0) == 2 * mib);
  CHECK(ranges.missing_bytes(6 * mib, {base, 16 * mib}, 1) == 6 * mib);
  CHECK(ranges.missing_bytes(mib, {base, 16 * mib}, 0) == 0);
}

TEST_CASE("memory is taken away from the middle and comes back") {
  tlsf ranges;
  ranges.reserve({base, 16 * mib});
  ranges.provide({base, 8 * mib}, 0);
  ranges.withdraw({base + 2 * mib, 2 * mib});
  CHECK(ranges.free_ranges() == std::vector<address_range>{{base, 2 * mib}, {base + 4 * mib, 4 * mib}});
  CHECK(ranges.allocate(6 * mib, 0) == tlsf::none);
  ranges.provide({base + 2 * mib, 2 * mib}, 0);
  CHECK(ranges.largest_free() == 8 * mib);
  ranges.withdraw({base, 8 * mib});
  CHECK(ranges.free_bytes() == 0);
  ranges.forget({base, 16 * mib});
  ranges.reserve({2 * base, mib});
  ranges.provide({2 * base, mib}, 3);
  CHECK(ranges.begin_of(ranges.allocate(mib, 3)) == 2 * base);
}

TEST_CASE("an exact fit is found before a larger range is cut") {
  tlsf ranges;
  ranges.reserve({base, 64 * mib});
  ranges.provide({base, 64 * mib}, 0);
  const std::size_t odd = 5 * mib + 256 * 7;
  const auto hole = ranges.allocate(odd, 0), wall = ranges.allocate(256, 0);
  ranges.free(hole, 0);
  const auto again = ranges.allocate(odd, 0);
  CHECK(ranges.begin_of(again) == base);
  CHECK(ranges.begin_of(wall) == base + odd);
}

TEST_CASE("random work does what a simple model does") {
  for (unsigned seed = 0; seed < 20; ++seed) {
    CAPTURE(seed);
    std::mt19937 random(seed);
    const auto below = [&](std::size_t n) { return std::uniform_int_distribution<std::size_t>(0, n - 1)(random); };
    tlsf ranges;
    const address_range all{base, 256 * mib};
    model expected(all);
    ranges.reserve(all);
    std::vector<held> live;
    std::uint64_t top = base;
    for (int step = 0; step < 3000; ++step) {
      const auto lane = static_cast<tlsf::lane>(below(3));
      switch (below(12)) {
        case 0:
          if (top < all.end()) {
            const address_range piece{top, std::min<std::size_t>(2 * mib * (1 + below(4)), all.end() - top)};
            top = piece.end();
            expected.set(piece, model::absent, static_cast<int>(lane));
            ranges.provide(piece, lane);
          }
          break;
        case 1:
          if (below(4) == 0) {
            const auto to = static_cast<tlsf::lane>(below(3));
            ranges.hand_over(lane, to);
            if (lane != to) expected.hand_over(static_cast<int>(lane), static_cast<int>(to));
          }
          break;
        case 2:
        case 3:
        case 4:
        case 5:
        case 6:
          if (!live.empty()) {
            const std::size_t k = below(live.size());
            expected.set(live[k].range, model::used, static_cast<int>(lane));
            ranges.free(live[k].block, lane);
            live[k] = live.back();
            live.pop_back();
          }
          break;
        default: {
          const std::size_t bytes = below(8) == 0 ? 1 + below(8 * mib) : 1 + below(64 << 10);
          const std::size_t largest = expected.largest(static_cast<int>(lane));
          const tlsf::block b = ranges.allocate(bytes, lane);
          // Ranges of one class differ by less than a 32nd: only then may a fit among many be missed.
          if (largest >= tlsf::round_up(bytes) + bytes / 16 + 256) REQUIRE(b != tlsf::none);
          if (b == tlsf::none) break;
          const address_range r{ranges.begin_of(b), ranges.bytes_of(b)};
          REQUIRE(r.bytes == tlsf::round_up(bytes));
          REQUIRE(r.begin % tlsf::quantum_bytes == 0);
          expected.set(r, static_cast<int>(lane), model::used);
          live.push_back({b, r});
        }
      }
      for (int l = 0; l < 3; ++l) {
        REQUIRE(ranges.free_bytes(static_cast<tlsf::lane>(l)) == expected.total(l));
        REQUIRE(ranges.largest_free(static_cast<tlsf::lane>(l)) == expected.largest(l));
      }
    }
    for (const held& h : live) ranges.free(h.block, 0);
    ranges.hand_over(1, 0);
    ranges.hand_over(2, 0);
    CHECK(ranges.largest_free() == top - base);
  }
}

TEST_CASE("10,000 random allocations of 1 KB to 10 MB reserve little more than they use at once") {
  constexpr std::size_t unit = 2 * mib, most_live = 1000;
  std::mt19937_64 random(12);
  std::uniform_int_distribution<std::size_t> sizes(1 << 10, 10 * mib);
  tlsf ranges;
  const address_range all{base, std::size_t{1} << 40};
  ranges.reserve(all);
  std::uint64_t top = base;
  std::size_t live_bytes = 0, peak_bytes = 0;
  std::vector<std::pair<tlsf::block, std::size_t>> live;
  for (int i = 0; i < 10000; ++i) {
    if (live.size() == most_live) {
      auto& victim = live[random() % live.size()];
      ranges.free(victim.first, 0);
      live_bytes -= victim.second;
      victim = live.back();
      live.pop_back();
    }
    const std::size_t bytes = sizes(random);
    tlsf::block b = ranges.allocate(bytes, 0);
    if (b == tlsf::none) {
      const std::size_t more = (ranges.missing_bytes(bytes, all, 0) + unit - 1) / unit * unit;
      ranges.provide({top, more}, 0);
      top += more;
      b = ranges.allocate(bytes, 0);
    }
    REQUIRE(b != tlsf::none);
    live.emplace_back(b, bytes);
    live_bytes += bytes;
    peak_bytes = std::max(peak_bytes, live_bytes);
  }
  const double ratio = static_cast<double>(top - base) / static_cast<double>(peak_bytes);
  MESSAGE("reserved / peak live: ", ratio);
  CHECK(ratio < 1.1);
}
