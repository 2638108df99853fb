// Random expressions whose values are all defined: over inputs, arguments, places of threads and names.
#pragma once

#include <algorithm>
#include <utility>
#include <vector>

#include "random.hpp"

namespace judge {

/// What statements are made of. Names are those that are visible where the next statement will stand.
class language_expressions {
 protected:
  explicit language_expressions(std::uint64_t seed) : choose_(seed) {}

  static constexpr int slots = 4;  // that each thread has in each output

  struct declared {
    int index;
    type of;
    bool can_be_assigned;
  };

  type any_type() { return static_cast<type>(choose_.below(type_count)); }
  type any_word() { return choose_.any({type::u32, type::s32, type::u64, type::s64}); }
  type any_float() { return choose_.any({type::f32, type::f64}); }

  // Expressions.
  int input() {
    return choose_.below(static_cast<int>(
        std::count_if(k_.objects.begin(), k_.objects.end(), [](const object& o) { return o.what == object::kind::in; })));
  }

  expr load(int object, int depth) {
    const auto& o = k_.objects[static_cast<std::size_t>(object)];
    const auto count = static_cast<std::uint32_t>(o.elements);
    expr out = node(op::load, o.of);
    out.index = object;
    switch (choose_.below(5)) {
      case 0:
        out.in = {node(op::rem, type::u32, {node(choose_.any({op::thread_index, op::global_x}), type::u32), u32(count)})};
        out.is_traced = choose_.one_in(2);
        break;
      case 1: out.in = {node(op::min, type::u32, {any(type::u32, depth), u32(count - 1)})}; break;
      case 2: out.in = {node(op::rem, type::u64, {any(type::u64, depth), literal(type::u64, count)})}; break;
      case 3:
        out.in = {
            node(op::min, type::s32,
                 {node(op::max, type::s32, {any(type::s32, depth), literal(type::s32, 0)}), literal(type::s32, count - 1)})};
        break;
      default: out.in = {node(op::rem, type::u32, {any(type::u32, depth), u32(count)})}; break;
    }
    return out;
  }

  expr leaf(type t) {
    for (int tries = 0; tries < 4; ++tries) switch (choose_.below(6)) {
        case 0: return literal(t, choose_.number(t));
        case 1:
        case 2: {
          std::vector<declared> fit;
          for (const declared& d : visible_)
            if (d.of == t) fit.push_back(d);
          if (!fit.empty()) return name(t, choose_.any(fit).index);
          break;
        }
        case 3:
          for (std::size_t n = 0; n < k_.scalars.size(); ++n)
            if (k_.scalars[n] == t) return scalar(t, static_cast<int>(n));
          break;
        case 4:
          if (t == type::u32)
            return node(choose_.any({op::thread_x, op::thread_y, op::thread_z, op::block_x, op::grid_x, op::global_x,
                                     op::thread_index, op::lane, op::warp_index}),
                        t);
          break;
        default: {
          const int from = input();
          if (k_.objects[static_cast<std::size_t>(from)].of == t) return load(from, 0);
          break;
        }
      }
    if (!visible_.empty() && choose_.one_in(2)) {
      const declared d = choose_.any(visible_);
      return converted(t, name(d.of, d.index));
    }
    return converted(t, node(op::thread_index, type::u32));
  }

  // A NaN is not made an integer.
  expr converted(type to, expr x) {
    if (x.of == to) return x;
    if (is_float(x.of) && is_integer(to)) {
      const type from = x.of;
      x = node(op::max, from, {std::move(x), literal(from, from_double(from, choose_.any({-1e10, 0.0, -130.5})))});
    }
    return cast(to, std::move(x));
  }

