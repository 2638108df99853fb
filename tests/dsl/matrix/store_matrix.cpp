#include <tg/dsl/matrix/store_matrix.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

using namespace tg::literals;

namespace {

/// Register m of lane l holds the halves 2 * (32 * m + l) and one more; the tile afterwards, row by row.
template <int Matrices, bool Transposed> std::vector<unsigned> stored() {
  const auto kernel =
      tg::kernel<"stores">(tg::block<32>, [](auto block, tg::in<unsigned>, tg::out<unsigned> y, tg::scalar<unsigned>) {
        const auto lane = block.thread.x;
        auto tile = tg::shared<unsigned short>(tg::shape<8 * Matrices, 8>);
        auto from = tg::detail::unfilled<tg::vec<unsigned, Matrices>>();
        for (unsigned m = 0; m < Matrices; ++m)
          from.parts[m] = (lane * 0x20002u + (64u * m | (64u * m + 1u) << 16)).get().operand;
        if constexpr (Transposed) tg::store_matrix_transposed(tile, lane % tg::constant<8 * Matrices>{}, 0_c, from);
        else tg::store_matrix(tile, lane % tg::constant<8 * Matrices>{}, 0_c, from);
        block.sync();
        for (unsigned m = 0; m < 2 * Matrices; ++m)
          y(lane + 32u * m) = tg::cast<unsigned>(tile(lane / 8_c + 4u * m, lane % 8_c));
      });
  const auto lowered = tg::lower(kernel);
  CHECK(lowered.module.sm == 90);
  std::vector<unsigned> x(32), y(64 * Matrices);
  accuracy::run(lowered.ptx, x.data(), x.size() * 4, y.data(), y.size() * 4, 32);
  return y;
}

template <int Matrices> void check_stored() {
  const auto plain = stored<Matrices, false>(), transposed = stored<Matrices, true>();
  for (unsigned m = 0; m < Matrices; ++m)
    for (unsigned row = 0; row < 8; ++row)
      for (unsigned column = 0; column < 8; ++column) {
        const auto held = [m](unsigned line, unsigned step) { return 2 * (32 * m + line * 4 + step / 2) + step % 2; };
        CHECK(plain[64 * m + 8 * row + column] == held(row, column));
        CHECK(transposed[64 * m + 8 * row + column] == held(column, row));
      }
}

}  // namespace

TEST_CASE("matrices are stored as load_matrix would load them") {
  check_stored<1>();
  check_stored<2>();
  check_stored<4>();
}

TEST_CASE("a store writes") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters) {
    auto tile = tg::shared<unsigned>(tg::shape<32, 4>);
    tg::store_matrix(tile, block.thread.x, 0_c, tg::detail::unfilled<tg::vec<unsigned, 4>>());
  });
  CHECK(r.text.ends_with("stmatrix.sync.aligned.m8n8.x4.shared.b16"));
  REQUIRE(r.accesses.size() == 1);
  CHECK(r.accesses[0].is_write);
  CHECK(r.accesses[0].shared.good);
}
