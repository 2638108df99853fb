#include <tg/dsl/memory/vec_at.hpp>

#include <tg/dsl/async/async_groups.hpp>
#include <tg/dsl/async/stages.hpp>

#include "../recording.hpp"

using namespace tg::literals;

TEST_CASE("a vector of a stage is the one that its member says") {
  const auto record = [](auto read) {
    return recording::of<tg::block_t<32>>([&](auto block, recording::parameters) {
      auto ring = tg::stages<float, 2>(tg::shape<4, 32>);
      tg::async_groups start;
      auto one = start.commit();
      auto ready = one.wait();
      read(ring.read(ready, 1_c), block.thread.x);
    });
  };
  const auto member = record([](auto tile, auto lane) { (void)tile.template vec<4>(lane / 8_c, lane % 8_c * 4_c); });
  const int line = __LINE__ + 1;
  const auto free = record([](auto tile, auto lane) { (void)tg::vec_at<4>(tile, lane / 8_c, lane % 8_c * 4_c); });
  CHECK(free.text == member.text);
  CHECK(free.text.find("ld.shared.v4.f32") != std::string::npos);
  REQUIRE(free.accesses.size() == 1);
  CHECK(static_cast<int>(free.accesses[0].where.line) == line);
}

TEST_CASE("a vector of a view, with an excuse") {
  const auto found = recording::of([](auto block, recording::parameters p) {
    (void)tg::vec_at<2>(p.x, block.thread.x * 2_c);
    (void)tg::vec_at<2>(p.x, block.thread.x * 64_c, tg::allow<tg::TG202>("one load for the whole kernel"));
  });
  CHECK(found.text.find("ld.global.nc.v2.f32") != std::string::npos);
  REQUIRE(found.accesses.size() == 2);
  CHECK(found.accesses[1].reason == std::string("one load for the whole kernel"));
}
