// Random kernels about who touches what: shared and global accesses, barriers, copies, atomics, and indices of all kinds.
#pragma once

#include <utility>

#include "block_forms.hpp"

namespace judge {

class accesses : block_forms {
 public:
  explicit accesses(std::uint64_t seed) : block_forms(seed) {}

  kernel operator()() {
    k_.shape = choose_.any({0, 0, 1, 2, 2, 3, 5, 6, 7, 8, 9});
    k_.scalars = {type::u32, type::s32, type::u64, choose_.any({type::u8, type::s16, type::u32, type::s64})};
    const type wide = choose_.any({type::u32, type::u32, type::u8, type::u64});
    add(object::kind::inout, type::u32, elements);
    add(object::kind::in, type::u32, elements);
    add(object::kind::out, type::u32, elements);
    add(object::kind::tile, type::u32, tile_size());
    if (choose_.one_in(2)) add(object::kind::inout, wide, elements);
    if (choose_.one_in(2)) add(object::kind::tile, wide, tile_size());
    for (object& o : k_.objects)
      if (o.what != object::kind::tile && choose_.one_in(3)) o.at_least = choose_.any({1, 32, 33, 64, 256, 1024});
    std::vector<stmt> body;
    let(body, index(2));
    if (choose_.one_in(2)) let(body, load(1, name(type::u32, 0)));
    let(body, condition(2));
    if (choose_.one_in(2)) let(body, condition(2));
    sink_ = next_;
    body.push_back({.what = stmt::kind::var, .index = next_++, .in = {u32(0)}});
    if (choose_.one_in(3)) var(body, index(1));
    if (choose_.one_in(6)) array(body, index(1));
    statements(body, 2 + choose_.below(5), 0);
    add_forms(body);
    body.push_back({.what = stmt::kind::store, .index = 2, .in = {last_element(), name(type::u32, sink_)}});
    k_.body = std::move(body);
    number_lines(k_);
    return std::move(k_);
  }

  /// Launch number `n` of a kernel: arguments at the ends of ranges, small ones, several grids.
  static launch how(const kernel& k, std::uint64_t seed, int n) {
    choices choose(seed * 131 + static_cast<std::uint64_t>(n));
    constexpr std::array<std::array<std::uint32_t, 3>, 6> grids{
        {{2, 1, 1}, {1, 1, 1}, {3, 1, 1}, {2, 2, 1}, {1, 2, 1}, {1, 1, 2}}};
    launch out;
    out.grid = grids[static_cast<std::size_t>(n) % grids.size()];
    out.data = static_cast<std::uint64_t>(n) * 2 + 1;
    // clang-format off
    constexpr bits edges[] = {0, 1, 2, 3, 31, 32, 33, 64, 100, 127, 128, 255, 256, 257, 1000, 65535, 65536, 1u << 20,
                              0x7fffffff, 0x80000000, 0xfffffffe, 0xffffffff,
                              bits{1} << 32, (bits{1} << 32) + 1, bits{1} << 63, ~bits{0}};
    // clang-format on
    for (const type t : k.scalars) {
      const bool is_small = choose.one_in(2);
      out.scalars.push_back(edges[choose.below(is_small ? 15 : 26)] & mask_of(t));
    }
    return out;
  }

 private:
  int tile_size() {
    return choose_.one_in(4) ? choose_.any({48, 128, 300}) : threads() > 128 ? 300 : threads() > 48 ? 128 : 48;
  }
  void add(object::kind what, type of, int count) { k_.objects.push_back({what, of, count, 0}); }

  void let(std::vector<stmt>& to, expr x) {
    visible_.push_back({next_, x.of, false});
    to.push_back({.what = stmt::kind::let, .index = next_++, .in = {std::move(x)}});
  }
  void var(std::vector<stmt>& to, expr x) {
    visible_.push_back({next_, x.of, true});
    to.push_back({.what = stmt::kind::var, .index = next_++, .in = {std::move(x)}});
  }
  // Two registers with one name.
  void array(std::vector<stmt>& to, expr x) {
    for (int n = 0; n < 2; ++n) visible_.push_back({next_ + n, x.of, true});
    to.push_back({.what = stmt::kind::array, .index = next_, .times = 2, .in = {std::move(x)}});
    next_ += 2;
  }
  void use(std::vector<stmt>& to, expr x) {
    to.push_back({.what = stmt::kind::add_assign, .index = sink_, .in = {cast(type::u32, std::move(x))}});
  }

