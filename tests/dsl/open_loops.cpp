#include <tg/dsl/open_loops.hpp>

#include "recording.hpp"

TEST_CASE("a loop is open until its end is recorded") {
  const auto r = recording::of([](auto, auto p) {
    tg::for_(tg::range(p.n), [&](auto) {
      tg::for_(tg::range(p.n), [&](auto) { (void)(p.a + p.a); });
      CHECK(tg::detail::is_repeated());
    });
    CHECK_FALSE(tg::detail::is_repeated());
  });
  CHECK(r.text.find("<endloop>") != r.text.npos);
}
