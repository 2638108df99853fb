#include <tg/layout/fragment_layout.hpp>

#include <doctest/doctest.h>

#include <set>
#include <utility>

namespace {

// As the PTX ISA writes them, operand by operand.
constexpr tg::fragment_layout a_f16_k16 = tg::make_fragment_layout(16, 16, 2);
constexpr tg::fragment_layout b_f16_k16 = tg::make_fragment_layout(8, 16, 2);
constexpr tg::fragment_layout c_m16n8 = tg::make_fragment_layout(16, 8, 2);

}  // namespace

static_assert(a_f16_k16.elements() == 8 && b_f16_k16.elements() == 4 && c_m16n8.elements() == 4);
static_assert(a_f16_k16.at(0, 7) == tg::fragment_place{8, 9});
static_assert(b_f16_k16.at(31, 2) == tg::fragment_place{7, 14});

TEST_CASE("the places are those of the PTX ISA") {
  for (int lane = 0; lane < 32; ++lane) {
    const int group = lane >> 2, in_group = lane % 4;
    for (int i = 0; i < 8; ++i) {
      // .f16, m16n8k16: row = group for a0, a1, a4, a5, else group + 8; column = in_group * 2 + (i & 1), + 8 from a4 on
      const int row = (i < 2 || (i >= 4 && i < 6)) ? group : group + 8;
      const int column = in_group * 2 + (i & 1) + (i >= 4 ? 8 : 0);
      CHECK(a_f16_k16.at(lane, i) == tg::fragment_place{row, column});
    }
    for (int i = 0; i < 4; ++i) {
      CHECK(b_f16_k16.at(lane, i) == tg::fragment_place{group, in_group * 2 + (i & 1) + (i >= 2 ? 8 : 0)});
      CHECK(c_m16n8.at(lane, i) == tg::fragment_place{i < 2 ? group : group + 8, in_group * 2 + (i & 1)});
    }
    for (int i = 0; i < 4; ++i) {
      // .tf32, m16n8k8: row = group for a0 and a2, else group + 8; column = in_group for a0 and a1, else in_group + 4
      const auto a = tg::make_fragment_layout(16, 8, 1).at(lane, i);
      CHECK(a == tg::fragment_place{i % 2 == 0 ? group : group + 8, i < 2 ? in_group : in_group + 4});
    }
    for (int i = 0; i < 16; ++i) {
      // .s8, m16n8k32: row = group for 0 <= i < 4 and 8 <= i < 12; column = in_group * 4 + (i & 3), + 16 from i = 8 on
      const auto a = tg::make_fragment_layout(16, 32, 4).at(lane, i);
      CHECK(a ==
            tg::fragment_place{i < 4 || (i >= 8 && i < 12) ? group : group + 8, in_group * 4 + (i & 3) + (i >= 8 ? 16 : 0)});
    }
  }
}

TEST_CASE("registers that go along before they go down are another layout") {
  tg::fragment_layout other = a_f16_k16;
  std::swap(other.element[1], other.element[2]);
  CHECK(other.at(0, 2) == tg::fragment_place{0, 8});
  CHECK(a_f16_k16.at(0, 2) == tg::fragment_place{8, 0});
}

TEST_CASE("every element is held once") {
  for (const int lines : {8, 16})
    for (const int packed : {1, 2, 4, 8})
      for (int steps = 4 * packed; steps <= 64; steps += 4 * packed) {
        const auto layout = tg::make_fragment_layout(lines, steps, packed);
        std::set<std::pair<int, int>> places;
        for (int lane = 0; lane < 32; ++lane)
          for (int e = 0; e < layout.elements(); ++e) {
            const auto [line, step] = layout.at(lane, e);
            CHECK(line < lines);
            CHECK(step < steps);
            places.insert({line, step});
          }
        CHECK(places.size() == static_cast<std::size_t>(lines * steps));
      }
}
