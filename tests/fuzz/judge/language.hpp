// Random kernels whose values are all defined: no thread reads what another may still write, every index is inside.
#pragma once

#include <utility>

#include "language_expressions.hpp"

namespace judge {

class language : language_expressions {
 public:
  explicit language(std::uint64_t seed) : language_expressions(seed) {}

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

  // The counter can be read behind the loop. Where a loop is around it, it goes on from there.
  void repeat(std::vector<stmt>& to, int depth) {
    const type t = choose_.any({type::u32, type::s32, type::u64});
    const bits first = t == type::s32 ? bits{0} - static_cast<bits>(choose_.below(3)) : static_cast<bits>(choose_.below(3));
    const int counter = declare(to, literal(t, first), true);
    visible_.back().can_be_assigned = false;
    const bits most = choose_.one_in(2) ? 6 : 15;
    expr stop = literal(t, 1 + static_cast<bits>(choose_.below(static_cast<int>(most))));
    if (choose_.one_in(4)) stop = node(op::bit_and, t, {any(t, 2), literal(t, 7)});
    stmt s{.what = stmt::kind::repeat_while, .in = {node(op::lt, type::b, {name(t, counter), std::move(stop)})}};
    if (choose_.one_in(2)) s.in[0] = node(op::logic_and, type::b, {std::move(s.in[0]), any(type::b, 2)});
    s.body = nested(depth, false);
    s.body.push_back(
        {.what = stmt::kind::add_assign, .index = counter, .in = {literal(t, 1 + static_cast<bits>(choose_.below(3)))}});
    if (!choose_.one_in(3)) {
      to.push_back(std::move(s));
      return;
    }
    stmt around{.what = stmt::kind::count, .index = next_++};
    around.in = {u32(0), u32(2u + static_cast<std::uint32_t>(choose_.below(2))), u32(1)};
    around.body = in_scope([&](auto& body) {
      body.push_back(std::move(s));
      assign(body);
    });
    to.push_back(std::move(around));
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
};

}  // namespace judge
