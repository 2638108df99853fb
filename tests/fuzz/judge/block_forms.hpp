// Statements whose places are made of quotients and remainders: blocks that take turns in bands, sequences of rows of any
// length, loops that turn as often as their thread says.
#pragma once

#include <utility>
#include <vector>

#include "access_expressions.hpp"

namespace judge {

/// They are drawn from choices of their own, so that the other statements of a seed stay what they are.
class block_forms : protected access_expressions {
 protected:
  explicit block_forms(std::uint64_t seed) : access_expressions(seed), own_(seed ^ 0xb10cf0f35u) {}

  /// Where a thread stores at the end: where the forms have a buffer of their own, the block's number along x alone counts, as
  /// nothing is proved of blocks along axes that a kernel looks at and an index leaves out.
  expr last_element() {
    if (buffer_ == 0) return own_element();
    return two(op::add, two(op::mul, word(op::block_x), all_threads()), self());
  }

  /// Up to two of them, in half of all kernels.
  void add_forms(std::vector<stmt>& to) {
    if (own_.one_in(2)) return;
    if (own_.one_in(2)) {  // a buffer that no other statement touches, so that proofs are about the form
      buffer_ = static_cast<int>(k_.objects.size());
      k_.objects.push_back({object::kind::inout, type::u32, elements, 0});
    }
    for (int n = 0; n <= own_.below(2); ++n) switch (own_.below(4)) {
        case 0: in_digits(to); break;
        case 1: in_bands(to); break;
        case 2: in_sequences(to); break;
        default: uneven_turns(to); break;
      }
  }

 private:
  static expr two(op o, expr a, expr b) { return node(o, type::u32, {std::move(a), std::move(b)}); }
  static expr word(op o) { return node(o, type::u32); }
  expr self() const { return word(op::thread_index); }
  expr all_threads() const { return u32(static_cast<std::uint32_t>(threads())); }
  /// A number above 0: a literal, or an argument.
  expr positive(std::initializer_list<std::uint32_t> literals) {
    return own_.one_in(3) ? two(op::max, scalar(type::u32, 0), u32(1)) : u32(own_.any(literals));
  }

  stmt stored(int object, expr at) {
    return {.what = stmt::kind::store,
            .index = object,
            .in = {std::move(at), cast(k_.objects[static_cast<std::size_t>(object)].of, self())}};
  }
  stmt read(int object, expr at) {
    expr x = node(op::load, k_.objects[static_cast<std::size_t>(object)].of, {std::move(at)});
    x.index = object;
    return {.what = stmt::kind::add_assign, .index = sink_, .in = {cast(type::u32, std::move(x))}};
  }
  static stmt guarded(expr condition, stmt body) {
    stmt out{.what = stmt::kind::branch, .in = {std::move(condition)}};
    out.body.push_back(std::move(body));
    return out;
  }
  int any_tile() {
    std::vector<int> all;
    for (std::size_t n = 0; n < k_.objects.size(); ++n)
      if (k_.objects[n].what == object::kind::tile) all.push_back(static_cast<int>(n));
    return own_.any(all);
  }

  // The quotient and the remainder of a block's number by one constant, each with a pitch, which may be too small.
  void in_digits(std::vector<stmt>& to) {
    const std::uint32_t by = own_.any({2u, 3u, 4u});
    const expr number = word(own_.one_in(3) ? op::block_y : op::block_x);
    const expr quotient = two(op::div, number, u32(by)), remainder = two(op::rem, number, u32(by));
    const bool is_turned = own_.one_in(3);
    const expr pitch = u32(own_.any({by - 1, by, by + 1}));
    const expr tile = is_turned ? two(op::add, two(op::mul, remainder, pitch), quotient)
                                : two(op::add, two(op::mul, quotient, pitch), remainder);
    to.push_back(stored(buffer_, two(op::add, two(op::mul, tile, all_threads()), self())));
  }

