// Random index expressions with clamps in them, often in the shapes that kernels have.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <string>
#include <vector>

namespace clamped {

enum class word { coordinate, number, unknown, add, sub, mul, div, mod, shr, and_, xor_, min, max, select };

struct node {
  word kind = word::number;
  int a = -1, b = -1, c = -1;
  std::int64_t value = 0;  // the number; the divisor of an unknown; which coordinate
};

struct form {
  std::vector<node> nodes;
  std::array<int, 3> block{};
  int warp_number = 0;
  bool is_signed = true;

  int push(node n) {
    nodes.push_back(n);
    return int(nodes.size()) - 1;
  }
};

struct dice {
  std::mt19937 engine;
  int below(int n) { return int(engine() % unsigned(n)); }
  bool one_in(int n) { return below(n) == 0; }
  std::int64_t of(std::initializer_list<std::int64_t> choices) { return choices.begin()[below(int(choices.size()))]; }
};

inline int number(form& f, std::int64_t n) { return f.push({word::number, -1, -1, -1, n}); }
inline int unknown(form& f, dice& d) { return f.push({word::unknown, -1, -1, -1, d.of({1, 1, 1, 2, 4, 8, 16, 32, 6})}); }

inline int bound(form& f, dice& d) {
  if (d.one_in(6)) return number(f, d.of({0, 1, 3, 7, 31, 64}));
  int out = unknown(f, d);
  if (d.one_in(3)) out = f.push({word::mul, out, number(f, d.of({2, 3, 4, 32}))});
  if (d.one_in(2)) out = f.push({word::sub, out, number(f, d.of({1, 1, 1, 4, 2}))});
  return out;
}

inline int grow(form& f, dice& d, int depth) {
  if (depth == 0) {
    const int kind = d.below(8);
    if (kind < 5) return f.push({word::coordinate, -1, -1, -1, d.below(3)});
    return kind < 7 ? unknown(f, d) : number(f, d.of({0, 1, 2, 5, 31, 64}));
  }
  const int a = grow(f, d, depth - 1);
  switch (d.below(17)) {
    case 0:
    case 1:
    case 2: return f.push({word::add, a, grow(f, d, d.below(depth))});
    case 3:
    case 4: return f.push({word::sub, a, grow(f, d, d.below(depth))});
    case 5:
    case 6: return f.push({word::mul, a, number(f, d.of({1, 2, 3, 4, 5, 8, 16, 32, 33, -1, -32}))});
    case 7: return f.push({word::mul, a, unknown(f, d)});
    case 8: return f.push({word::div, a, number(f, d.of({2, 3, 4, 8, 16, 32, 33}))});
    case 9: return f.push({word::mod, a, number(f, d.of({2, 3, 4, 8, 32, 33}))});
    case 10: return f.push({word::shr, a, number(f, d.below(5))});
    case 11: return f.push({d.one_in(2) ? word::and_ : word::xor_, a, number(f, d.of({1, 3, 7, 28, 31, -4, -32}))});
    case 12:
    case 13: return f.push({word::min, a, bound(f, d)});
    case 14:
    case 15: return f.push({word::max, a, bound(f, d)});
    default: {
      const int b = grow(f, d, d.below(depth));
      return f.push({word::select, a, b, grow(f, d, d.below(depth))});
    }
  }
}

/// A form whose last clamp, at least, is in it; often in the shapes that kernels have.
inline form random_form(dice& d) {
  static constexpr std::array<std::array<int, 3>, 7> blocks{
      {{256, 1, 1}, {16, 16, 1}, {32, 8, 1}, {8, 8, 4}, {96, 4, 1}, {5, 7, 3}, {4, 32, 1}}};
  form f;
  f.block = blocks[std::size_t(d.below(7))];
  const int threads = f.block[0] * f.block[1] * f.block[2];
  f.warp_number = d.below((threads + 31) / 32);
  f.is_signed = !d.one_in(3);
  const auto clamp = [&](int a) {
    if (!d.one_in(3)) a = f.push({word::max, a, d.one_in(2) ? number(f, 0) : bound(f, d)});
    if (!d.one_in(4)) a = f.push({word::min, a, bound(f, d)});
    return a;
  };
  int root = clamp(grow(f, d, d.below(3)));
  if (d.one_in(2))
    root = f.push({word::mul, root, d.one_in(3) ? unknown(f, d) : number(f, d.of({2, 3, 4, 8, 16, 32, 33, 100}))});
  if (!d.one_in(3)) {
    const int other = d.one_in(3) ? clamp(grow(f, d, d.below(2))) : grow(f, d, d.below(3));
    root = f.push({d.one_in(4) ? word::sub : word::add, root, other});
  }
  if (d.one_in(4)) root = f.push({word::mul, root, number(f, d.of({2, 3, 4}))});
  return f;
}

inline std::string text(const form& f, int at) {
  static constexpr std::array<const char*, 14> words{"",  "",   "u", "+", "-",   "*",   "/",
                                                     "%", ">>", "&", "^", "min", "max", "select"};
  const node& n = f.nodes[std::size_t(at)];
  if (n.kind == word::coordinate) return std::string(1, "xyz"[n.value]);
  if (n.kind == word::number) return std::to_string(n.value);
  if (n.kind == word::unknown) return "u" + std::to_string(n.value);
  return "(" + text(f, n.a) + " " + words[std::size_t(n.kind)] + " " + text(f, n.b) + (n.c < 0 ? "" : " : " + text(f, n.c)) +
         ")";
}

}  // namespace clamped
