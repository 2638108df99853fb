// The rules of the memory hardware once more, slowly: sets of bytes, sectors and words, nothing shared with the
// library.
#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <numeric>
#include <random>
#include <set>
#include <vector>

#include <tg/analysis/request.hpp>

namespace brute_force {

using tg::analysis::request;

/// The bytes each active lane touches.
inline std::vector<std::vector<std::int64_t>> bytes_of_lanes(const request& r) {
  std::vector<std::vector<std::int64_t>> out(32);
  for (unsigned lane = 0; lane < 32; ++lane)
    if (r.active & (1u << lane))
      for (int byte = 0; byte < r.access_bytes; ++byte) out[lane].push_back(r.address_bytes[lane] + byte);
  return out;
}

inline std::int64_t piece(std::int64_t byte, std::int64_t unit) {
  return byte >= 0 ? byte / unit : -((unit - 1 - byte) / unit);
}

struct global {
  int sectors = 0;
  int lines = 0;
  int bytes = 0;
  int slack = 0;
  bool good = false;
};

inline global count_global(const request& r) {
  std::set<std::int64_t> bytes;
  for (const auto& lane : bytes_of_lanes(r)) bytes.insert(lane.begin(), lane.end());
  std::set<std::int64_t> sectors;
  std::set<std::int64_t> lines;
  for (const auto byte : bytes) {
    sectors.insert(piece(byte, 32));
    lines.insert(piece(byte, 128));
  }
  global out{int(sectors.size()), int(lines.size()), int(bytes.size()), 0, false};
  for (auto at = bytes.begin(); at != bytes.end();) {
    std::set<std::int64_t> span;
    int length = 0;
    std::int64_t next = *at;
    for (; at != bytes.end() && *at == next; ++at, ++next, ++length) span.insert(piece(*at, 32));
    out.slack += int(span.size()) - (length + 31) / 32;
  }
  out.good = out.sectors - out.slack <= (out.bytes + 31) / 32;
  return out;
}

/// Sectors where each lane pays for its own: a defect that the comparison must find.
inline int count_global_per_lane(const request& r) {
  int sectors = 0;
  for (const auto& lane : bytes_of_lanes(r)) {
    std::set<std::int64_t> own;
    for (const auto byte : lane) own.insert(piece(byte, 32));
    sectors += int(own.size());
  }
  return sectors;
}

struct shared {
  int wavefronts = 0;
  int phases = 0;
  int ways = 0;
};

/// `is_broadcast` false drops the rule that lanes share a word: a defect that the comparison must find.
inline shared count_shared(const request& r, bool is_broadcast = true) {
  const auto lanes = bytes_of_lanes(r);
  const std::size_t group = r.access_bytes == 16 ? 8 : r.access_bytes == 8 ? 16 : 32;
  shared out;
  for (std::size_t first = 0; first < 32; first += group) {
    std::map<std::int64_t, std::multiset<std::int64_t>> words_of_bank;
    for (std::size_t lane = first; lane < first + group; ++lane) {
      std::set<std::int64_t> words;
      for (const auto byte : lanes[lane]) words.insert(piece(byte, 4));
      for (const auto word : words) words_of_bank[((word % 32) + 32) % 32].insert(word);
    }
    int ways = 0;
    for (const auto& [bank, words] : words_of_bank) {
      const std::set<std::int64_t> distinct(words.begin(), words.end());
      ways = std::max(ways, int(is_broadcast ? distinct.size() : words.size()));
    }
    out.wavefronts += ways;
    out.phases += ways > 0 ? 1 : 0;
    out.ways = std::max(out.ways, ways);
  }
  return out;
}

/// Requests as kernels make them and as they do not: strides, tiles, broadcasts, scatter, each with partial masks.
inline request random_request(std::mt19937& random) {
  const auto below = [&](int n) { return int(random() % unsigned(n)); };
  request r;
  r.access_bytes = 1 << below(5);
  r.active = below(3) ? 0xffffffffu : below(2) ? random() : (1u << below(32)) - 1;
  const std::int64_t base = (below(4) ? std::int64_t(below(64)) * r.access_bytes : below(4096)) - (below(8) ? 0 : 2048);
  const int kind = below(6);
  const int step = below(40) - 4;
  const int row = below(5);
  const int pitch = below(70);
  const int mask = below(32);
  for (int lane = 0; lane < 32; ++lane) {
    std::int64_t at = 0;
    if (kind == 0) at = lane;
    if (kind == 1) at = std::int64_t{lane} * step;
    if (kind == 2) at = std::int64_t{lane >> row} * pitch + (lane & ((1 << row) - 1)) * (1 + step % 3);
    if (kind == 3) at = below(2) ? step : lane * (mask & 3);
    if (kind == 4) at = below(1 << (3 + row * 2));
    if (kind == 5) at = std::int64_t{lane ^ mask} * (1 + row);
    r.address_bytes[unsigned(lane)] = base + at * (mask == 31 ? 1 : r.access_bytes);
  }
  return r;
}

}  // namespace brute_force