  template <class F> std::vector<stmt> in_scope(F&& fill) {
    const auto before = visible_;
    std::vector<stmt> out;
    fill(out);
    visible_ = before;
    return out;
  }

  stmt store(int object, expr at) {
    const type t = k_.objects[static_cast<std::size_t>(object)].of;
    expr x = choose_.one_in(4) ? literal(t, 7)
                               : cast(t, choose_.one_in(2) ? node(op::thread_index, type::u32) : name(type::u32, sink_));
    return {.what = stmt::kind::store, .index = object, .in = {std::move(at), std::move(x)}, .is_traced = choose_.one_in(3)};
  }

  // Statements.
  void statements(std::vector<stmt>& to, int count, int depth) {
    for (int n = 0; n < count; ++n) statement(to, depth);
  }

  void statement(std::vector<stmt>& to, int depth) {
    switch (choose_.below(depth < 2 ? 22 : 11)) {
      case 0:
      case 1:
      case 2: to.push_back(store(writable(), place())); return;
      case 3:
      case 4: use(to, load(readable(), place())); return;
      case 5:
      case 6: to.push_back({.what = stmt::kind::sync}); return;
      case 7: atomic(to); return;
      case 8: let(to, choose_.one_in(2) ? index(2) : condition(2)); return;
      case 9: assign(to); return;
      case 10: {
        const int t = tile();
        to.push_back(store(t, choose_.one_in(2) ? node(op::thread_index, type::u32) : place()));
        to.push_back({.what = stmt::kind::sync});
        use(to, load(t, place()));
        if (choose_.one_in(2)) to.push_back({.what = stmt::kind::sync});
        return;
      }
      case 11:
      case 12:
      case 13: {
        stmt s{.what = stmt::kind::branch, .in = {condition(2)}};
        s.body = in_scope([&](auto& body) { statements(body, 1 + choose_.below(2), depth + 1); });
        if (choose_.one_in(3)) s.otherwise = in_scope([&](auto& body) { statements(body, 1, depth + 1); });
        to.push_back(std::move(s));
        return;
      }
      case 14:
      case 15: loop(to, depth); return;
      case 16: stages(to); return;
      case 17: named(to, depth); return;
      case 18: copies(to); return;
      case 19: mirrored(to); return;
      case 20: guarded_twice(to); return;
      default: flagged(to); return;
    }
  }

  void assign(std::vector<stmt>& to) {
    std::vector<declared> can;
    for (const declared& d : visible_)
      if (d.can_be_assigned && d.of == type::u32) can.push_back(d);
    if (can.empty()) {
      to.push_back({.what = stmt::kind::sync});
      return;
    }
    const declared d = choose_.any(can);
    to.push_back({.what = choose_.one_in(2) ? stmt::kind::assign : stmt::kind::add_assign, .index = d.index, .in = {index(1)}});
  }

  void atomic(std::vector<stmt>& to) {
    const int object = choose_.one_in(2) ? 0 : tile();
    const type t = k_.objects[static_cast<std::size_t>(object)].of;
    if (!is_word(t)) return;
    if (choose_.one_in(4)) {
      expr read = node(choose_.any({op::load_relaxed, op::load_acquire}), t, {place()});
      read.index = object;
      return use(to, std::move(read));
    }
    expr e = node(choose_.any({op::atomic_add, op::atomic_max, op::atomic_exchange, op::store_relaxed, op::store_release}), t,
                  {place(), literal(t, 1)});
    e.index = object;
    to.push_back({.what = stmt::kind::perform, .in = {std::move(e)}});
  }

