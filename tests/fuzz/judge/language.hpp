// Random kernels whose values are all defined: no thread reads what another may still write, every index is inside.
#pragma once

#include <utility>

#include "random.hpp"

namespace judge {

class language {
 public:
  explicit language(std::uint64_t seed) : choose_(seed) {}

  kernel operator()() {
    k_.shape = choose_.below(static_cast<int>(shapes.size()));
    const int inputs = 2 + choose_.below(3);
    for (int n = 0; n < inputs; ++n) add_object(object::kind::in, any_type(), choose_.any({1, 37, 64, 256}));
    for (int n = choose_.below(5); n-- > 0;) k_.scalars.push_back(any_type());
    for (const type t :
         {type::u64, type::f32, type::f64, choose_.any({type::u8, type::s8, type::u16, type::s16, type::s32, type::b})})
      outputs_.push_back(add_object(object::kind::out, t, 4 * threads_of(k_) * slots));
    tile_ = add_object(object::kind::tile, choose_.any({type::u8, type::u32, type::f32, type::u64}),
                       threads_of(k_) > 128 ? 300 : 128);
    std::vector<stmt> body;
    // What all threads have in common to compute with.
    for (int n = 0; n < 3; ++n) declare(body, any_type(), n == 0);
    statements(body, 4 + choose_.below(10), 0, true);
    keep(body);
    k_.body = std::move(body);
    number_lines(k_);
    return std::move(k_);
  }

  launch how() {
    launch out;
    constexpr std::array<std::array<std::uint32_t, 3>, 5> grids{{{1, 1, 1}, {2, 1, 1}, {3, 1, 1}, {2, 2, 1}, {1, 2, 2}}};
    out.grid = grids[static_cast<std::size_t>(choose_.below(5))];
    for (const type t : k_types_) out.scalars.push_back(choose_.number(t));
    out.data = choose_.word();
    return out;
  }

  /// Launches of a kernel that was made from the same seed.
  static launch how(const kernel& k, std::uint64_t seed) {
    language made(seed ^ 0x5555);
    made.k_types_ = k.scalars;
    return made.how();
  }

 private:
  static constexpr int slots = 4;  // that each thread has in each output

  struct declared {
    int index;
    type of;
    bool can_be_assigned;
  };

  type any_type() { return static_cast<type>(choose_.below(type_count)); }
  type any_word() { return choose_.any({type::u32, type::s32, type::u64, type::s64}); }
  type any_float() { return choose_.any({type::f32, type::f64}); }

  int add_object(object::kind what, type of, int elements) {
    k_.objects.push_back({what, of, elements, 0});
    return static_cast<int>(k_.objects.size()) - 1;
  }

  // Statements.
  int declare(std::vector<stmt>& to, type t, bool can_be_assigned) { return declare(to, any(t, 3), can_be_assigned); }
  int declare(std::vector<stmt>& to, expr x, bool can_be_assigned) {
    const int index = next_++;
    const type t = x.of;
    to.push_back({.what = can_be_assigned ? stmt::kind::var : stmt::kind::let, .index = index, .in = {std::move(x)}});
    visible_.push_back({index, t, can_be_assigned});
    return index;
  }

  // A few registers with one name.
  void declare_array(std::vector<stmt>& to) {
    const type t = choose_.any({type::u32, type::s32, type::u64, type::f32});
    stmt s{.what = stmt::kind::array, .index = next_, .times = 2 + choose_.below(2), .in = {any(t, 2)}};
    next_ += s.times;
    for (int n = 0; n < s.times; ++n) visible_.push_back({s.index + n, t, true});
    to.push_back(std::move(s));
  }

  template <class F> std::vector<stmt> in_scope(F&& fill) {
    const auto before = visible_;
    std::vector<stmt> out;
    fill(out);
    visible_ = before;
    return out;
  }

  void assign(std::vector<stmt>& to) {
    std::vector<declared> can;
    for (const declared& d : visible_)
      if (d.can_be_assigned) can.push_back(d);
    if (can.empty()) {
      declare(to, any_type(), true);
      return;
    }
    const declared d = choose_.any(can);
    const bool adds = is_word(d.of) && choose_.one_in(2);
    to.push_back({.what = adds ? stmt::kind::add_assign : stmt::kind::assign, .index = d.index, .in = {any(d.of, 3)}});
  }

  void statements(std::vector<stmt>& to, int count, int depth, bool is_uniform) {
    for (int n = 0; n < count; ++n) statement(to, depth, is_uniform);
  }

  std::vector<stmt> nested(int depth, bool is_uniform) {
    return in_scope([&](auto& body) {
      assign(body);
      statements(body, 1 + choose_.below(3), depth + 1, is_uniform);
    });
  }

