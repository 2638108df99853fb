#include <tg/dsl/recorder/launch_number_maker.hpp>

#include <tg/dsl/math/math.hpp>
#include <tg/dsl/memory/sized_tile.hpp>
#include <tg/dsl/value/bits.hpp>

#include "../recording.hpp"

using namespace tg::literals;
using recording::parameters;

namespace {

template <class Size> std::string size_of(Size size) {
  const auto r = recording::of<tg::block_t<32>>([&](auto block, parameters p) {
    auto tile = tg::shared<float>(size(block, p));
    tile(block.thread.x) = 0.0f;
  });
  REQUIRE(r.module.tiles.size() == 1);
  return tg::ptx::to_string(r.module.tiles[0].extents.at(0).size);
}

}  // namespace

TEST_CASE("the size of a tile is followed back to the parameters") {
  CHECK(size_of([](auto, parameters p) { return p.n; }) == "argument 5");
  CHECK(size_of([](auto, parameters p) { return p.n + 1u; }) == "argument 5 1 add");
  CHECK(size_of([](auto, parameters p) { return (p.n / 2u) * 3u; }) == "argument 5 2 div 3 mul");
  CHECK(size_of([](auto, parameters p) { return tg::min(p.n, 256u) - 1u; }) == "argument 5 256 min 1 sub");
  CHECK(size_of([](auto, parameters p) { return (p.n << 2u) >> 1u; }) == "argument 5 2 shl 1 shr");
  CHECK(size_of([](auto, parameters p) { return p.n % 32u; }) == "argument 5 32 rem");
  CHECK(size_of([](auto, parameters) { return 96u; }) == "96");
}

TEST_CASE("a size that the launch does not know is refused") {
  const auto varies = [](auto block, parameters) { (void)tg::shared<float>(block.thread.x); };
  CHECK(recording::error_of<tg::block_t<32>>(varies) == recording::at(164, __LINE__ - 1));
  const auto is_read = [](auto, parameters p) { (void)tg::shared<float>(p.u(0_c)); };
  CHECK(recording::error_of<tg::block_t<32>>(is_read) == recording::at(164, __LINE__ - 1));
  const auto is_counted = [](auto, parameters p) { (void)tg::shared<float>(tg::popcount(p.n)); };
  CHECK(recording::error_of<tg::block_t<32>>(is_counted) == recording::at(164, __LINE__ - 1));
}
