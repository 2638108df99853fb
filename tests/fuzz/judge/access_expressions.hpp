// Random expressions over a kernel's arguments, places of threads and names: indices of all kinds, and conditions.
#pragma once

#include <utility>
#include <vector>

#include "random.hpp"

namespace judge {

/// What statements are made of. Names are those that are visible where the next statement will stand.
class access_expressions {
 protected:
  explicit access_expressions(std::uint64_t seed) : choose_(seed) {}

  static constexpr int elements = 2048;

  struct declared {
    int index;
    type of;
    bool can_be_assigned;
  };

  int threads() const { return threads_of(k_); }

  // Objects.
  int tile() {
    std::vector<int> all;
    for (std::size_t n = 0; n < k_.objects.size(); ++n)
      if (k_.objects[n].what == object::kind::tile) all.push_back(static_cast<int>(n));
    return choose_.any(all);
  }
  int buffer() { return k_.objects.size() > 4 && k_.objects[4].what == object::kind::inout && choose_.one_in(2) ? 4 : 0; }
  int readable() { return choose_.one_in(3) ? 1 : choose_.one_in(2) ? buffer() : tile(); }
  int writable() { return choose_.one_in(2) ? buffer() : tile(); }

  expr load(int object, expr at) {
    expr out = node(op::load, k_.objects[static_cast<std::size_t>(object)].of, {std::move(at)});
    out.index = object;
    out.is_traced = choose_.one_in(3);
    return out;
  }

  // Indices.
  expr own_element() {
    return node(op::add, type::u32,
                {node(op::mul, type::u32, {linear_block(), u32(static_cast<std::uint32_t>(threads()))}),
                 node(op::thread_index, type::u32)});
  }
  static expr linear_block() {
    const auto word = [](op o) { return node(o, type::u32); };
    return node(
        op::add, type::u32,
        {node(op::mul, type::u32,
              {node(op::add, type::u32, {node(op::mul, type::u32, {word(op::block_z), word(op::grid_y)}), word(op::block_y)}),
               word(op::grid_x)}),
         word(op::block_x)});
  }

  expr place() {
    if (choose_.one_in(3)) return known_index();
    if (choose_.one_in(12))
      return node(op::add, type::u64,
                  {cast(type::u64, known_index()),
                   choose_.one_in(2) ? scalar(type::u64, 2) : literal(type::u64, choose_.number(type::u64))});
    if (choose_.one_in(10)) return cast(type::s32, index(2));
    return index(2);
  }

  // As kernels are written.
  expr known_index() {
    const expr self = node(op::thread_index, type::u32);
    const auto t = static_cast<std::uint32_t>(threads());
    switch (choose_.below(12)) {
      case 0:
      case 1: return self;
      case 2: return node(op::thread_x, type::u32);
      case 3:
      case 4: return node(op::global_x, type::u32);
      case 5: return own_element();
      case 6: return node(op::sub, type::u32, {u32(t - 1), self});
      case 7: return node(op::bit_xor, type::u32, {self, u32(choose_.any({1u, 2u, 16u, 31u}))});
      case 8: return node(op::rem, type::u32, {node(op::add, type::u32, {self, u32(choose_.any({1u, 5u, 32u}))}), u32(t)});
      case 9:
        return node(op::add, type::u32,
                    {node(op::mul, type::u32, {node(op::block_x, type::u32), u32(choose_.any({t, t / 2 + 1, 1u}))}), self});
      case 10:
        return node(op::add, type::u32,
                    {node(op::global_x, type::u32), node(op::mul, type::u32, {node(op::grid_x, type::u32), u32(t)})});
      default: return node(op::add, type::u32, {self, any_name(type::u32)});
    }
  }

  expr any_name(type t) {
    std::vector<declared> fit;
    for (const declared& d : visible_)
      if (d.of == t) fit.push_back(d);
    if (fit.empty())
      return t == type::b     ? node(op::lt, type::b, {node(op::thread_index, type::u32), u32(16)})
             : t == type::u32 ? scalar(type::u32, 0)
                              : literal(t, 1);
    return name(t, choose_.any(fit).index);
  }

  expr atom() {
    switch (choose_.below(10)) {
      case 0:
      case 1:
      case 2: return known_index();
      case 3:
      case 4: return any_name(type::u32);
      case 5: return scalar(type::u32, 0);
      case 6: {
        const int which = 1 + choose_.below(3);
        return cast(type::u32, scalar(k_.scalars[static_cast<std::size_t>(which)], which));
      }
      case 7: return node(choose_.any({op::block_x, op::block_y, op::grid_x, op::thread_y}), type::u32);
      case 8: return u32(static_cast<std::uint32_t>(choose_.number(type::u32)));
      default: return u32(static_cast<std::uint32_t>(choose_.below(70)));
    }
  }