  void loop(std::vector<stmt>& to, int depth) {
    const type t = choose_.any({type::u32, type::u32, type::s32});
    stmt s{.what = stmt::kind::count, .index = next_++};
    const auto small = [&] { return literal(t, static_cast<bits>(choose_.below(5))); };
    expr stop = small();
    if (choose_.one_in(2)) stop = scalar(t, t == type::u32 ? 0 : 1);
    if (t == type::u32 && choose_.one_in(4))
      stop = node(op::min, t, {scalar(t, 0), u32(choose_.any({4u, 0xffff0000u, 0x80000000u}))});
    expr start = choose_.one_in(2) ? literal(t, 0) : small();
    if (t == type::u32 && choose_.one_in(3)) start = node(op::thread_index, type::u32);
    expr by = literal(t, choose_.one_in(2) ? 1 : static_cast<bits>(threads()));
    if (start.what == op::thread_index) by = u32(static_cast<std::uint32_t>(threads()));
    s.in = {std::move(start), std::move(stop), std::move(by)};
    s.body = in_scope([&](auto& body) {
      visible_.push_back({s.index, t, false});
      statements(body, 1 + choose_.below(3), depth + 1);
      if (choose_.one_in(3)) body.push_back({.what = stmt::kind::sync});
    });
    to.push_back(std::move(s));
  }

  // Two halves of a tile in turn.
  void stages(std::vector<stmt>& to) {
    const int t = tile();
    const int half = k_.objects[static_cast<std::size_t>(t)].elements / 2;
    const int stage = next_;
    var(to, u32(0));
    stmt s{.what = stmt::kind::count, .index = next_++};
    s.in = {u32(0), choose_.one_in(2) ? scalar(type::u32, 0) : u32(4), u32(1)};
    const auto at = [&](expr i) {
      return node(op::add, type::u32,
                  {node(op::mul, type::u32, {name(type::u32, stage), u32(static_cast<std::uint32_t>(half))}),
                   node(op::rem, type::u32, {std::move(i), u32(static_cast<std::uint32_t>(half))})});
    };
    const expr self = node(op::thread_index, type::u32);
    s.body.push_back(store(t, at(self)));
    if (!choose_.one_in(6)) s.body.push_back({.what = stmt::kind::sync});
    s.body.push_back(
        {.what = stmt::kind::add_assign,
         .index = sink_,
         .in = {cast(type::u32, load(t, at(choose_.one_in(2) ? node(op::bit_xor, type::u32, {self, u32(1)}) : self)))}});
    if (choose_.one_in(2)) s.body.push_back({.what = stmt::kind::sync});
    s.body.push_back({.what = stmt::kind::assign,
                      .index = stage,
                      .in = {choose_.one_in(2) ? node(op::bit_xor, type::u32, {name(type::u32, stage), u32(1)})
                                               : node(op::sub, type::u32, {u32(1), name(type::u32, stage)})}});
    to.push_back(std::move(s));
  }

  // A flag that a loop carries: the first round does not wait.
  void flagged(std::vector<stmt>& to) {
    const int t = tile();
    const int flag = next_;
    to.push_back({.what = stmt::kind::var, .index = next_++, .in = {literal(type::b, 0)}});
    stmt s{.what = stmt::kind::count, .index = next_++};
    s.in = {u32(0), choose_.one_in(2) ? scalar(type::u32, 0) : u32(3), u32(1)};
    stmt read{.what = stmt::kind::branch, .in = {name(type::b, flag)}};
    read.body.push_back({.what = stmt::kind::add_assign,
                         .index = sink_,
                         .in = {cast(type::u32, load(t, choose_.one_in(2) ? node(op::thread_index, type::u32) : place()))}});
    s.body.push_back(std::move(read));
    s.body.push_back({.what = stmt::kind::sync});
    s.body.push_back(store(t, node(op::thread_index, type::u32)));
    s.body.push_back({.what = stmt::kind::sync});
    s.body.push_back({.what = stmt::kind::assign, .index = flag, .in = {literal(type::b, choose_.one_in(5) ? 0 : 1)}});
    to.push_back(std::move(s));
  }

