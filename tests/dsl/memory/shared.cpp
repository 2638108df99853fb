#include <tg/dsl/memory/shared.hpp>

#include "../recording.hpp"

using namespace tg::literals;

using square = tg::tile<float, tg::shape_t<32, 32>, void*>;
using padded = tg::tile<float, tg::shape_t<32, 32>, tg::pitch_t<33>>;
using swizzled = tg::tile<float, tg::shape_t<32, 32>, tg::swizzle_t<5>>;
static_assert(square::size_bytes == 4096 && padded::size_bytes == 4224 && swizzled::size_bytes == 4096);
static_assert(swizzled::rules::fits(1024) && !swizzled::rules::fits(512) && !padded::rules::fits(0) == false);

template <class Layout> std::string column(Layout layout) {
  const auto r = recording::of<tg::block_t<32, 8>>([layout](auto block, recording::parameters) {
    auto tile = tg::shared<float>(tg::shape<32, 32>, layout);
    (void)tile(block.thread.x, block.thread.y);
    (void)tile(block.thread.y, block.thread.x);
  });
  return std::to_string(r.accesses[0].shared.ways) + " and " + std::to_string(r.accesses[1].shared.ways);
}

TEST_CASE("padded and swizzled tiles are free of conflicts both ways") {
  CHECK(column(tg::pitch<33>) == "1 and 1");
  CHECK(column(tg::swizzle<5>) == "1 and 1");
  CHECK(column(tg::swizzle<2> ^ tg::swizzle<3, 2>) == "1 and 1");  // the same in two terms
}

TEST_CASE("a tile with several terms needs whole periods of each") {
  using terms = tg::swizzles_t<tg::swizzle_t<2>, tg::swizzle_t<1, 4, 5>>;
  CHECK(tg::tile<float, tg::shape_t<32, 32>, terms>::rules::fits(1024));
  CHECK_FALSE(tg::tile<float, tg::shape_t<32, 32>, terms>::rules::fits(512 + 128));
}

TEST_CASE("a tile is a variable of the module, aligned for vectors") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters) {
    auto tile = tg::shared<double>(tg::shape<4, 32>);
    tile(1_c, block.thread.x) = 0.0;
  });
  REQUIRE(r.module.variables.size() == 1);
  CHECK(r.module.variables[0].align == 16);
  CHECK(r.module.variables[0].count == 1024);
  REQUIRE(r.accesses.size() == 2);
  CHECK(r.accesses[1].is_shared);
  CHECK(r.accesses[1].parameter == -1);
  CHECK(r.accesses[1].shared.wavefronts == 2);
  CHECK(r.accesses[1].shared.good);
}

TEST_CASE("a known element has its address as an offset") {
  CHECK(recording::of<tg::block_t<32>>([](auto, recording::parameters) {
          auto tile = tg::shared<float>(tg::shape<64>);
          (void)tile(3_c);
        }).text == "mov.u32 ld.shared.f32");
}
