#include <tg/dsl/index/thread_numbers.hpp>

#include <doctest/doctest.h>

using namespace tg::index::detail;

namespace {

/// `own` as it would be if no warp were moved.
template <int Count> constexpr thread_numbers<Count> thread_by_thread(const thread_numbers<Count>& own) {
  thread_numbers<Count> out;
  for (int t = 0; t < Count; ++t) out.of[t] = own.at(t);
  out.take_stock();
  return out;
}

/// In how many answers numbers that are kept as moved warps differ from the same ones kept thread by thread.
template <int Count> int count_other_answers(const thread_numbers<Count>& own) {
  const auto plain = thread_by_thread(own);
  int out = int{own.bits != plain.bits} + int{own.any_below_0 != plain.any_below_0};
  for (int a = 0; a < own.warps; ++a) {
    std::int64_t moved[32] = {}, kept[32] = {};
    own.copy_warp(a, moved);
    plain.copy_warp(a, kept);
    for (int l = 0; l < 32; ++l) out += int{moved[l] != kept[l]};
    out += int{own.is_one_in(a) != plain.is_one_in(a)};
    for (int b = a + 1; b < own.warps; ++b)
      for (const int period : {1, 4, 32, 96}) {
        out += int{own.are_apart(a, b, period) != plain.are_apart(a, b, period)};
        if (!own.any_below_0) out += int{own.are_renamed(a, b, period) != plain.are_renamed(a, b, period)};
      }
  }
  return out;
}

struct found {
  int others = 0, moved = 0;

  template <int Count> void take(const thread_numbers<Count>& own) {
    others += count_other_answers(own);
    moved += own.is_moved;
  }
};

/// What an index makes of the coordinates of a block.
template <int X, int Y, int Z> found look_at_block() {
  found out;
  for (const char axis : {'x', 'y', 'z'}) {
    const auto own = thread_coordinates<X, Y, Z>(axis);
    out.take(own);
    for (const int n : {1, 3, 4, 16, 32, 48, 64})
      for (const bool is_rest : {false, true}) {
        const auto parts = divided(own, n, is_rest);
        for (int t = 0; t < X * Y * Z; ++t) out.others += int{parts.at(t) != (is_rest ? own.at(t) % n : own.at(t) / n)};
        out.take(parts);
        out.take(divided(parts, 2, !is_rest));
        thread_numbers<X * Y * Z> sum;
        sum.is_moved = parts.is_moved && own.is_moved;
        sum.add(parts, 40);
        sum.add(own, -3);
        sum.take_stock();
        for (int t = 0; t < X * Y * Z; ++t) out.others += int{sum.at(t) != 40 * parts.at(t) - 3 * own.at(t)};
        out.take(sum);
        for (const auto what : {bits_of_two::and_, bits_of_two::or_, bits_of_two::xor_}) {
          const auto f = [=](std::int64_t a, std::int64_t b) {
            return what == bits_of_two::and_ ? a & b : what == bits_of_two::or_ ? a | b : a ^ b;
          };
          const auto of_both = bits_of(what, own, parts);
          thread_numbers<1> mask{{0x38}};
          mask.take_stock();
          const auto of_mask = bits_of(what, parts, mask);
          for (int t = 0; t < X * Y * Z; ++t)
            out.others += int{of_both.at(t) != f(own.at(t), parts.at(t))} + int{of_mask.at(t) != f(parts.at(t), 0x38)};
          out.take(of_both);
          out.take(of_mask);
        }
      }
  }
  return out;
}

}  // namespace

TEST_CASE("warps that are kept as moved answer as those that are kept thread by thread") {
  const found line = look_at_block<128, 1, 1>();
  CHECK(line.others == 0);
  CHECK(line.moved > 300);
  const found square = look_at_block<16, 16, 1>();
  CHECK(square.others == 0);
  CHECK(square.moved > 200);
  CHECK(look_at_block<32, 8, 1>().others == 0);
  CHECK(look_at_block<4, 4, 8>().others == 0);
  CHECK(look_at_block<8, 6, 2>().others == 0);
}

TEST_CASE("numbers of which warps are not moved are kept thread by thread") {
  CHECK(look_at_block<50, 1, 1>().moved == 0);  // the last warp has 18 threads
  CHECK(look_at_block<50, 1, 1>().others == 0);
  CHECK(look_at_block<48, 2, 1>().moved == 0);
  CHECK(look_at_block<48, 2, 1>().others == 0);
  CHECK_FALSE(divided(thread_coordinates<128, 1, 1>('x'), 48, true).is_moved);
}
