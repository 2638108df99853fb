#include <tg/layout/staging.hpp>

#include <doctest/doctest.h>

#include <tg/analysis/shared.hpp>
#include <tg/layout/linear_fragments.hpp>

namespace {

using tg::thread_layout;

constexpr thread_layout by_rows = tg::make_blocked_layout({5, 5}, {0, 0}, {0, 5}, {0, 0});
constexpr thread_layout by_columns = by_rows.transposed();

/// The most ways of all requests by a walk over their lanes.
int walked_ways(const tg::linear_layout& memory, const thread_layout& l, int elems, int element_bytes) {
  int ways = 0;
  for (int w = 0; w < 1 << l.warp_bits; ++w)
    for (int r = 0; r < l.registers(); r += elems) {
      tg::analysis::request request;
      request.access_bytes = elems * element_bytes;
      for (int lane = 0; lane < 32; ++lane) {
        const auto at = l.at(r, lane, w);
        request.address_bytes[static_cast<std::size_t>(lane)] =
            memory(static_cast<std::uint32_t>(at.row << l.column_bits | at.column));
      }
      const int own = tg::analysis::count_shared(request).ways;
      ways = own > ways ? own : ways;
    }
  return ways;
}

}  // namespace

// A transposition: rows are stored, columns are loaded.
static_assert(tg::plan_staging(by_rows, by_columns, 4)->is_free());
static_assert(tg::plan_staging(by_rows, by_columns, 4)->load_elems == 4 &&
              tg::plan_staging(by_rows, by_columns, 4)->swizzle.terms() == 3);

TEST_CASE("a walk over lanes finds the ways that the plan promises") {
  int swizzled = 0;
  const thread_layout layouts[] = {by_rows, by_columns, tg::make_blocked_layout({5, 5}, {0, 2}, {2, 3}, {0, 0}),
                                   tg::make_blocked_layout({5, 5}, {2, 0}, {3, 2}, {0, 0}), tg::make_a_layout(32, 32, 2)};
  for (const auto& from : layouts)
    for (const auto& to : layouts)
      for (const int bytes : {1, 2, 4, 8}) {
        const auto plan = tg::plan_staging(from, to, bytes);
        REQUIRE(plan);
        CHECK(plan->memory.is_invertible() == (bytes == 1));
        CHECK(plan->memory.is_injective());
        CHECK(walked_ways(plan->memory, from, plan->store_elems, bytes) == plan->store.ways);
        CHECK(walked_ways(plan->memory, to, plan->load_elems, bytes) == plan->load.ways);
        swizzled += plan->swizzle.terms() != 0;
        CHECK(plan->is_free());
      }
  CHECK(swizzled > 10);
}

TEST_CASE("a swizzle that lacks a bit is found") {
  auto plan = *tg::plan_staging(by_rows, by_columns, 4);
  CHECK(walked_ways(plan.memory, by_columns, 4, 4) == 1);
  for (auto& base : plan.memory.bases) base &= ~std::uint32_t{1 << 4} | (base >> 4 == 1 ? 1u << 4 : 0);
  CHECK(walked_ways(plan.memory, by_columns, 4, 4) == 2);
}
