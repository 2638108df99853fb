// What a run of a random kernel starts with, and what it shows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <deque>
#include <vector>

#include "tree.hpp"

namespace judge {

/// One thread's access to one object.
struct touch {
  int line = 0;
  int object = 0;
  int bytes = 0;
  bool reads = false;
  bool writes = false;
  bool is_atomic = false;
  bool is_copy = false;      // asynchronous
  bool is_optional = false;  // a read for an operand that need not be looked at
  bool has_wrapped = false;  // a sum or product in its index left the range of its type
  std::uint32_t block = 0;
  std::uint32_t thread = 0;
  std::int64_t offset = 0;                           // in bytes
  std::uint32_t interval = 0;                        // barriers of the block that the thread has passed
  std::uint32_t epoch = 0;                           // of the thread, when the access is over
  std::uint32_t begin = 0;                           // number among the thread's accesses and waits, when it begins
  std::uint32_t end = 0;                             // and when it is over
  const std::vector<std::uint32_t>* seen = nullptr;  // epochs of the other threads that are over for this one
};

/// What a run shows.
struct outcome {
  std::vector<std::vector<std::uint8_t>> memory;  // of each object that is a buffer
  std::vector<touch> touches;
  std::deque<std::vector<std::uint32_t>> epochs;  // that touches point to
  std::vector<int> missed;                        // lines of barriers and collectives that some threads do not come to
  bool is_cut_short = false;                      // a thread ran out of steps
  bool has_wrapped = false;                       // a condition on some thread's way left the range of its type
};

/// Whether every access of a run is to an element that its object has.
inline bool stays_in_memory(const kernel& k, const outcome& run) {
  return std::all_of(run.touches.begin(), run.touches.end(), [&](const touch& t) {
    const object& o = k.objects[static_cast<std::size_t>(t.object)];
    return t.offset >= 0 && t.offset <= static_cast<std::int64_t>(o.elements) * bytes_of(o.of) - t.bytes;
  });
}

/// First contents of a buffer: small numbers, edges, anything. Outputs hold a pattern.
inline std::vector<std::uint8_t> first_contents(const kernel& k, int object, const launch& l) {
  const judge::object& o = k.objects[static_cast<std::size_t>(object)];
  std::vector<std::uint8_t> out(static_cast<std::size_t>(o.elements) * static_cast<std::size_t>(bytes_of(o.of)), 0xa5);
  if (o.what == object::kind::out) return out;
  std::uint64_t x = l.data * 0x9e3779b97f4a7c15u + static_cast<std::uint64_t>(object) * 0xbf58476d1ce4e5b9u + 1;
  for (int n = 0; n < o.elements; ++n) {
    x ^= x << 13, x ^= x >> 7, x ^= x << 17;
    bits v = x;
    if (is_float(o.of)) {
      constexpr double numbers[] = {0.0, -0.0, 1.0, -1.5, 3.25, 1e30, -1e-40, 16777217.0};
      v = (x >> 60) < 8 ? from_double(o.of, numbers[x >> 60])
                        : from_double(o.of, static_cast<double>(static_cast<int>(x >> 20 & 0xffff)) / 7.0 - 4000.0);
    } else {
      switch (x >> 61) {
        case 0:
        case 1: v = x & 0xf; break;
        case 2: v = bits{0} - (x & 7); break;
        case 3: v = bits{1} << (x & 63); break;
        case 4: v = (bits{1} << (x & 63)) - 1; break;
        default: break;
      }
      if (o.of == type::b) v &= 1;
    }
    std::memcpy(out.data() + static_cast<std::size_t>(n) * static_cast<std::size_t>(bytes_of(o.of)), &v,
                static_cast<std::size_t>(bytes_of(o.of)));
  }
  for (const auto& [at, v] : l.elements)
    if (at.first == object && at.second >= 0 && at.second < o.elements)
      std::memcpy(out.data() + static_cast<std::size_t>(at.second) * static_cast<std::size_t>(bytes_of(o.of)), &v,
                  static_cast<std::size_t>(bytes_of(o.of)));
  return out;
}

}  // namespace judge
