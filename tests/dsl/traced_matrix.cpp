#include <tg/dsl/traced_matrix.hpp>

#include <tg/dsl/load_matrix.hpp>

#include "recording.hpp"

using namespace tg::literals;

namespace {

constexpr int line = __LINE__ + 6;  // of the load

/// Loads from each row, or from the first in all lanes: C++ integers, which are known only while recording.
std::string load(int rows, int column) {
  return recording::error_of<tg::block_t<32>>([=](auto block, recording::parameters) {
    auto tile = tg::shared<unsigned short>(tg::shape<64, 64>, tg::swizzle<2, 3, 3>);
    (void)tg::load_matrix<4>(tile, block.thread.x * static_cast<unsigned>(rows), column);
  });
}

}  // namespace

TEST_CASE("what C++ integers decide is judged while recording") {
  CHECK(load(0, 8) == "none");
  CHECK(load(1, 8) == recording::at(201, line));
  CHECK(load(0, 4) == recording::at(203, line));
}

TEST_CASE("a row of which the lanes have bits of a clamped number is unknown") {
  const auto unknown = [](auto block, recording::parameters p) {
    auto tile = tg::shared<unsigned short>(tg::shape<64, 64>);
    const int column = 8;
    (void)tg::load_matrix<4>(tile, tg::min(block.thread.x, p.n) & 7_c, column);
  };
  CHECK(recording::error_of<tg::block_t<32>>(unknown) == recording::at(204, __LINE__ - 2));
}

TEST_CASE("a partial warp moves no matrices") {
  const auto partial = [](auto block, recording::parameters) {
    auto tile = tg::shared<unsigned>(tg::shape<64, 4>);
    (void)tg::load_matrix<1>(tile, block.thread.x, 0_c);
  };
  CHECK(recording::error_of<tg::block_t<40>>(partial) == recording::at(117, __LINE__ - 2));
}