  void statement(std::vector<stmt>& to, int depth, bool is_uniform) {
    switch (choose_.below(depth < 3 ? 20 : 9)) {
      case 0:
      case 1:
      case 2: declare(to, any_type(), false); return;
      case 3:
        if (choose_.one_in(3)) return declare_array(to);
        declare(to, any_type(), true);
        return;
      case 4: declare(to, any_type(), true); return;
      case 5:
      case 6:
      case 7: assign(to); return;
      case 8:
        if (is_uniform) collective(to);
        else declare(to, any_word(), false);
        return;
      case 9:
      case 10:
      case 11: {
        stmt s{.what = stmt::kind::branch, .in = {any(type::b, 3)}};
        s.body = nested(depth, false);
        if (choose_.one_in(2)) s.otherwise = nested(depth, false);
        to.push_back(std::move(s));
        return;
      }
      case 12:
      case 13: count(to, depth, is_uniform); return;
      case 14: repeat(to, depth); return;
      case 15: {
        stmt s{.what = stmt::kind::unroll, .index = next_++, .times = 2 + choose_.below(3)};
        s.body = in_scope([&](auto& body) {
          visible_.push_back({s.index, type::u32, false});
          assign(body);
          statements(body, 1 + choose_.below(2), depth + 1, is_uniform);
        });
        to.push_back(std::move(s));
        return;
      }
      case 16: pipeline(to, depth); return;
      case 17:
      case 18:
        if (is_uniform) collective(to);
        else assign(to);
        return;
      default:
        if (is_uniform) exchange(to);
        else assign(to);
        return;
    }
  }

  void count(std::vector<stmt>& to, int depth, bool is_uniform) {
    const type t = choose_.any({type::u32, type::s32, type::u64});
    stmt s{.what = stmt::kind::count, .index = next_++};
    const bool is_known = choose_.one_in(2);
    const auto small = [&](int below) {
      return is_known ? literal(t, static_cast<bits>(choose_.below(below)))
                      : node(op::bit_and, t, {any(t, 2), literal(t, static_cast<bits>(below - 1))});
    };
    bits first = 0;
    if (choose_.one_in(3))
      first = t == type::s32   ? choose_.any<bits>({0x7ffffff0u, bits{0} - 3, 0x80000000u})
              : t == type::u32 ? choose_.any<bits>({0xfffffff0u, 0x7ffffffeu})
                               : choose_.any<bits>({0x7ffffffeu, 0xfffffffeu, bits{0} - 16});
    bits by = 1 + static_cast<bits>(choose_.below(2));
    if (t == type::s32 && choose_.one_in(4)) by = ~bits{0};
    const auto from = [&](int below) {
      expr x = small(below);
      return first == 0 ? x : node(op::add, t, {std::move(x), literal(t, first)});
    };
    s.in = {from(4), from(8), literal(t, by)};
    if (by == ~bits{0}) std::swap(s.in[0], s.in[1]);
    if (t != type::u64 && choose_.one_in(6))
      s.in = {constant(t, t == type::s32 ? bits{0} - 2 : 0), constant(t, 3), literal(t, 1)};
    s.body = in_scope([&](auto& body) {
      visible_.push_back({s.index, t, false});
      assign(body);
      statements(body, 1 + choose_.below(3), depth + 1, is_uniform && is_known);
    });
    to.push_back(std::move(s));
  }

  void repeat(std::vector<stmt>& to, int depth) {
    const int counter = declare(to, literal(type::u32, 0), true);
    visible_.back().can_be_assigned = false;
    stmt s{.what = stmt::kind::repeat_while};
    s.in = {node(op::logic_and, type::b,
                 {node(op::lt, type::b, {name(type::u32, counter), u32(2u + static_cast<std::uint32_t>(choose_.below(4)))}),
                  any(type::b, 2)})};
    s.body = nested(depth, false);
    s.body.push_back({.what = stmt::kind::add_assign, .index = counter, .in = {u32(1)}});
    to.push_back(std::move(s));
  }

