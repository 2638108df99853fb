// Bytes to kernel.
#pragma once

#include <iterator>
#include <span>
#include <utility>

#include "atomics.hpp"
#include "operations.hpp"
#include "program.hpp"

namespace fuzz {

class generator {
 public:
  explicit generator(std::span<const std::uint8_t> bytes) : choose_(bytes) {}

  program operator()() {
    program out;
    out.block = {1 + choose_.below(40), 1 + choose_.below(3), 1 + choose_.below(2)};
    if (choose_.one_in(2)) out.block[0] = out.block[0] <= 8 ? 32 : 16 * (1 + out.block[0] % 2), out.block[2] = 2;
    has_whole_warps_ = out.threads() % 32 == 0;
    out.seed = choose_.word();
    is_in_function_ = true;
    for (std::uint32_t n = choose_.below(3); n != 0; --n) out.functions.push_back(block(1, false));
    is_in_function_ = false;
    functions_ = static_cast<std::uint32_t>(out.functions.size());
    left_ = 60;
    while (!choose_.is_empty() && left_ > 0) out.body.push_back(next(0, true));
    return out;
  }

 private:
  value any_register(char name) {
    return {name, static_cast<int>(choose_.below(static_cast<std::uint32_t>(class_of(name).count))), 0};
  }

  value constant(char name) {
    const std::uint64_t bits = choose_.one_in(4) ? first_value(choose_.word(), 0, 0) : choose_.below(256);
    const int width = class_of(name).width;
    return {0, 0, width == 64 ? bits : bits & ((std::uint64_t{1} << width) - 1)};
  }

  value source(char name) {
    if (name == '8') return {0, 0, choose_.below(256)};
    const bool may_be_constant = name == 'h' || name == 'r' || name == 'l';
    return may_be_constant && choose_.one_in(4) ? constant(name) : any_register(name);
  }

  /// `is_uniform`: all threads run it together.
  std::vector<statement> block(int depth, bool is_uniform) {
    std::vector<statement> out;
    for (std::uint32_t n = 1 + choose_.below(4); n != 0 && left_ > 0; --n) out.push_back(next(depth, is_uniform));
    return out;
  }

  /// Who leaves in one round of a loop would be missed by the threads together in the next.
  std::vector<statement> uniform_block(int depth) {
    const bool before = std::exchange(may_leave_, false);
    std::vector<statement> out = block(depth, true);
    may_leave_ = before;
    return out;
  }

  void maybe_guard(statement& s) {
    if (!choose_.one_in(5)) return;
    s.guard = any_register('p').number;
    s.guard_negated = choose_.one_in(2);
  }

  void choose_place(statement& s) {
    s.where = static_cast<space>(choose_.below(3));
    s.is_generic = choose_.one_in(3);
    const int bytes = s.width_bytes * s.elements;
    s.offset_bytes = static_cast<int>(choose_.below(static_cast<std::uint32_t>(slice_bytes / bytes))) * bytes;
    if (choose_.one_in(4)) s.index = any_register('r').number;
    maybe_guard(s);
  }

  statement access(statement::kind what) {
    static constexpr std::pair<char, int> widths[] = {{'r', 4}, {'r', 1}, {'r', 2}, {'l', 8}, {'l', 4},
                                                      {'h', 2}, {'h', 1}, {'f', 4}, {'d', 8}};
    statement s;
    s.what = what;
    // The bits of a NaN are nobody's promise: floats are not stored.
    const std::size_t few = what == statement::kind::store ? 2 : 0;
    const auto [name, bytes] = widths[choose_.below(static_cast<std::uint32_t>(std::size(widths) - few))];
    s.result = any_register(name);
    s.width_bytes = bytes;
    s.elements = choose_.one_in(4) ? 2 : choose_.one_in(4) && bytes < 8 ? 4 : 1;
    s.is_signed = choose_.one_in(2);
    choose_place(s);
    return s;
  }

