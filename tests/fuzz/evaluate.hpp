// A random kernel on the host: what threads do together one after the other, everything else thread after thread.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "atomics.hpp"
#include "program.hpp"

namespace fuzz {

inline std::uint64_t cut(std::uint64_t bits, int width) {
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

/// The memory of all threads before the kernel runs.
inline std::vector<std::byte> first_memory(const program& p) {
  std::vector<std::byte> out(std::size_t{2} * p.threads() * thread_bytes + common_bytes);
  for (std::uint32_t t = 0; t < 2 * p.threads(); ++t)
    for (int k = 0; k < thread_bytes / 8; ++k) {
      std::uint64_t v = first_value(p.seed, t, k);
      for (const register_class& c : classes)
        if (k >= index_of(c.name, 0) && k < index_of(c.name, c.count)) v = cut(v, c.width);
      std::memcpy(out.data() + t * std::size_t{thread_bytes} + static_cast<std::size_t>(8 * k), &v, 8);
    }
  return out;
}

using registers = std::array<std::uint64_t, register_count>;

/// One thread; `memory` is its own part, `common` that of all.
class thread {
 public:
  thread(const program& p, std::uint32_t block, std::uint32_t number, std::span<std::byte> memory, std::byte* common)
      : program_(p), block_(block), number_(number), memory_(memory), common_(common) {
    std::memcpy(registers_.data(), memory.data(), sizeof registers_);
  }

  /// Runs what it does alone.
  void run(const statement& s) {
    if (!has_left_) run_one(s);
  }

  void finish() const {
    if (has_left_) return;
    for (const register_class& c : classes)
      for (int k = 0; k < c.count; ++k) {
        const auto at = static_cast<std::size_t>(index_of(c.name, k));
        const std::uint64_t bits = registers_[at];
        std::memcpy(memory_.data() + 8 * at, &bits, static_cast<std::size_t>(c.width == 1 ? 2 : c.width / 8));
      }
  }

  std::uint64_t read(const value& v) const {
    return v.register_class == 0 ? v.bits : registers_[static_cast<std::size_t>(index_of(v.register_class, v.number))];
  }
  void write(const value& v, std::uint64_t bits) {
    reg(v.register_class, v.number) = cut(bits, class_of(v.register_class).width);
  }

 private:
  std::uint64_t& reg(char name, int number) { return registers_[static_cast<std::size_t>(index_of(name, number))]; }

  void block(const std::vector<statement>& statements) {
    for (const statement& s : statements) run(s);
  }

  std::byte* place(const statement& s) {
    const auto bytes = static_cast<std::uint64_t>(s.width_bytes * s.elements);
    const std::uint64_t offset =
        s.index < 0 ? static_cast<std::uint64_t>(s.offset_bytes) : (reg('r', s.index) & (slice_bytes / bytes - 1)) * bytes;
    std::byte* const slice = s.where == space::global   ? memory_.data() + register_count * 8
                             : s.where == space::shared ? shared_.data()
                                                        : local_.data();
    return slice + offset;
  }

  std::uint64_t special(int which) const {
    const auto& n = program_.block;
    const std::uint64_t lane = number_ % 32;
    const std::uint64_t values[] = {number_ % n[0], number_ / n[0] % n[1],         number_ / n[0] / n[1], n[0], block_,
                                    lane,           (std::uint64_t{1} << lane) - 1};
    return values[which];
  }

  void add_to_all(const statement& s) {
    const std::uint64_t value = read(s.sources[0]);
    const std::size_t at = s.which == 2 ? 8 : s.which == 1 ? 4 : 0, bytes = s.which == 2 ? 8 : 4;
    std::uint64_t old = 0;
    std::memcpy(&old, common_ + at, bytes);
    old = s.which == 1 ? old ^ value : old + value;
    std::memcpy(common_ + at, &old, bytes);
  }

  void call(const statement& s) {
    registers own{};
    own[static_cast<std::size_t>(index_of('r', 0))] = cut(read(s.sources[0]), 32);
    own[static_cast<std::size_t>(index_of('r', 1))] = cut(read(s.sources[1]), 32);
    std::swap(own, registers_);
    block(program_.functions[static_cast<std::size_t>(s.which)]);
    std::swap(own, registers_);
    has_left_ = false;
    write(s.result, own[static_cast<std::size_t>(index_of('r', 0))]);
  }

  void run_one(const statement& s) {
    const bool holds = s.guard < 0 || (reg('p', s.guard) != 0) != s.guard_negated;
    if (s.what == statement::kind::branch) return block(holds ? s.then : s.otherwise);
    if (!holds) return;
    const auto bytes = static_cast<std::size_t>(s.width_bytes);
    const int count = s.result.register_class == 0 ? 1 : class_of(s.result.register_class).count;
    switch (s.what) {
      case statement::kind::compute:
        return write(s.result, s.op->of(read(s.sources[0]), read(s.sources[1]), read(s.sources[2]), read(s.sources[3])));
      case statement::kind::store: {
        std::byte* const to = place(s);
        for (int k = 0; k < s.elements; ++k) {
          const std::uint64_t bits = reg(s.result.register_class, (s.result.number + k) % count);
          std::memcpy(to + static_cast<std::size_t>(k) * bytes, &bits, bytes);
        }
        return;
      }
      case statement::kind::load: {
        const std::byte* const from = place(s);
        for (int k = 0; k < s.elements; ++k) {
          std::uint64_t bits = 0;
          std::memcpy(&bits, from + static_cast<std::size_t>(k) * bytes, bytes);
          const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
          write({s.result.register_class, (s.result.number + k) % count, 0}, s.is_signed ? (bits ^ sign) - sign : bits);
        }
        return;
      }
      case statement::kind::atomic: {
        std::byte* const at = place(s);
        std::uint64_t old = 0;
        std::memcpy(&old, at, bytes);
        const std::uint64_t made = atomics[s.which].of(old, read(s.sources[0]), read(s.sources[1]));
        std::memcpy(at, &made, bytes);
        return write(s.result, old);
      }
      case statement::kind::add_to_all: return add_to_all(s);
      case statement::kind::special: return write(s.result, special(s.which));
      case statement::kind::call: return call(s);
      case statement::kind::loop:
        for (int k = 0; k < s.trips; ++k) block(s.then);
        return;
      default: has_left_ = true;
    }
  }

  const program& program_;
  std::uint32_t block_, number_;
  std::span<std::byte> memory_;
  std::byte* common_;
  std::array<std::byte, slice_bytes> shared_{}, local_{};
  registers registers_;
  bool has_left_ = false;
};

/// The threads of one block.
class block {
 public:
  block(const program& p, std::uint32_t number, std::vector<std::byte>& memory) : program_(p) {
    for (std::uint32_t t = 0; t < p.threads(); ++t)
      threads_.emplace_back(p, number, t,
                            std::span(memory).subspan((number * p.threads() + t) * std::size_t{thread_bytes}, thread_bytes),
                            memory.data() + memory.size() - common_bytes);
  }

  void operator()() {
    run(program_.body);
    for (const thread& t : threads_) t.finish();
  }

 private:
  void run(const std::vector<statement>& statements) {
    for (const statement& s : statements) {
      if (s.what == statement::kind::collective) collective(s);
      else if (s.what == statement::kind::loop)
        for (int k = 0; k < s.trips; ++k) run(s.then);
      else
        for (thread& t : threads_) t.run(s);
    }
  }

  void collective(const statement& s) {
    const std::size_t size = s.how >= together::pass_on ? threads_.size() : 32;
    for (std::size_t first = 0; first < threads_.size(); first += size) {
      std::vector<std::uint64_t> a, b;
      for (std::size_t k = first; k < first + size; ++k) {
        a.push_back(threads_[k].read(s.sources[0]));
        b.push_back(threads_[k].read(s.sources[1]));
      }
      for (std::size_t k = 0; k < size; ++k) threads_[first + k].write(s.result, of(s, k, a, b));
    }
  }

  /// What member `k` gets, where the members have `a` and `b`.
  static std::uint64_t of(const statement& s, std::size_t k, const std::vector<u64>& a, const std::vector<u64>& b) {
    const auto reduce = [&](auto f) {
      u64 out = a[0];
      for (std::size_t i = 1; i < a.size(); ++i) out = f(out, a[i]);
      return out;
    };
    u64 out = 0;
    switch (s.how) {
      case together::shuffle_idx:
      case together::shuffle_up:
      case together::shuffle_down:
      case together::shuffle_bfly: return a[source_lane(s, static_cast<int>(k), static_cast<int>(b[k] & 31))];
      case together::all:
      case together::block_and: return reduce([](u64 x, u64 y) { return x & y; });
      case together::any:
      case together::block_or: return reduce([](u64 x, u64 y) { return x | y; });
      case together::uni: return u64{std::ranges::count(a, a[0]) == static_cast<std::ptrdiff_t>(a.size())};
      case together::ballot:
        for (std::size_t i = 0; i < 32; ++i) out |= a[i] << i;
        return out;
      case together::match:
        for (std::size_t i = 0; i < 32; ++i) out |= u64{a[i] == a[k]} << i;
        return out;
      case together::redux_add:
      case together::count: return reduce([](u64 x, u64 y) { return x + y; });
      case together::redux_min: return reduce(smaller<s32>);
      case together::redux_max: return reduce(larger<u32>);
      case together::redux_xor: return reduce([](u64 x, u64 y) { return x ^ y; });
      case together::pass_on: return a[(k + 1 + static_cast<std::size_t>(s.which) * 7) % a.size()];
    }
    return 0;
  }

  /// Source: PTX ISA 9.0, 9.7.9.6 "shfl.sync"; all lanes take part.
  static std::size_t source_lane(const statement& s, int lane, int by) {
    const int width = 32 >> s.which, first = lane / width * width, last = first + width - 1;
    int from = lane;
    if (s.how == together::shuffle_idx) from = first + by % width;
    if (s.how == together::shuffle_up && lane - by >= first) from = lane - by;
    if (s.how == together::shuffle_down && lane + by <= last) from = lane + by;
    if (s.how == together::shuffle_bfly && (lane ^ by) <= last) from = lane ^ by;
    return static_cast<std::size_t>(from);
  }

  const program& program_;
  std::vector<thread> threads_;
};

inline std::vector<std::byte> evaluate(const program& p) {
  std::vector<std::byte> memory = first_memory(p);
  for (std::uint32_t number = 0; number < 2; ++number) block(p, number, memory)();
  return memory;
}

/// Where two memories differ; any NaN equals any other. Empty where they do not.
inline std::string difference(const program& p, std::span<const std::byte> got, std::span<const std::byte> expected) {
  for (std::size_t at = 0; at < got.size(); at += 8) {
    std::uint64_t a, b;
    std::memcpy(&a, got.data() + at, 8);
    std::memcpy(&b, expected.data() + at, 8);
    const auto place = static_cast<int>(at % thread_bytes / 8);
    const bool is_common = at >= got.size() - common_bytes;
    const auto holds = [&](char name) {
      return !is_common && place >= index_of(name, 0) && place < index_of(name, class_of(name).count);
    };
    if (a == b || (holds('f') && std::isnan(f(a)) && std::isnan(f(b))) || (holds('d') && std::isnan(d(a)) && std::isnan(d(b))))
      continue;
    std::string name =
        is_common ? "what all add to" : "byte " + std::to_string(place * 8 - register_count * 8) + " of its memory";
    for (const register_class& c : classes)
      if (holds(c.name)) name = std::string("%") + c.name + std::to_string(place - index_of(c.name, 0));
    return "thread " + std::to_string(at / thread_bytes % p.threads()) + " of block " +
           std::to_string(at / thread_bytes / p.threads()) + ": " + name + " is " + std::to_string(a) + ", not " +
           std::to_string(b);
  }
  return "";
}

}  // namespace fuzz
