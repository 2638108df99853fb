// Bytes to kernel.
#pragma once

#include <iterator>
#include <span>
#include <utility>

#include "operations.hpp"
#include "program.hpp"

namespace fuzz {

class generator {
 public:
  explicit generator(std::span<const std::uint8_t> bytes) : choose_(bytes) {}

  program operator()() {
    program out;
    out.threads = 1 + choose_.below(96);
    out.seed = choose_.word();
    while (!choose_.is_empty() && left_ > 0) out.body.push_back(next(0));
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

  std::vector<statement> block(int depth) {
    std::vector<statement> out;
    for (std::uint32_t n = 1 + choose_.below(4); n != 0 && left_ > 0; --n) out.push_back(next(depth));
    return out;
  }

  void maybe_guard(statement& s) {
    if (!choose_.one_in(5)) return;
    s.guard = any_register('p').number;
    s.guard_negated = choose_.one_in(2);
  }

  void choose_place(statement& s) {
    static constexpr std::pair<char, int> widths[] = {{'r', 4}, {'r', 1}, {'r', 2}, {'l', 8},
                                                      {'l', 4}, {'h', 2}, {'h', 1}};
    const auto [name, bytes] = widths[choose_.below(std::size(widths))];
    s.result = any_register(name);
    s.width_bytes = bytes;
    s.is_signed = choose_.one_in(2);
    s.offset_bytes = static_cast<int>(choose_.below(static_cast<std::uint32_t>(slice_bytes / bytes))) * bytes;
    maybe_guard(s);
  }

  statement next(int depth) {
    --left_;
    statement s;
    switch (choose_.below(depth < 3 ? 12 : 9)) {
      case 7:
        s.what = statement::kind::store;
        choose_place(s);
        return s;
      case 8:
        s.what = statement::kind::load;
        choose_place(s);
        return s;
      case 9:
        s.what = statement::kind::branch;
        s.guard = any_register('p').number;
        s.guard_negated = choose_.one_in(2);
        s.then = block(depth + 1);
        if (choose_.one_in(2)) s.otherwise = block(depth + 1);
        return s;
      case 10:
        s.what = statement::kind::loop;
        s.trips = 1 + static_cast<int>(choose_.below(3));
        s.then = block(depth + 1);
        return s;
      case 11:
        if (choose_.one_in(4)) {
          s.what = statement::kind::leave;
          s.guard = any_register('p').number;
          return s;
        }
        [[fallthrough]];
      default:
        s.op = &operations[choose_.below(std::size(operations))];
        s.result = any_register(s.op->shape[0]);
        for (std::size_t k = 1; s.op->shape[k] != 0; ++k) s.sources[k - 1] = source(s.op->shape[k]);
        maybe_guard(s);
        return s;
    }
  }

  choices choose_;
  int left_ = 60;
};

}  // namespace fuzz
