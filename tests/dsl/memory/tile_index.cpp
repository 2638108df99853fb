#include <tg/dsl/memory/tile_index.hpp>

#include <tg/dsl/memory/shared.hpp>
#include <tg/dsl/value/cast.hpp>

#include "../recording.hpp"

using namespace tg::literals;

TEST_CASE("an index of 64 bits is taken to the 32 bits of shared memory") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters) {
    auto line = tg::shared<float>(tg::shape<64>);
    auto tile = tg::shared<float>(tg::shape<4, 32>);
    const auto wide = tg::cast<std::uint64_t>(block.thread.x);
    line(wide) = 1.0f;
    tile(tg::cast<std::int64_t>(block.thread.y), wide) = 2.0f;
    tile(2_c, wide) = 3.0f;
  });
  for (const tg::access& a : r.accesses) {
    CHECK(a.shared.good);
    CHECK(a.verdict == tg::verdict::proved);
  }
  CHECK(r.text.find("cvt.u32.u64") != std::string::npos);
  CHECK(r.text.find("mul.wide") == std::string::npos);
}
