#include <tg/layout/conversion.hpp>

#include <doctest/doctest.h>

#include <random>
#include <set>
#include <vector>

#include <tg/layout/linear_fragments.hpp>

#include "../random_seed.hpp"

namespace {

using tg::conversion_kind;
using tg::thread_layout;

/// Elements that are wrong after the plan has been done.
int count_wrong(const tg::conversion_plan& plan, const thread_layout& given, const thread_layout& wanted) {
  int wrong = 0;
  for (int w = 0; w < 1 << wanted.warp_bits; ++w)
    for (int lane = 0; lane < 32; ++lane)
      for (int r = 0; r < wanted.registers(); ++r) {
        const auto from = plan.at(r, lane, w);
        if (plan.kind == conversion_kind::rename) wrong += from.lane != lane || from.reg != plan.at(r, 0).reg;
        wrong += !(given.at(from.reg, from.lane, w) == wanted.at(r, lane, w));
      }
  return wrong;
}

/// What a plan may be, by looking: whether each thread, or each warp, has all that it wants.
conversion_kind kind_by_sets(const thread_layout& given, const thread_layout& wanted) {
  const auto number = [](tg::tile_element e) { return e.row << 12 | e.column; };
  bool by_shuffles = true, by_renaming = true;
  for (int w = 0; w < 1 << wanted.warp_bits; ++w) {
    std::set<int> held;
    for (int lane = 0; lane < 32; ++lane)
      for (int r = 0; r < given.registers(); ++r) held.insert(number(given.at(r, lane, w)));
    for (int lane = 0; lane < 32; ++lane)
      for (int r = 0; r < wanted.registers(); ++r) by_shuffles = by_shuffles && held.count(number(wanted.at(r, lane, w))) != 0;
  }
  for (int r = 0; r < wanted.registers(); ++r) {
    bool is_one = false;
    for (int from = 0; from < given.registers() && !is_one; ++from) {
      is_one = true;
      for (int w = 0; w < 1 << wanted.warp_bits; ++w)
        for (int lane = 0; lane < 32; ++lane) is_one = is_one && given.at(from, lane, w) == wanted.at(r, lane, w);
    }
    by_renaming = by_renaming && is_one;
  }
  return by_renaming ? conversion_kind::rename : by_shuffles ? conversion_kind::shuffle : conversion_kind::shared;
}

std::vector<thread_layout> some_layouts() {
  std::vector<thread_layout> out;
  for (const tg::extent_bits own : {tg::extent_bits{0, 0}, {0, 2}, {1, 1}, {2, 0}})
    for (int down = 0; down <= 5; ++down)
      for (const tg::extent_bits warps : {tg::extent_bits{2, 0}, {0, 2}})
        out.push_back(tg::make_blocked_layout({6, 4}, own, {down, 5 - down}, warps));
  out.push_back(tg::make_group_sum_layout(16));
  out.push_back(tg::make_group_a_layout(16, 2));
  return out;
}

constexpr thread_layout sums = tg::make_group_sum_layout(16), operand = tg::make_group_a_layout(16, 2);

}  // namespace

// The sums of one wgmma are A of the next, as attention uses them.
static_assert(tg::plan_conversion(sums, operand).kind == conversion_kind::rename);
static_assert(tg::plan_conversion(sums, sums).at(3, 7) == tg::element_source{3, 7});

TEST_CASE("plans are exact over all pairs of layouts, and go no further than they must") {
  const auto layouts = some_layouts();
  int kinds[3] = {};
  for (const auto& given : layouts)
    for (const auto& wanted : layouts) {
      const auto plan = tg::plan_conversion(given, wanted);
      ++kinds[static_cast<int>(plan.kind)];
      CHECK(plan.kind == kind_by_sets(given, wanted));
      if (plan.kind != conversion_kind::shared) CHECK(count_wrong(plan, given, wanted) == 0);
    }
  for (const int count : kinds) CHECK(count > 50);
}

TEST_CASE("a plan with one bit flipped is found") {
  std::mt19937 random(random_seed());
  const auto layouts = some_layouts();
  int found = 0;
  while (found < 200) {
    const auto& given = layouts[random() % layouts.size()];
    const auto& wanted = layouts[random() % layouts.size()];
    auto plan = tg::plan_conversion(given, wanted);
    if (plan.kind == conversion_kind::shared || !given.map.is_injective()) continue;
    plan.source.bases[random() % static_cast<unsigned>(plan.source.inputs)] ^=
        std::uint32_t{1} << random() % static_cast<unsigned>(given.register_bits + 5);
    CHECK(count_wrong(plan, given, wanted) > 0);
    ++found;
  }
}