  statement atomic() {
    statement s;
    s.what = statement::kind::atomic;
    s.which = static_cast<int>(choose_.below(std::size(atomics)));
    const atomic_operation& a = atomics[s.which];
    s.width_bytes = class_of(a.register_class).width / 8;
    s.result = any_register(a.register_class);
    s.sources = {source(a.register_class), source(a.register_class), {}, {}};
    choose_place(s);
    if (s.where == space::local) s.where = space::shared;
    return s;
  }

  statement collective() {
    statement s;
    s.what = statement::kind::collective;
    const std::uint32_t first = has_whole_warps_ ? 0 : static_cast<std::uint32_t>(together::pass_on);
    s.how = static_cast<together>(first + choose_.below(static_cast<std::uint32_t>(together::block_and) + 1 - first));
    const bool to_predicate = s.how == together::all || s.how == together::any || s.how == together::uni ||
                              s.how == together::block_or || s.how == together::block_and;
    const bool from_predicate = to_predicate || s.how == together::ballot || s.how == together::count;
    s.result = any_register(to_predicate ? 'p' : 'r');
    s.sources[0] = any_register(from_predicate ? 'p' : 'r');
    s.sources[1] = source('r');
    s.which = static_cast<int>(choose_.below(4));  // width of the segments of a shuffle
    return s;
  }

  statement compute() {
    statement s;
    s.op = &operations[choose_.below(std::size(operations))];
    s.result = any_register(s.op->shape[0]);
    for (std::size_t k = 1; s.op->shape[k] != 0; ++k) s.sources[k - 1] = source(s.op->shape[k]);
    maybe_guard(s);
    return s;
  }

  statement next(int depth, bool is_uniform) {
    --left_;
    statement s;
    switch (choose_.below(18)) {
      case 0:
      case 1:
        if (is_in_function_) break;
        return access(statement::kind::store);
      case 2:
      case 3:
        if (is_in_function_) break;
        return access(statement::kind::load);
      case 4:
        if (is_in_function_) break;
        return atomic();
      case 5:
        if (is_in_function_) break;
        s.what = statement::kind::add_to_all;
        s.which = static_cast<int>(choose_.below(3));
        s.sources[0] = source(s.which == 2 ? 'l' : 'r');
        maybe_guard(s);
        return s;
      case 6:
      case 7:
        s.what = statement::kind::special;
        s.which = static_cast<int>(choose_.below(std::size(specials)));
        s.result = any_register('r');
        maybe_guard(s);
        return s;
      case 8:
      case 9:
        if (is_in_function_ || !is_uniform || may_have_left_) break;
        return collective();
      case 10:
        if (functions_ == 0) break;
        s.what = statement::kind::call;
        s.which = static_cast<int>(choose_.below(functions_));
        s.result = any_register('r');
        s.sources = {source('r'), source('r'), {}, {}};
        return s;
      case 11:
        if (depth >= 3) break;
        s.what = statement::kind::branch;
        s.guard = any_register('p').number;
        s.guard_negated = choose_.one_in(2);
        s.then = block(depth + 1, false);
        if (choose_.one_in(2)) s.otherwise = block(depth + 1, false);
        return s;
      case 12:
        if (depth >= 3) break;
        s.what = statement::kind::loop;
        s.trips = 1 + static_cast<int>(choose_.below(3));
        s.then = block(depth + 1, false);
        return s;
      case 13:
        if (depth >= 3 || may_have_left_ || !is_uniform) break;
        s.what = statement::kind::loop;
        s.trips = 1 + static_cast<int>(choose_.below(3));
        s.then = uniform_block(depth + 1);
        return s;
      case 14:
        if (!choose_.one_in(4) || !may_leave_) break;
        may_have_left_ = may_have_left_ || !is_in_function_;
        s.what = statement::kind::leave;
        s.guard = any_register('p').number;
        return s;
      default: break;
    }
    return compute();
  }

  choices choose_;
  int left_ = 12;
  std::uint32_t functions_ = 0;
  bool has_whole_warps_ = false;
  bool is_in_function_ = false;
  bool may_leave_ = true;
  bool may_have_left_ = false;
};

}  // namespace fuzz