  expr index(int depth) {
    if (depth <= 0) return atom();
    const auto two = [&](op o) { return node(o, type::u32, {index(depth - 1), atom()}); };
    const auto with = [&](op o, std::uint32_t n) {
      const bool is_constant = choose_.one_in(2) && (n == 1 || n == 3 || n == 33) && o != op::shl && o != op::shr;
      return node(o, type::u32, {index(depth - 1), is_constant ? constant(type::u32, n) : u32(n)});
    };
    switch (choose_.below(22)) {
      case 0:
      case 1:
      case 2: return known_index();
      case 3:
      case 4: return two(op::add);
      case 5: return two(op::sub);
      case 6: return with(op::mul, choose_.any({2u, 3u, 4u, 32u, 33u, 64u, 0x80000000u}));
      case 7: return two(op::mul);
      case 8: return with(op::shl, choose_.any({1u, 2u, 5u, 30u}));
      case 9: return with(op::shr, choose_.any({1u, 2u, 5u, 24u}));
      case 10: return with(op::div, choose_.any({2u, 3u, 32u, 0x80000001u}));
      case 11: return with(op::rem, choose_.any({2u, 32u, 48u, static_cast<std::uint32_t>(threads())}));
      case 12: return with(op::bit_and, choose_.any({1u, 31u, 63u, 255u, 0xfffffff0u}));
      case 13: return with(choose_.any({op::bit_or, op::bit_xor}), choose_.any({1u, 32u, 64u}));
      case 14: return two(op::min);
      case 15: return two(op::max);
      case 16:
      case 20:
      case 21: return cast(type::u32, cast(choose_.any({type::u8, type::s8, type::u16, type::s16}), index(depth - 1)));
      case 17: return node(op::select, type::u32, {condition(1), index(depth - 1), atom()});
      case 18: {
        // As a signed number, divided or shifted toward below.
        expr x = node(op::sub, type::s32,
                      {cast(type::s32, index(depth - 1)), literal(type::s32, static_cast<bits>(choose_.below(70)))});
        x = node(choose_.any({op::shr, op::div}), type::s32,
                 {std::move(x), literal(type::s32, static_cast<bits>(1 + choose_.below(4)))});
        if (x.what == op::shr) x.in[1].of = type::u32;
        return cast(type::u32, std::move(x));
      }
      default: return cast(type::u32, node(op::add, type::u64, {cast(type::u64, index(depth - 1)), scalar(type::u64, 2)}));
    }
  }

  expr condition(int depth) {
    const auto compare = [&](expr a, expr b) {
      return node(choose_.any({op::lt, op::lt, op::le, op::gt, op::ge, op::eq, op::ne}), type::b, {std::move(a), std::move(b)});
    };
    switch (choose_.below(12)) {
      case 0:
      case 1:
      case 2: return node(op::lt, type::b, {known_index(), scalar(type::u32, 0)});
      case 3: return compare(node(op::thread_index, type::u32), u32(static_cast<std::uint32_t>(choose_.below(threads() + 1))));
      case 4: return compare(scalar(type::u32, 0), u32(choose_.any({0x80000000u, 0xfffffffeu, 0x7fffffffu, 1u, 16u})));
      case 5: return compare(index(1), atom());
      case 6:
        return compare(load(1, node(op::rem, type::u32, {known_index(), u32(1024)})), u32(choose_.any({1u, 5u, 0x80000000u})));
      case 7:
        return compare(scalar(type::u64, 2),
                       literal(type::u64, choose_.any<bits>({0, 5, 0xffffffffu, bits{1} << 32, bits{1} << 63})));
      case 8: return compare(scalar(type::s32, 1), literal(type::s32, choose_.any<bits>({0, 1, 0xffffffffu, 0x80000000u})));
      case 9: return any_name(type::b);
      case 10:
        if (depth > 0)
          return node(choose_.any({op::logic_and, op::logic_or}), type::b, {condition(depth - 1), condition(depth - 1)});
        return any_name(type::b);
      default:
        if (depth > 0) return node(op::logic_not, type::b, {condition(depth - 1)});
        return compare(atom(), atom());
    }
  }

  choices choose_;
  kernel k_;
  int next_ = 0;
  int sink_ = 0;
  std::vector<declared> visible_;
};

}  // namespace judge
