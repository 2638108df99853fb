#include <tg/tile/operand_ring.hpp>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

template <class T, int Columns> struct part {
  using element_type = T;
  static constexpr int rows = 64;
  static constexpr int columns = Columns;
};
using old_block = tg::block_t<128, 1, 1>;
using own_block = tg::targeted_block<old_block, 90>;
template <class Shape, class T, int Columns> using ring = tg::detail::operand_ring<Shape, 2, part<T, Columns>>;
template <class T, int Columns> inline constexpr int panels = ring<own_block, T, Columns>::panels;

/// Copies a matrix of 64 x 96 through a ring of panels of 32, one stage behind the other, as a lane reads it.
constexpr auto copied = tg::kernel<"copied">(
    tg::block<128> | tg::for_sm<90>, [](auto block, tg::in2<tg::tf32, tg::multiple_of<4>> x, tg::out<float> y) {
      const tg::detail::panel_ring<tg::tf32, 2, 64, 64> ring(tg::source_location::current());
      tg::async_groups start;
      ring.fetch(block, 1_c, tg::tile_at<64, 64>(tg::sized(x, 64u, 48u), 0_c, 0_c), tg::source_location::current());
      auto landed = start.commit().wait(0_c);
      block.sync();
      const auto own = ring.read(landed, 1_c);
      tg::for_(tg::range(block.thread.x, 64u * 32u, 128_c), [&](auto i) {
        for (int p = 0; p < 2; ++p) {
          const auto found = own.memory.panel(p)(i / 32_c, i % 32_c).get();
          y(i + tg::uniform(p * 2048)) = tg::bit_cast<float>(found);
        }
      });
    });

}  // namespace

TEST_CASE("operands of wgmma lie in panels of 128 bytes, others row by row") {
  CHECK(std::is_same_v<ring<old_block, tg::bf16, 64>, tg::detail::plain_ring<tg::bf16, 2, 64, 64>>);
  CHECK(std::is_same_v<ring<own_block, tg::bf16, 64>, tg::detail::panel_ring<tg::bf16, 2, 64, 64>>);
  CHECK(std::is_same_v<ring<own_block, float, 64>, tg::detail::plain_ring<float, 2, 64, 64>>);
  CHECK(panels<tg::bf16, 32> == 1);
  CHECK(panels<tg::bf16, 64> == 1);
  CHECK(panels<tg::bf16, 256> == 4);
  CHECK(panels<tg::f8e4m3, 256> == 2);
}

TEST_CASE("panels hold their columns, and zeros where the matrix ends") {
  tg::device gpu;
  std::mt19937 random(5);
  const tiles::matrix<tg::tf32> x(64, 48, random, 4);
  tiles::on_device<tg::tf32> on_x(gpu, x);
  auto y = gpu.upload(std::vector<float>(4096, -1.0f));
  gpu.launch(copied, tg::grid(1), on_x.argument(), y);
  const std::vector<float> found = y.to_host();
  int wrong = 0;
  for (unsigned r = 0; r < 64; ++r)
    for (unsigned c = 0; c < 64; ++c) {
      const double wanted = c < 48 ? x(r, c) : 0.0;
      if (static_cast<double>(found[c / 32 * 2048 + r * 32 + c % 32]) != wanted) ++wrong;
    }
  CHECK(wrong == 0);
}
