// What a random kernel that runs on the host has in memory, and the threads that touch it: every touch is logged.
#pragma once

#include <algorithm>
#include <array>
#include <cstring>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "arithmetic.hpp"
#include "fiber.hpp"
#include "outcome.hpp"
#include "plant.hpp"

namespace judge {

/// The state of a launch, its names and its memory.
class host_memory {
 protected:
  host_memory(const kernel& k, const launch& l, plant broken, int most_steps)
      : kernel_(k), launch_(l), broken_(broken), most_steps_(most_steps) {}

  struct number {
    bits n = 0;
    bool has_wrapped = false;
  };
  enum class waiting { nothing, barrier, named, warp, over };
  struct copy {
    std::size_t touch;
    int tile, buffer;
    std::int64_t to, from;
    std::uint32_t group;
  };
  struct thread {
    std::uint32_t id = 0;
    std::array<std::uint32_t, 3> at{};
    std::vector<number> names;
    std::vector<char> is_named;
    fiber* stack = nullptr;
    waiting waits = waiting::nothing;
    int line = 0;
    const expr* collective = nullptr;
    bits own = 0, argument = 0, result = 0;
    int barrier = 0, threads = 0;
    std::uint32_t interval = 0, epoch = 0, sequence = 0, groups = 0;
    const std::vector<std::uint32_t>* seen = nullptr;
    std::vector<copy> copies;
    std::vector<std::uint32_t> turns;  // iterations done of each loop that it is in, outermost first
    int steps = 0;
    bool is_stopped = false;
    bool has_wrapped = false;  // a condition on its way did
    bool is_optional = false;  // what is computed is an operand that need not be looked at
    std::string failure;
  };

  /// The iterations of a loop that a thread is in.
  struct turn_of {
    explicit turn_of(thread& t) : t(t) { t.turns.push_back(0); }
    turn_of(const turn_of&) = delete;
    ~turn_of() { t.turns.pop_back(); }
    void next() { ++t.turns.back(); }
    thread& t;
  };
  /// Whether both have come to one barrier of the program in the same iterations. CUDA C++ programming guide, synchronization
  /// functions: a barrier in conditional code wants a condition that all threads of the block find equal.
  static bool are_together(const thread& a, const thread& b) { return a.line == b.line && a.turns == b.turns; }

  struct arrival {
    thread* who;
    std::uint32_t epoch;
    const std::vector<std::uint32_t>* seen;
    int threads;  // that the barrier waits for
    int line;
  };

  number& named(thread& t, int index) {
    if (index < 0 || index >= names_ || !t.is_named[static_cast<std::size_t>(index)])
      throw malformed("a name that is not declared");
    return t.names[static_cast<std::size_t>(index)];
  }
  void declare(thread& t, int index, number n) {
    t.names[static_cast<std::size_t>(index)] = n;
    t.is_named[static_cast<std::size_t>(index)] = 1;
  }

  // Memory.
  std::vector<std::uint8_t>& bytes(int object) {
    const auto n = static_cast<std::size_t>(object);
    if (n >= kernel_.objects.size()) throw malformed("an object that is not there");
    return kernel_.objects[n].what == object::kind::tile ? tiles_[n] : out_.memory[n];
  }
  struct bytes_from_start {
    std::int64_t n = 0;
    bool has_wrapped = false;
  };
  bytes_from_start offset(int object, type index, number at) const {
    const std::int64_t element = to_signed(index == type::u32 ? type::u64 : index, at.n);
    bytes_from_start out;
    out.has_wrapped =
        __builtin_mul_overflow(element, bytes_of(kernel_.objects.at(static_cast<std::size_t>(object)).of), &out.n);
    return out;
  }
  touch& log(thread& t, int object, type index, number at, int line, bool writes, bool is_atomic) {
    touch now;
    now.line = line, now.object = object, now.bytes = bytes_of(kernel_.objects.at(static_cast<std::size_t>(object)).of);
    now.reads = !writes || is_atomic, now.writes = writes, now.is_atomic = is_atomic,
    now.has_wrapped = at.has_wrapped || t.has_wrapped;
    now.is_optional = t.is_optional && !writes && !is_atomic;
    const bytes_from_start from = offset(object, index, at);
    now.block = block_, now.thread = t.id, now.offset = from.n, now.has_wrapped |= from.has_wrapped;
    // Addresses of shared memory have 32 bits.
    if (kernel_.objects[static_cast<std::size_t>(object)].what == judge::object::kind::tile && now.offset >> 32 != 0)
      now.offset &= 0xffffffff, now.has_wrapped = true;
    now.interval = t.interval, now.epoch = t.epoch, now.begin = now.end = ++t.sequence, now.seen = t.seen;
    out_.touches.push_back(std::move(now));
    return out_.touches.back();
  }
  static bool is_inside(const std::vector<std::uint8_t>& m, std::int64_t at, int count) {
    return at >= 0 && at <= static_cast<std::int64_t>(m.size()) - count;
  }
  bits peek(int object, std::int64_t at) {
    const int count = bytes_of(kernel_.objects[static_cast<std::size_t>(object)].of);
    auto& m = bytes(object);
    bits out = 0;
    if (is_inside(m, at, count)) std::memcpy(&out, m.data() + at, static_cast<std::size_t>(count));
    return out;
  }
  void poke(int object, std::int64_t at, bits n) {
    const int count = bytes_of(kernel_.objects[static_cast<std::size_t>(object)].of);
    auto& m = bytes(object);
    if (is_inside(m, at, count)) std::memcpy(m.data() + at, &n, static_cast<std::size_t>(count));
  }
  bits read(thread& t, int object, type index, number at, int line, bool is_atomic = false) {
    const std::int64_t where = log(t, object, index, at, line, false, is_atomic).offset;
    const bits out = peek(object, where);
    return kernel_.objects[static_cast<std::size_t>(object)].of == type::b ? out != 0 : out;
  }
  void write(thread& t, int object, type index, number at, bits n, int line, bool is_atomic) {
    touch& now = log(t, object, index, at, line, true, is_atomic);
    now.reads = false;
    poke(object, now.offset, n);
  }

  void finish_copies(thread& t, std::uint32_t last_group) {
    ++t.sequence;
    for (std::size_t n = 0; n < t.copies.size();) {
      const copy c = t.copies[n];
      if (c.group > last_group) {
        ++n;
        continue;
      }
      poke(c.tile, c.to, peek(c.buffer, c.from));
      out_.touches[c.touch].epoch = t.epoch;
      out_.touches[c.touch].end = t.sequence;
      t.copies.erase(t.copies.begin() + static_cast<std::ptrdiff_t>(n));
    }
  }

  const kernel& kernel_;
  const launch& launch_;
  plant broken_;
  int most_steps_;
  outcome out_;
  int names_ = 0;
  std::set<int> optional_;
  bool needs_fibers_ = false;
  std::uint32_t block_ = 0;
  std::array<std::uint32_t, 3> block_at_{};
  std::vector<std::vector<std::uint8_t>> tiles_;
  std::vector<thread> threads_;
  std::map<int, std::vector<arrival>> arrived_;
  std::map<std::pair<int, std::uint32_t>, std::size_t> visits_;  // of a line with a named barrier by a warp
  fiber scheduler_;
  thread* running_ = nullptr;
};

}  // namespace judge
