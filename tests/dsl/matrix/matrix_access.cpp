#include <tg/dsl/matrix/matrix_access.hpp>

#include <tg/dsl/matrix/load_matrix.hpp>

#include "../recording.hpp"

using namespace tg::literals;

namespace {

template <class Layout> using tile = tg::tile<unsigned short, tg::shape_t<64, 64>, Layout>;
using lane = tg::value<unsigned, tg::index::single<tg::index::thread<'x', 32, 1, 1>>>;

template <class Layout, int Matrices, class Column>
using judged = typename tg::detail::matrix_judgement<tile<Layout>, Matrices, tg::detail::checked, lane, Column>::type;
template <class Judgement> inline constexpr bool passes = std::is_same_v<Judgement, tg::diagnosis::none>;

}  // namespace

static_assert(passes<judged<tg::pitch_t<72>, 4, tg::constant<8>>> &&
              passes<judged<tg::swizzle_t<3, 3, 3>, 4, tg::constant<8>>>);
static_assert(!passes<judged<tg::pitch_t<64>, 4, tg::constant<8>>>);  // 8 ways
static_assert(!passes<judged<tg::pitch_t<72>, 4, tg::constant<4>>>);  // 8 bytes into a row
static_assert(!passes<judged<tg::pitch_t<68>, 4, tg::constant<0>>>);  // rows of 136 bytes
static_assert(!passes<judged<tg::pitch_t<72>, 3, tg::constant<0>>>);
static_assert(!passes<judged<tg::swizzle_t<3, 2, 4>, 4, tg::constant<0>>>);  // splits the 16 bytes

TEST_CASE("a part of a tile is judged as rows of the whole") {
  const struct {
    int own = 7;
    const int& whole() const { return own; }
    int first_row() const { return 3; }
  } part{};
  CHECK(tg::detail::whole_tile(part) == 7);
  CHECK(tg::detail::whole_row(part, 2) == 5);
  CHECK(tg::detail::whole_row(4, 2) == 2);
}

TEST_CASE("the lanes past the last matrix count for nothing") {
  const auto ways = [](auto matrices) {
    return recording::of<tg::block_t<32>>([matrices](auto block, recording::parameters) {
             auto all = tg::shared<unsigned short>(tg::shape<64, 64>);
             // The first eight lanes read along a row, the next eight down a column.
             const auto lane = block.thread.x;
             const auto column = (8_c - lane / 8_c % 2_c * 8_c) * (lane % 8_c);
             (void)tg::load_matrix<matrices.value>(all, lane % 8_c, column, tg::allow<tg::TG201>("counted"));
           })
        .accesses.at(0)
        .shared.ways;
  };
  CHECK(ways(1_c) == 1);
  CHECK(ways(2_c) == 8);
}

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