  void named(std::vector<stmt>& to, int depth) {
    const int warps = threads() / 32;
    if (threads() % 32 != 0 || warps < 2 || depth > 0) return;
    const int count = 32 * (1 + choose_.below(warps));
    const int wanted = choose_.one_in(4) ? 32 * (1 + choose_.below(warps)) : count;
    const int id = 1 + choose_.below(2);
    const int t = tile();
    const auto first = [&](int n) {
      return node(op::lt, type::b, {node(op::warp_index, type::u32), u32(static_cast<std::uint32_t>(n / 32))});
    };
    if (choose_.one_in(2)) {
      stmt s{.what = stmt::kind::branch, .in = {first(count)}};
      s.body.push_back(store(t, node(op::thread_index, type::u32)));
      s.body.push_back({.what = stmt::kind::named_sync, .index = id, .times = wanted});
      s.body.push_back(
          {.what = stmt::kind::add_assign,
           .index = sink_,
           .in = {cast(type::u32, load(t, node(op::bit_xor, type::u32,
                                               {node(op::thread_index, type::u32), u32(choose_.any({1u, 32u, 64u}))})))}});
      to.push_back(std::move(s));
      return;
    }
    // Producers arrive, consumers wait.
    stmt s{.what = stmt::kind::branch, .in = {first(32)}};
    s.body.push_back(store(t, node(op::lane, type::u32)));
    s.body.push_back({.what = stmt::kind::named_arrive, .index = id, .times = wanted});
    stmt read{.what = stmt::kind::branch, .in = {node(op::eq, type::b, {node(op::warp_index, type::u32), u32(1)})}};
    read.body.push_back({.what = stmt::kind::named_sync, .index = id, .times = wanted});
    read.body.push_back(
        {.what = stmt::kind::add_assign, .index = sink_, .in = {cast(type::u32, load(t, node(op::lane, type::u32)))}});
    to.push_back(std::move(s));
    to.push_back(std::move(read));
  }

  void copies(std::vector<stmt>& to) {
    int t = tile();
    if (k_.objects[static_cast<std::size_t>(t)].of != type::u32) t = 3;
    const auto begin = [&](expr at) {
      to.push_back({.what = stmt::kind::copy_async,
                    .index = t,
                    .other = 1,
                    .in = {std::move(at), node(op::rem, type::u32, {node(op::global_x, type::u32), u32(1024)})}});
    };
    begin(choose_.one_in(2) ? node(op::thread_index, type::u32) : place());
    const bool waits = !choose_.one_in(5);
    if (choose_.one_in(3)) begin(place());
    if (waits) to.push_back({.what = stmt::kind::commit_wait, .times = choose_.one_in(5) ? 1 : 0});
    if (!choose_.one_in(4)) to.push_back({.what = stmt::kind::sync});
    use(to, load(t, choose_.one_in(2) ? node(op::thread_index, type::u32) : place()));
  }

  // An element and the one that lies opposite, of the block or the grid.
  void mirrored(std::vector<stmt>& to) {
    const expr all =
        node(op::mul, type::u32,
             {node(op::grid_x, type::u32), u32(static_cast<std::uint32_t>(shapes[static_cast<std::size_t>(k_.shape)][0]))});
    const expr g = node(op::global_x, type::u32);
    const int object = buffer();
    to.push_back(store(object, g));
    if (!choose_.one_in(4)) to.push_back({.what = stmt::kind::sync});
    use(to, load(object, node(op::sub, type::u32, {node(op::sub, type::u32, {all, u32(1)}), g})));
  }

  // What only some threads write, and only some read.
  void guarded_twice(std::vector<stmt>& to) {
    const int t = choose_.one_in(3) ? buffer() : tile();
    const expr c = condition(1);
    stmt write{.what = stmt::kind::branch, .in = {c}};
    write.body.push_back(store(t, node(op::thread_index, type::u32)));
    to.push_back(std::move(write));
    to.push_back({.what = stmt::kind::sync});
    stmt read{.what = stmt::kind::branch, .in = {choose_.one_in(3) ? condition(1) : c}};
    read.body.push_back({.what = stmt::kind::add_assign,
                         .index = sink_,
                         .in = {cast(type::u32, load(t, choose_.one_in(2) ? node(op::bit_xor, type::u32,
                                                                                 {node(op::thread_index, type::u32), u32(1)})
                                                                          : place()))}});
    to.push_back(std::move(read));
  }
};

}  // namespace judge
