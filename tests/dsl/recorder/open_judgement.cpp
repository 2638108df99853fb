#include <tg/dsl/recorder/open_judgement.hpp>

#include "../recording.hpp"

TEST_CASE("a judgement is open while its kernel is recorded, and closed behind") {
  const auto r = recording::of([](auto block, recording::parameters p) {
    (void)p.x(block.thread.x % p.n);
    (void)p.x(block.thread.x);
    const auto& t = tg::detail::tracer::current().recorded();
    REQUIRE(t.open.size() == 1);
    CHECK(t.open[0].question == tg::detail::open_question::cost);
    CHECK(t.accesses[0].open == 1);
    CHECK(t.accesses[1].open == 0);
  });
  REQUIRE(r.accesses.size() == 2);
  for (const tg::access& a : r.accesses) CHECK(a.open == 0);
  CHECK(r.accesses[0].verdict == tg::verdict::traced);
  CHECK(r.accesses[0].global.good);
}