  expr any(type t, int depth) {
    if (depth <= 0 || choose_.one_in(5)) return leaf(t);
    if (choose_.one_in(4)) return converted(t, any(any_type(), depth - 1));
    if (choose_.one_in(8)) {
      const expr c = any(type::b, depth - 1), a = any(t, depth - 1), b = any(t, depth - 1);
      return node(op::select, t, {c, a, b});
    }
    if (t == type::b) return condition(depth);
    if (is_float(t)) return floating(t, depth);
    const expr a = any(t, depth - 1), b = (t == type::u32 || t == type::s32) && choose_.one_in(8)
                                              ? constant(t, choose_.any(constants_of(t)))
                                              : any(t, depth - 1);
    if (!is_word(t)) return node(choose_.any({op::bit_and, op::bit_or, op::bit_xor, op::min, op::max}), t, {a, b});
    switch (choose_.below(22)) {
      case 0:
      case 1:
      case 2:
      case 3: return node(op::add, t, {a, b});
      case 4:
      case 5: return node(op::sub, t, {a, b});
      case 6:
      case 7: return node(op::mul, t, {a, b});
      case 8: return node(op::div, t, {a, divisor(t, b)});
      case 9: return node(op::rem, t, {a, divisor(t, b)});
      case 10: return node(op::min, t, {a, b});
      case 11: return node(op::max, t, {a, b});
      case 12: return node(op::bit_and, t, {a, b});
      case 13: return node(op::bit_or, t, {a, b});
      case 14: return node(op::bit_xor, t, {a, b});
      case 15: return node(op::shl, t, {a, amount(depth)});
      case 16: return node(op::shr, t, {a, amount(depth)});
      case 17: return node(op::mul_high, t, {a, b});
      case 18: return node(choose_.any({op::negate, op::bit_not, op::reverse_bits}), t, {a});
      case 19:
        if (is_signed(t)) return node(op::absolute, t, {a});
        return node(op::bit_not, t, {a});
      case 20:
        if (t == type::u32) return node(choose_.any({op::popcount, op::leading_zeros}), t, {any(any_word(), depth - 1)});
        return node(op::sub, t, {a, b});
      default:
        return node(op::extract_bits, t,
                    {a, node(op::bit_and, type::u32, {any(type::u32, 1), u32(255)}),
                     u32(static_cast<std::uint32_t>(choose_.below(70)))});
    }
  }

  expr amount(int depth) {
    if (choose_.one_in(2)) return u32(static_cast<std::uint32_t>(choose_.any({0, 1, 3, 7, 16, 31, 32, 33, 63, 64, 255})));
    return any(type::u32, depth - 1);
  }

  // Not 0, and not -1, by which the smallest number has no quotient.
  expr divisor(type t, const expr& x) {
    if (choose_.one_in(2)) {
      bits n = choose_.number(t);
      if (n == 0 || n == mask_of(t)) n = 3;
      return literal(t, n);
    }
    if (!is_signed(t)) return node(op::bit_or, t, {x, literal(t, 1)});
    return node(op::add, t, {node(op::bit_and, t, {x, literal(t, 0xff)}), literal(t, 1)});
  }

  expr condition(int depth) {
    switch (choose_.below(5)) {
      case 0:
        return node(choose_.any({op::logic_and, op::logic_or}), type::b, {any(type::b, depth - 1), any(type::b, depth - 1)});
      case 1: return node(op::logic_not, type::b, {any(type::b, depth - 1)});
      default: {
        type t = any_type();
        if (t == type::b) t = type::u32;
        return node(choose_.any({op::lt, op::le, op::gt, op::ge, op::eq, op::ne}), type::b,
                    {any(t, depth - 1), any(t, depth - 1)});
      }
    }
  }

  // A product may become part of an fma with the sum around it, so it stands inside a minimum.
  expr floating(type t, int depth) {
    const expr a = any(t, depth - 1), b = any(t, depth - 1);
    switch (choose_.below(10)) {
      case 0:
      case 1: return node(op::add, t, {a, b});
      case 2: return node(op::sub, t, {a, b});
      case 3: return node(choose_.any({op::min, op::max}), t, {node(op::mul, t, {a, b}), literal(t, choose_.number(t))});
      case 4: return node(op::div, t, {a, b});
      case 5: return node(op::min, t, {a, b});
      case 6: return node(op::max, t, {a, b});
      case 7: return node(op::fma, t, {a, b, any(t, depth - 1)});
      case 8: return node(choose_.any({op::negate, op::absolute, op::sqrt}), t, {a});
      default: return node(choose_.any({op::floor, op::ceil, op::round_even, op::trunc}), t, {a});
    }
  }

  choices choose_;
  kernel k_;
  std::vector<type> k_types_;
  std::vector<int> outputs_;
  int tile_ = 0;
  int next_ = 0;
  std::vector<declared> visible_;
};

}  // namespace judge
