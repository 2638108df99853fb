#include <tg/layout/metadata_layout.hpp>

#include <doctest/doctest.h>

#include <set>
#include <utility>

using tg::fragment_place;
using tg::make_metadata_layout;

static_assert(make_metadata_layout(4, 16, 3).lanes == 1 && make_metadata_layout(16, 8, 0).lanes == 4);
static_assert(make_metadata_layout(4, 16, 3).is_held(7) && !make_metadata_layout(4, 16, 3).is_held(6));
static_assert(make_metadata_layout(4, 16, 3).at(7, 5) == fragment_place{9, 1});
static_assert(make_metadata_layout(8, 16, 1).at(7, 0) == fragment_place{1, 4});
static_assert(make_metadata_layout(8, 8, 1).at(7, 2) == fragment_place{9, 2});
static_assert(make_metadata_layout(16, 4, 0).at(6, 7) == fragment_place{1, 15});

TEST_CASE("every chunk of 16 rows is described once") {
  for (const int bits : {4, 8, 16, 32})
    for (const int chunks : {4, 8, 16})
      for (int selector = 0; selector < 16 / chunks; ++selector) {
        if (bits < 16 && chunks == 4) continue;
        if (bits >= 16 && chunks == 16) continue;
        const auto layout = make_metadata_layout(chunks, bits, selector);
        std::set<std::pair<int, int>> seen;
        for (int lane = 0; lane < 32; ++lane)
          for (int e = 0; layout.is_held(lane) && e < layout.elements; ++e) {
            const auto at = layout.at(lane, e);
            CHECK(seen.insert({at.line, at.step}).second);
            CHECK((at.line < 16 && at.step < chunks));
          }
        CHECK(seen.size() == static_cast<std::size_t>(16 * chunks));
      }
}
