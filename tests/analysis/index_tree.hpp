// Random index expressions as trees: evaluated by the analysis, and lane by lane with numbers.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <vector>

#include <tg/analysis.hpp>

namespace index_tree {

using namespace tg::analysis;

enum class op { thread, constant, unknown, add, sub, mul, div, mod, shl, shr, and_, or_, xor_, min, max, select };

struct node {
  op kind = op::constant;
  int a = 0;
  int b = 0;
  int c = 0;
  std::int64_t value = 0;  // of a constant; the divisor of an unknown; the axis of a coordinate
};

using tree = std::vector<node>;

struct random_source {
  std::mt19937 engine;
  int below(int n) { return int(engine() % unsigned(n)); }
  template <class T> T of(std::initializer_list<T> choices) { return choices.begin()[below(int(choices.size()))]; }
};

inline int grow(tree& t, random_source& random, int depth) {
  node n;
  const int leaf = random.below(8);
  if (depth == 0 || leaf == 0) {
    n.kind = random.of({op::thread, op::thread, op::constant, op::unknown});
    n.value = n.kind == op::thread    ? random.of({0, 0, 1, 1, 2})
              : n.kind == op::unknown ? random.of({1, 1, 2, 4, 6, 8, 16, 32, 96})
                                      : random.of({0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 24, 31, 32, 33, 63, -1, -4});
  } else {
    n.kind = random.of({op::add, op::add, op::add, op::sub, op::mul, op::mul, op::div, op::mod, op::shl, op::shr, op::and_,
                        op::or_, op::xor_, op::xor_, op::min, op::max, op::select});
    n.a = grow(t, random, depth - 1);
    const bool by_constant = n.kind == op::shl || n.kind == op::shr || (n.kind != op::add && random.below(3) != 0);
    if (by_constant) {
      const bool is_shift = n.kind == op::shl || n.kind == op::shr;
      n.b = int(t.size());
      t.push_back({op::constant, 0, 0, 0, is_shift ? random.below(6) : random.of({1, 2, 3, 4, 6, 7, 8, 16, 31, 32, 33, 64})});
    } else {
      n.b = grow(t, random, depth - 1);
    }
    if (n.kind == op::select) n.c = grow(t, random, depth - 1);
  }
  t.push_back(n);
  return int(t.size()) - 1;
}

/// The operations under test; a defect is planted by replacing one.
struct operations {
  using plain = lane_value (*)(const lane_value&, const lane_value&);
  using with_sign = lane_value (*)(const lane_value&, const lane_value&, bool);
  plain add = tg::analysis::add;
  plain mul = tg::analysis::mul;
  plain bit_and = tg::analysis::bit_and;
  plain bit_xor = tg::analysis::bit_xor;
  with_sign div = tg::analysis::div;
  with_sign mod = tg::analysis::mod;
  with_sign min = tg::analysis::min;
};

struct thread_block {
  block_extent extent;
  int warp;
  bool is_signed;
};

inline lane_value evaluate(const tree& t, int at, const thread_block& block, const operations& use) {
  const node& n = t[std::size_t(at)];
  const auto child = [&](int which) { return evaluate(t, which, block, use); };
  const bool s = block.is_signed;
  switch (n.kind) {
    case op::thread: return thread_coordinate(block.extent, static_cast<axis>(n.value), block.warp);
    case op::constant: return constant(n.value);
    case op::unknown: return uniform(n.value);
    case op::add: return use.add(child(n.a), child(n.b));
    case op::sub: return sub(child(n.a), child(n.b));
    case op::mul: return use.mul(child(n.a), child(n.b));
    case op::div: return use.div(child(n.a), child(n.b), s);
    case op::mod: return use.mod(child(n.a), child(n.b), s);
    case op::shl: return shl(child(n.a), child(n.b));
    case op::shr: return shr(child(n.a), child(n.b), s);
    case op::and_: return use.bit_and(child(n.a), child(n.b));
    case op::or_: return bit_or(child(n.a), child(n.b));
    case op::xor_: return use.bit_xor(child(n.a), child(n.b));
    case op::min: return use.min(child(n.a), child(n.b), s);
    case op::max: return max(child(n.a), child(n.b), s);
    case op::select: return select(less(child(n.a), child(n.b), s), child(n.b), child(n.c));
  }
  return unknown();
}

/// One lane of one run: 32-bit arithmetic, kept as the number whose bits it has; a run that overflows upwards, or
/// divides by zero, is no run of the program.
struct run {
  std::array<std::int64_t, 3> thread{};
  std::vector<std::int64_t> unknowns;  // by node
  bool is_signed = true;
  bool is_valid = true;

  std::int64_t lane(const tree& t, int at) {
    const node& n = t[std::size_t(at)];
    if (n.kind == op::thread) return thread[std::size_t(n.value)];
    if (n.kind == op::constant) return n.value;
    if (n.kind == op::unknown) return unknowns[std::size_t(at)];
    const std::int64_t a = lane(t, n.a);
    const std::int64_t b = lane(t, n.b);
    if (!is_valid) return 0;
    const auto ua = static_cast<std::uint32_t>(a);
    const auto ub = static_cast<std::uint32_t>(b);
    const auto back = [](std::uint32_t v) { return std::int64_t{static_cast<std::int32_t>(v)}; };
    std::int64_t r = 0;
    switch (n.kind) {
      case op::add: r = a + b; break;
      case op::sub: r = a - b; break;
      case op::mul: r = a * b; break;
      case op::shl: r = a * (std::int64_t{1} << b); break;
      case op::shr: r = is_signed ? a >> b : back(ua >> b); break;
      case op::and_: r = a & b; break;
      case op::or_: r = a | b; break;
      case op::xor_: r = a ^ b; break;
      case op::div:
        if (b == 0) return invalid();
        r = is_signed ? a / b : back(ua / ub);
        break;
      case op::mod:
        if (b == 0) return invalid();
        r = is_signed ? a % b : back(ua % ub);
        break;
      case op::min: r = is_signed ? std::min(a, b) : back(std::min(ua, ub)); break;
      case op::max: r = is_signed ? std::max(a, b) : back(std::max(ua, ub)); break;
      case op::select: r = (is_signed ? a < b : ua < ub) ? b : lane(t, n.c); break;
      default: break;
    }
    return r >= INT32_MIN && r <= INT32_MAX ? r : invalid();
  }

  std::int64_t invalid() {
    is_valid = false;
    return 0;
  }
};

}  // namespace index_tree
