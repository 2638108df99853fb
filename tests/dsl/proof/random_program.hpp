// Random functions of a few computations and accesses, as the proof reads them.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <random>
#include <tg/base/dynamic_array.hpp>

#include <tg/ptx/ir/builder.hpp>

namespace random_kernel {

using tg::ptx::opcode;
using tg::ptx::operand;
using tg::ptx::token;

/// Two operands and what becomes of them, in 32 bits.
struct step {
  // clang-format off
  enum class kind { add, sub, mul, shl, shr, sar, band, bor, bxor, umin, umax, smin, smax, udiv, urem, sdiv, srem, to_u8, to_u16, to_s8, select, count };
  // clang-format on
  kind what = kind::add;
  int a = 0, b = 0;        // values made so far
  std::uint32_t with = 0;  // instead of `b`, if b < 0
};

/// An access of the value `index`, if value `left` is below value `right`.
struct access {
  int index = 0;
  int left = -1, right = -1;
  bool is_signed = false;  // how the guard compares
  bool writes = true;
  bool is_shared = false;
  bool has_barrier_before = false;
  bool has_barrier_inside = false;  // of the guard or the loop, after the access
  bool is_in_loop = false;          // for (j = index; j < right; j += step): element j
  int step = 4;
};

struct program {
  tg::dynamic_array<step> steps;
  tg::dynamic_array<access> accesses;
  int threads = 8;
};

inline constexpr int first_values = 4;  // thread, block, number of blocks, argument

inline program random_program(std::mt19937& random) {
  const auto below = [&](int n) { return static_cast<int>(random() % static_cast<unsigned>(n)); };
  program p;
  const int sizes[] = {4, 8, 32, 33};
  p.threads = sizes[below(4)];
  const std::uint32_t numbers[] = {0,  1,  2,  3,   4,   5,   7,          8,          16,         31,
                                   32, 33, 64, 100, 255, 256, 0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff};
  const int count = 1 + below(6);
  for (int k = 0; k < count; ++k) {
    step s;
    // Sums and products more often than the rest.
    s.what =
        below(2) == 0 ? static_cast<step::kind>(below(4)) : static_cast<step::kind>(below(static_cast<int>(step::kind::count)));
    s.a = below(first_values + k);
    s.b = below(2) == 0 ? -1 : below(first_values + k);
    s.with = s.what == step::kind::mul && below(2) == 0 ? static_cast<std::uint32_t>(p.threads) : numbers[below(20)];
    p.steps.push_back(s);
  }
  const int values = first_values + count;
  const int accesses = 1 + below(3);
  for (int k = 0; k < accesses; ++k) {
    access a;
    a.index = below(3) == 0 ? below(values) : values - 1 - below(std::min(values, 3));
    if (below(2) == 0) a.left = below(values), a.right = below(values), a.is_signed = below(4) == 0;
    a.writes = k == 0 || below(2) == 0;
    a.is_shared = below(3) == 0;
    a.has_barrier_before = below(3) == 0;
    a.is_in_loop = below(4) == 0;
    a.has_barrier_inside = below(5) == 0;
    const int steps[] = {1, 4, 8, p.threads};
    a.step = steps[below(4)];
    if (a.is_in_loop) a.right = below(2) == 0 ? first_values - 1 : below(values), a.left = -1;
    p.accesses.push_back(a);
  }
  return p;
}

inline constexpr std::uint32_t tile_bytes = 1024;

inline tg::ptx::module to_module(const program& p) {
  tg::ptx::module m;
  m.files.push_back("random.cpp");
  m.variables.push_back({.space = token::shared, .count = tile_bytes});
  m.functions.emplace_back();
  tg::ptx::builder build(m, 0);
  const auto special = [&](tg::ptx::special s) {
    return build.compute(token::b32, opcode::mov, {token::u32}, {operand::special(s)});
  };
  const operand buffer = build.compute(token::b64, opcode::ld, {token::param, token::u64},
                                       {operand::address(operand::named(tg::ptx::operand_kind::param, 0))});
  tg::dynamic_array<operand> v = {special(tg::ptx::special::tid_x), special(tg::ptx::special::ctaid_x),
                                  special(tg::ptx::special::nctaid_x),
                                  build.compute(token::b32, opcode::ld, {token::param, token::u32},
                                                {operand::address(operand::named(tg::ptx::operand_kind::param, 1))})};
  for (const step& s : p.steps) {
    const operand a = v[static_cast<std::size_t>(s.a)];
    const operand b = s.b >= 0 ? v[static_cast<std::size_t>(s.b)] : operand::integer(static_cast<std::int32_t>(s.with));
    const auto two = [&](opcode op, std::initializer_list<token> tokens) {
      return build.compute(token::b32, op, tokens, {a, b});
    };
    using kind = step::kind;
    switch (s.what) {
      case kind::add: v.push_back(two(opcode::add, {token::u32})); break;
      case kind::sub: v.push_back(two(opcode::sub, {token::u32})); break;
      case kind::mul: v.push_back(two(opcode::mul, {token::lo, token::u32})); break;
      case kind::shl: v.push_back(two(opcode::shl, {token::b32})); break;
      case kind::shr: v.push_back(two(opcode::shr, {token::u32})); break;
      case kind::sar: v.push_back(two(opcode::shr, {token::s32})); break;
      case kind::band: v.push_back(two(opcode::and_, {token::b32})); break;
      case kind::bor: v.push_back(two(opcode::or_, {token::b32})); break;
      case kind::bxor: v.push_back(two(opcode::xor_, {token::b32})); break;
      case kind::umin: v.push_back(two(opcode::min, {token::u32})); break;
      case kind::umax: v.push_back(two(opcode::max, {token::u32})); break;
      case kind::smin: v.push_back(two(opcode::min, {token::s32})); break;
      case kind::smax: v.push_back(two(opcode::max, {token::s32})); break;
      case kind::udiv: v.push_back(two(opcode::div, {token::u32})); break;
      case kind::urem: v.push_back(two(opcode::rem, {token::u32})); break;
      case kind::sdiv: v.push_back(two(opcode::div, {token::s32})); break;
      case kind::srem: v.push_back(two(opcode::rem, {token::s32})); break;
      case kind::to_u8: v.push_back(build.compute(token::b32, opcode::cvt, {token::u32, token::u8}, {a})); break;
      case kind::to_u16: v.push_back(build.compute(token::b32, opcode::cvt, {token::u32, token::u16}, {a})); break;
      case kind::to_s8: v.push_back(build.compute(token::b32, opcode::cvt, {token::s32, token::s8}, {a})); break;
      case kind::select:
      case kind::count: {
        const operand c = build.compute(token::pred, opcode::setp, {token::lt, token::u32}, {a, b});
        v.push_back(build.compute(token::b32, opcode::selp, {token::b32}, {a, b, c}));
        break;
      }
    }
  }
  const auto touch = [&](const access& a, operand index) {
    operand at;
    if (a.is_shared) {
      const operand bytes = build.compute(token::b32, opcode::mul, {token::lo, token::u32}, {index, operand::integer(4)});
      const operand base =
          build.compute(token::b32, opcode::mov, {token::u32}, {operand::named(tg::ptx::operand_kind::variable, 0)});
      at = operand::address(build.compute(token::b32, opcode::add, {token::u32}, {base, bytes}));
    } else {
      const operand bytes = build.compute(token::b64, opcode::mul, {token::wide, token::u32}, {index, operand::integer(4)});
      at = operand::address(build.compute(token::b64, opcode::add, {token::s64}, {buffer, bytes}));
    }
    const token space = a.is_shared ? token::shared : token::global;
    if (a.writes) build.emit(opcode::st, {space, token::u32}, {at, v[0]});
    else build.compute(token::b32, opcode::ld, {space, token::u32}, {at});
  };
  for (const access& a : p.accesses) {
    if (a.has_barrier_before) build.emit(opcode::bar, {token::sync}, {operand::integer(0)});
    const operand index = v[static_cast<std::size_t>(a.index)];
    if (a.is_in_loop) {
      const operand stop = v[static_cast<std::size_t>(a.right)];
      const operand comes = build.compute(token::pred, opcode::setp, {token::lt, token::u32}, {index, stop});
      const operand j = build.compute(token::b32, opcode::mov, {token::u32}, {index});
      build.emit(opcode::if_, {}, {comes});
      build.emit(opcode::loop, {}, {});
      const operand now = build.compute(token::b32, opcode::mov, {token::u32}, {j});
      touch(a, now);
      if (a.has_barrier_inside) build.emit(opcode::bar, {token::sync}, {operand::integer(0)});
      const operand next = build.compute(token::b32, opcode::add, {token::u32}, {now, operand::integer(a.step)});
      const operand again = build.compute(token::pred, opcode::setp, {token::lt, token::u32}, {next, stop});
      build.emit(opcode::mov, {token::u32}, {j, next});
      build.emit(opcode::endloop, {}, {again});
      build.emit(opcode::endif, {}, {});
      continue;
    }
    if (a.left >= 0) {
      const operand comes = build.compute(token::pred, opcode::setp, {token::lt, a.is_signed ? token::s32 : token::u32},
                                          {v[static_cast<std::size_t>(a.left)], v[static_cast<std::size_t>(a.right)]});
      build.emit(opcode::if_, {}, {comes});
    }
    touch(a, index);
    if (a.has_barrier_inside) build.emit(opcode::bar, {token::sync}, {operand::integer(0)});
    if (a.left >= 0) build.emit(opcode::endif, {}, {});
  }
  build.emit(opcode::ret, {}, {});
  return m;
}

}  // namespace random_kernel
