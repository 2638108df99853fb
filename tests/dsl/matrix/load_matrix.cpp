#include <tg/dsl/matrix/load_matrix.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

using namespace tg::literals;

namespace {

/// Element e of row r of the tile is 8 * r + e; what each lane gets in each register, by `load_matrix` or its transposed.
template <int Matrices, bool Transposed> std::vector<unsigned> loaded() {
  const auto kernel =
      tg::kernel<"loads">(tg::block<32>, [](auto block, tg::in<unsigned>, tg::out<unsigned> y, tg::scalar<unsigned>) {
        const auto lane = block.thread.x;
        auto tile = tg::shared<unsigned short>(tg::shape<32, 8>);
        for (unsigned e = 0; e < 8; ++e)
          tile(lane, e, tg::allow<tg::TG201>("filled once")) = tg::cast<unsigned short>(lane * 8u + e);
        block.sync();
        const auto got = [&] {
          if constexpr (Transposed) return tg::load_matrix_transposed<Matrices>(tile, lane, 0_c);
          else return tg::load_matrix<Matrices>(tile, lane, 0_c);
        }();
        for (int m = 0; m < Matrices; ++m) y(lane + static_cast<unsigned>(32 * m)) = got(m);
      });
  std::vector<unsigned> x(32), y(32 * Matrices);
  accuracy::run(tg::lower(kernel).ptx, x.data(), x.size() * 4, y.data(), y.size() * 4, 32);
  return y;
}

template <int Matrices> void check_loaded() {
  const auto plain = loaded<Matrices, false>(), transposed = loaded<Matrices, true>();
  for (unsigned m = 0; m < Matrices; ++m)
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned first = 8 * (8 * m + lane / 4) + lane % 4 * 2;
      CHECK(plain[32 * m + lane] == (first | (first + 1) << 16));
      const unsigned above = 8 * (8 * m + lane % 4 * 2) + lane / 4;
      CHECK(transposed[32 * m + lane] == (above | (above + 8) << 16));
    }
}

template <class Layout> int ways(Layout layout) {
  return recording::of<tg::block_t<64>>([layout](auto block, recording::parameters) {
           auto tile = tg::shared<unsigned short>(tg::shape<64, 64>, layout);
           (void)tg::load_matrix<4>(tile, block.thread.x, 8_c, tg::allow<tg::TG201>("counted"));
         })
      .accesses.at(0)
      .shared.ways;
}

}  // namespace

TEST_CASE("lanes get two neighbours of a row, or of a column") {
  check_loaded<1>();
  check_loaded<2>();
  check_loaded<4>();
}

TEST_CASE("rows of 128 bytes meet in the banks unless the layout spreads them") {
  CHECK(ways(tg::pitch<64>) == 8);
  CHECK(ways(tg::pitch<72>) == 1);
  CHECK(ways(tg::swizzle<3, 3, 3>) == 1);
  CHECK(ways(tg::swizzle<2, 3, 3>) == 2);
}

TEST_CASE("a load is one instruction") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters) {
    auto tile = tg::shared<unsigned>(tg::shape<32, 4>);
    (void)tg::load_matrix<2>(tile, block.thread.x, 0_c);
    (void)tg::load_matrix_transposed<1>(tile, block.thread.x, 0_c);
  });
  CHECK(r.text.find("ldmatrix.sync.aligned.m8n8.x2.shared.b16") != std::string::npos);
  CHECK(r.text.ends_with("ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16"));
  REQUIRE(r.accesses.size() == 2);
  CHECK(r.accesses[0].shared.wavefronts == 2);
  CHECK(r.accesses[1].shared.ideal_wavefronts == 1);
  CHECK(!r.accesses[1].is_write);
}
