// A random kernel on the host, thread after thread.
#pragma once

#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <vector>

#include "operations.hpp"
#include "program.hpp"

namespace fuzz {

inline std::uint64_t cut(std::uint64_t bits, int width) {
  return width >= 64 ? bits : bits & ((std::uint64_t{1} << width) - 1);
}

/// The memory of all threads before the kernel runs.
inline std::vector<std::byte> first_memory(const program& p) {
  std::vector<std::byte> out(std::size_t{2} * p.threads * thread_bytes);
  for (std::uint32_t t = 0; t < 2 * p.threads; ++t)
    for (int k = 0; k < thread_bytes / 8; ++k) {
      std::uint64_t v = first_value(p.seed, t, k);
      for (const register_class& c : classes)
        if (k >= index_of(c.name, 0) && k < index_of(c.name, c.count)) v = cut(v, c.width);
      std::memcpy(out.data() + t * std::size_t{thread_bytes} + static_cast<std::size_t>(8 * k), &v, 8);
    }
  return out;
}

/// One thread; `memory` is its own part.
class thread {
 public:
  explicit thread(std::span<std::byte> memory) : memory_(memory) {
    std::memcpy(registers_.data(), memory.data(), sizeof registers_);
  }

  void run(const program& p) {
    block(p.body);
    if (has_left_) return;
    for (const register_class& c : classes)
      for (int k = 0; k < c.count; ++k) {
        const auto at = static_cast<std::size_t>(index_of(c.name, k));
        const std::uint64_t bits = registers_[at];
        std::memcpy(memory_.data() + 8 * at, &bits, static_cast<std::size_t>(c.width == 1 ? 2 : c.width / 8));
      }
  }

 private:
  std::uint64_t& reg(char name, int number) { return registers_[static_cast<std::size_t>(index_of(name, number))]; }

  std::uint64_t read(const value& v) { return v.register_class == 0 ? v.bits : reg(v.register_class, v.number); }

  void write(const value& v, std::uint64_t bits) {
    reg(v.register_class, v.number) = cut(bits, class_of(v.register_class).width);
  }

  void block(const std::vector<statement>& statements) {
    for (const statement& s : statements) {
      if (has_left_) return;
      run(s);
    }
  }

  void run(const statement& s) {
    const bool holds = s.guard < 0 || (reg('p', s.guard) != 0) != s.guard_negated;
    if (s.what == statement::kind::branch) return block(holds ? s.then : s.otherwise);
    if (!holds) return;
    std::byte* const place = memory_.data() + register_count * 8 + s.offset_bytes;
    const auto bytes = static_cast<std::size_t>(s.width_bytes);
    switch (s.what) {
      case statement::kind::compute:
        return write(s.result,
                     s.op->of(read(s.sources[0]), read(s.sources[1]), read(s.sources[2]), read(s.sources[3])));
      case statement::kind::store: {
        const std::uint64_t bits = read(s.result);
        std::memcpy(place, &bits, bytes);
        return;
      }
      case statement::kind::load: {
        std::uint64_t bits = 0;
        std::memcpy(&bits, place, bytes);
        const std::uint64_t sign = std::uint64_t{1} << (8 * bytes - 1);
        return write(s.result, s.is_signed ? (bits ^ sign) - sign : bits);
      }
      case statement::kind::loop:
        for (int k = 0; k < s.trips; ++k) block(s.then);
        return;
      default:
        has_left_ = true;
    }
  }

  std::span<std::byte> memory_;
  std::array<std::uint64_t, register_count> registers_;
  bool has_left_ = false;
};

inline std::vector<std::byte> evaluate(const program& p) {
  std::vector<std::byte> memory = first_memory(p);
  for (std::size_t t = 0; t < std::size_t{2} * p.threads; ++t)
    thread(std::span(memory).subspan(t * thread_bytes, thread_bytes)).run(p);
  return memory;
}

/// Where two memories differ; any NaN equals any other. Empty where they do not.
inline std::string difference(const program& p, std::span<const std::byte> got, std::span<const std::byte> expected) {
  for (std::size_t at = 0; at < got.size(); at += 8) {
    std::uint64_t a, b;
    std::memcpy(&a, got.data() + at, 8);
    std::memcpy(&b, expected.data() + at, 8);
    const auto place = static_cast<int>(at % thread_bytes / 8);
    const auto holds = [&](char name) {
      return place >= index_of(name, 0) && place < index_of(name, class_of(name).count);
    };
    if (a == b || (holds('f') && std::isnan(f(a)) && std::isnan(f(b))) ||
        (holds('d') && std::isnan(d(a)) && std::isnan(d(b))))
      continue;
    std::string name = "byte " + std::to_string(place * 8 - register_count * 8) + " of its memory";
    for (const register_class& c : classes)
      if (holds(c.name)) name = std::string("%") + c.name + std::to_string(place - index_of(c.name, 0));
    return "thread " + std::to_string(at / thread_bytes % p.threads) + " of block " +
           std::to_string(at / thread_bytes / p.threads) + ": " + name + " is " + std::to_string(a) + ", not " +
           std::to_string(b);
  }
  return "";
}

}  // namespace fuzz