  // Block `number` makes the tile (down, across) of a band of `band` rows of `width` tiles; the last band may be lower.
  void in_bands(std::vector<stmt>& to) {
    const expr number =
        own_.one_in(3) ? two(op::add, two(op::mul, word(op::block_y), word(op::grid_x)), word(op::block_x)) : word(op::block_x);
    const expr band = positive({1, 2, 3, 4}), width = own_.one_in(3) ? word(op::grid_y) : positive({1, 2, 3});
    const expr of_band = two(op::mul, band, width);
    const expr rest = two(op::rem, number, of_band);
    const expr first = two(op::mul, two(op::div, number, of_band), band);
    const expr height = own_.one_in(3) ? two(op::max, two(op::min, band, two(op::sub, u32(4), first)), u32(1)) : band;
    const expr down = two(op::add, first, two(op::rem, rest, height)), across = two(op::div, rest, height);
    const expr pitch = own_.one_in(4) ? positive({1, 2, 3, 4}) : width;
    const expr element = two(op::add, two(op::mul, two(op::add, two(op::mul, down, pitch), across), all_threads()), self());
    stmt s = stored(buffer_, element);
    if (own_.one_in(3))
      s = guarded(node(op::lt, type::b, {down, own_.one_in(2) ? scalar(type::u32, 0) : u32(2)}), std::move(s));
    to.push_back(std::move(s));
    if (own_.one_in(2)) to.push_back(read(buffer_, own_.one_in(2) ? element : two(op::bit_xor, element, u32(1))));
  }

  // Rows of `length` elements, one behind the other: a block has one of them, or its threads have several.
  void in_sequences(std::vector<stmt>& to) {
    const expr length = positive({3, 8, 16, 31});
    if (own_.one_in(2)) {
      const expr begin = two(op::mul, word(op::block_x), length);
      to.push_back(guarded(node(op::lt, type::b, {self(), own_.one_in(4) ? all_threads() : length}),
                           stored(buffer_, two(op::add, begin, self()))));
      return;
    }
    const int object = own_.one_in(2) ? buffer_ : any_tile();
    const expr row = two(op::div, self(), length), column = two(op::rem, self(), length);
    const expr pitch = own_.one_in(3) ? positive({8, 16, 32}) : length;
    const auto at = [&](const expr& r) { return two(op::add, two(op::mul, r, pitch), column); };
    to.push_back(stored(object, at(row)));
    if (!own_.one_in(3)) to.push_back({.what = stmt::kind::sync});
    to.push_back(read(object, own_.one_in(2) ? at(row) : at(two(op::bit_xor, row, u32(1)))));
  }

  // A loop of `turns` turns, as many as the thread's number says.
  void uneven_turns(std::vector<stmt>& to) {
    const std::uint32_t most = own_.any({2u, 3u, 4u});
    const expr turns = own_.one_in(3)   ? two(op::rem, self(), u32(most + 1))
                       : own_.one_in(2) ? two(op::min, self(), u32(most))
                                        : two(op::sub, u32(most), two(op::rem, two(op::div, self(), u32(8)), u32(most)));
    stmt s{.what = stmt::kind::count, .index = next_++};
    s.in = {u32(0), turns, u32(1)};
    const expr turn = name(type::u32, s.index);
    const int object = own_.one_in(2) ? buffer_ : any_tile();
    const expr at = own_.one_in(2)   ? two(op::add, two(op::mul, self(), u32(own_.one_in(4) ? most - 1 : most)), turn)
                    : own_.one_in(2) ? two(op::add, two(op::mul, turn, all_threads()), self())
                                     : two(op::add, self(), turn);
    s.body.push_back(stored(object, at));
    if (own_.one_in(8)) s.body.push_back({.what = stmt::kind::sync});
    to.push_back(std::move(s));
    if (!own_.one_in(3)) to.push_back({.what = stmt::kind::sync});
    to.push_back(read(object, own_.one_in(2) ? self() : two(op::mul, self(), u32(most))));
  }

  choices own_;
  int buffer_ = 0;
};

}  // namespace judge
