#include <tg/dsl/recorder/rectangle_changes.hpp>

#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"

TEST_CASE("each view of each kernel has a count of its own") {
  for (int kernel = 0; kernel < 2; ++kernel)
    recording::of([](auto, auto p) {
      const auto x = p.x.address().id, y = p.y.address().id;
      CHECK(x != y);
      CHECK(tg::detail::changes_at(x).count == 0);
      ++tg::detail::changes_at(x).count;
      CHECK(tg::detail::changes_at(y).count == 0);
      CHECK(tg::detail::changes_at(x).count == 1);
      p.y(0u) = 1.0f;
    });
}
