#include <tg/emulator/image/oob_nan.hpp>

#include <doctest/doctest.h>

#include <tg/emulator/async/tensor_map.hpp>

#include "../runner.hpp"

namespace {

using namespace runner;
using namespace tg::emulator;

constexpr std::uint32_t columns = 6, rows = 6, box_rows = 8;
constexpr std::int32_t left = -8;  // the box has 16 columns

/// %rd0 is a map of halves; the 64 words of a box go to %rd1, what `fma` makes of them in %r10 to 64 words behind them.
std::string filling(const std::string& fma) {
  return kernel_text(".shared .align 128 .b32 tile[64]; .shared .align 8 .b64 bar;\n"
                     "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;\n"
                     "@%p0 mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; bar.sync 0; @!%p0 bra wait;\n"
                     "mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;\n"
                     "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0, {" +
                     std::to_string(left) +
                     ", 0}], [bar];\n"
                     "wait: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra wait;\n"
                     "shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; add.u32 %r2, %r2, %r1; ld.shared.b32 %r10, [%r2];\n" +
                     fma +
                     "\nmul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd4, %rd1; st.global.b32 [%rd4], %r10;"
                     "st.global.b32 [%rd4+256], %r20;");
}

/// Copies ones, and multiplies them by 2 and adds 1: 3 inside the tensor, zero outside.
void check_fill(tensor_type type, std::uint16_t one, std::uint16_t three, const std::string& fma) {
  CAPTURE(fma);
  bench b(filling(fma));
  tiled_tensor t;
  t.type = type;
  t.rank = 2;
  t.address = b.upload(std::vector<std::uint16_t>(16 * rows, one));
  t.extents = {columns, rows, 1, 1, 1};
  t.strides = {32, 0, 0, 0};
  t.box = {16, box_rows, 1, 1, 1};
  t.fill = tensor_fill::nan;
  tensor_map map;
  REQUIRE(encode(map, t).empty());
  const std::uint64_t at = b.upload(std::vector<std::byte>(map.bytes.begin(), map.bytes.end())),
                      to = b.upload(std::vector<std::uint16_t>(256));
  b.run({{1}, {64}}, {at, to});
  const auto got = b.download<std::uint16_t>(to, 256);
  for (std::int32_t k = 0; k < 128; ++k) {
    const std::int32_t column = k % 16 + left;
    const bool is_inside = column >= 0 && column < static_cast<std::int32_t>(columns) && k / 16 < std::int32_t{rows};
    CHECK_EQ(got[static_cast<std::size_t>(k)], is_inside ? one : 0x7ff7);
    CHECK_EQ(got[static_cast<std::size_t>(k) + 128], is_inside ? three : 0);
  }
}

}  // namespace

TEST_CASE("what a tensor copy fills with NaN, fma.oob takes for zero, each half of a pair by itself") {
  check_fill(tensor_type::f16, 0x3c00, 0x4200,
             "mov.b32 %r4, 0x40004000; mov.b32 %r5, 0x3c003c00; fma.rn.oob.f16x2 %r20, %r10, %r4, %r5;");
  check_fill(tensor_type::f16, 0x3c00, 0x4200,
             "mov.b32 %r4, 0x40004000; mov.b32 %r5, 0x3c003c00; fma.rn.oob.f16x2 %r20, %r4, %r10, %r5;");
  check_fill(tensor_type::bf16, 0x3f80, 0x4040,
             "mov.b32 %r4, 0x40004000; mov.b32 %r5, 0x3f803f80; fma.rn.oob.relu.bf16x2 %r20, %r10, %r4, %r5;");
  check_fill(tensor_type::f16, 0x3c00, 0x4200,
             "mov.b16 %h4, 0x4000; mov.b16 %h5, 0x3c00; mov.b32 {%h0, %h1}, %r10; fma.rn.oob.relu.f16 %h0, %h0, %h4, %h5;"
             "fma.rn.oob.f16 %h1, %h1, %h4, %h5; mov.b32 %r20, {%h0, %h1};");
}

TEST_CASE("elements of any width are filled with the same halves") {
  CHECK_EQ(oob_nan & 0xffff, 0x7ff7);
  CHECK_EQ(oob_nan >> 32, oob_nan & 0xffffffff);
}
