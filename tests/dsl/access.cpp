#include <tg/dsl/access.hpp>

#include "recording.hpp"

TEST_CASE("accesses come in the order of the text, each with its line and its parameter") {
  const int line = __LINE__ + 2;
  const auto r = recording::of([](auto block, recording::parameters p) {
    auto v = p.x(block.thread.x);
    p.y(block.thread.x) = v;
  });
  REQUIRE(r.accesses.size() == 3);  // y(i) is read, too, until dead code goes
  CHECK(r.accesses[0].where.line == line);
  CHECK(r.accesses[0].parameter == 0);
  CHECK(!r.accesses[0].is_write);
  const tg::access& store = r.accesses[2];
  CHECK(store.where.line == line + 1);
  CHECK(store.parameter == 1);
  CHECK(store.is_write);
  CHECK(!store.is_shared);
  CHECK(store.element_bytes == 4);
  CHECK(store.access_bytes == 4);
  CHECK(store.verdict == tg::verdict::proved);
}
