#include <tg/dsl/recorder/access.hpp>

#include "../recording.hpp"

using namespace tg::literals;

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

TEST_CASE("each warp has its share, and the one that is bad stands for all") {
  const auto r = recording::of<tg::block_t<40>>([](auto block, recording::parameters p) {
    const auto i = block.thread.x;
    (void)p.x.vec<4>(i * 4_c * (1_c + i / 32_c), tg::allow<tg::TG202>("a test"));
  });
  REQUIRE(r.accesses.size() == 1);
  const tg::access& a = r.accesses[0];
  CHECK(a.global_of_warp[0] == tg::global_share{17, 16, 16});
  CHECK(a.global_of_warp[1] == tg::global_share{8, 8, 4});
  CHECK(a.global.sectors == 8);
  CHECK_FALSE(a.global.good);
  CHECK(a.verdict == tg::verdict::allowed);
}