  // The next element is read before the last one is used.
  void pipeline(std::vector<stmt>& to, int depth) {
    const int source = input();
    const type t = k_.objects[static_cast<std::size_t>(source)].of;
    const int next = declare(to, load(source, 2), true);
    visible_.back().can_be_assigned = false;
    stmt s{.what = stmt::kind::count, .index = next_++};
    s.in = {u32(0), u32(1u + static_cast<std::uint32_t>(choose_.below(4))), u32(1)};
    s.body = in_scope([&](auto& body) {
      visible_.push_back({s.index, type::u32, false});
      declare(body, name(t, next), false);
      expr more = load(source, 2);
      if (choose_.one_in(2)) {
        stmt guarded{
            .what = stmt::kind::branch,
            .in = {node(op::lt, type::b, {name(type::u32, s.index), u32(static_cast<std::uint32_t>(choose_.below(4)))})}};
        guarded.body.push_back({.what = stmt::kind::assign, .index = next, .in = {std::move(more)}});
        body.push_back(std::move(guarded));
      } else {
        body.push_back({.what = stmt::kind::assign, .index = next, .in = {std::move(more)}});
      }
      assign(body);
      statements(body, 1, depth + 1, false);
    });
    to.push_back(std::move(s));
  }

  void collective(std::vector<stmt>& to) {
    switch (choose_.below(4)) {
      case 0: declare(to, node(choose_.any({op::vote_any, op::vote_all}), type::b, {any(type::b, 2)}), false); return;
      case 1:
        if (choose_.one_in(2)) declare(to, node(op::ballot, type::u32, {any(type::b, 2)}), false);
        else declare(to, node(op::block_count, type::u32, {any(type::b, 2)}), false);
        return;
      case 2: declare(to, node(choose_.any({op::block_any, op::block_all}), type::b, {any(type::b, 2)}), false); return;
      default: {
        type t = any_type();
        if (t == type::b) t = type::u32;
        expr lane = choose_.one_in(2) ? u32(static_cast<std::uint32_t>(choose_.below(32))) : any(type::u32, 1);
        declare(to,
                node(choose_.any({op::shuffle_idx, op::shuffle_up, op::shuffle_down, op::shuffle_xor}), t,
                     {any(t, 2), std::move(lane)}),
                false);
      }
    }
  }

  // Each thread writes an element of the tile, all meet, each reads any element, all meet.
  void exchange(std::vector<stmt>& to) {
    const type t = k_.objects[static_cast<std::size_t>(tile_)].of;
    const auto threads = static_cast<std::uint32_t>(threads_of(k_));
    expr at = node(op::thread_index, type::u32);
    if (choose_.one_in(2)) at = node(op::sub, type::u32, {u32(threads - 1), std::move(at)});
    const bool is_strong = choose_.one_in(3);
    if (is_strong) {
      expr write = node(choose_.any({op::store_relaxed, op::store_release}), t, {std::move(at), any(t, 2)});
      write.index = tile_;
      to.push_back({.what = stmt::kind::perform, .in = {std::move(write)}});
    } else {
      to.push_back(
          {.what = stmt::kind::store, .index = tile_, .in = {std::move(at), any(t, 2)}, .is_traced = choose_.one_in(2)});
    }
    to.push_back({.what = stmt::kind::sync});
    expr read = node(is_strong ? choose_.any({op::load_relaxed, op::load_acquire}) : op::load, t,
                     {node(op::rem, type::u32, {any(type::u32, 2), u32(threads)})});
    read.index = tile_;
    declare(to, std::move(read), false);
    to.push_back({.what = stmt::kind::sync});
  }

  // Every thread stores what it has computed.
  void keep(std::vector<stmt>& to) {
    const auto multiply = [](expr a, expr b) { return node(op::mul, type::u32, {std::move(a), std::move(b)}); };
    const auto plus = [](expr a, expr b) { return node(op::add, type::u32, {std::move(a), std::move(b)}); };
    const auto word = [](op o) { return node(o, type::u32); };
    const expr block = plus(multiply(plus(multiply(word(op::block_z), word(op::grid_y)), word(op::block_y)), word(op::grid_x)),
                            word(op::block_x));
    const int self =
        declare(to, plus(multiply(block, u32(static_cast<std::uint32_t>(threads_of(k_)))), word(op::thread_index)), false);
    std::array<int, 4> used{};
    for (std::size_t n = visible_.size() - 1; n-- > 0;) {
      const declared d = visible_[n];
      const std::size_t to_which = d.of == type::f32                                              ? 1
                                   : d.of == type::f64                                            ? 2
                                   : d.of == k_.objects[static_cast<std::size_t>(outputs_[3])].of ? 3
                                                                                                  : 0;
      if (used[to_which] == slots) continue;
      expr at = plus(multiply(name(type::u32, self), u32(slots)), u32(static_cast<std::uint32_t>(used[to_which]++)));
      to.push_back({.what = stmt::kind::store,
                    .index = outputs_[to_which],
                    .in = {std::move(at), cast(to_which == 0 ? type::u64 : d.of, name(d.of, d.index))}});
    }
  }

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
