#include <tg/emulator/matrix/rows.hpp>

#include <doctest/doctest.h>

#include "warp_product.hpp"

namespace {

using namespace warp_product;

/// Element (row, column) of matrix i has the number i * 64 + row * 8 + column.
std::vector<std::uint16_t> numbered(std::size_t matrices) {
  std::vector<std::uint16_t> out(matrices * 64);
  for (std::size_t k = 0; k < out.size(); ++k) out[k] = static_cast<std::uint16_t>(k);
  return out;
}

/// What the kernel's one ldmatrix has cost.
tg::emulator::instruction_counters ldmatrix_of(const tg::emulator::counters& counted) {
  const auto found =
      std::ranges::find(counted.instructions, tg::ptx::opcode::ldmatrix, &tg::emulator::instruction_counters::op);
  REQUIRE(found != counted.instructions.end());
  return *found;
}

std::string braces(std::size_t count, int first = 10) {
  std::string out;
  for (std::size_t k = 0; k < count; ++k) out += (k == 0 ? "{%r" : ", %r") + std::to_string(first + static_cast<int>(k));
  return out + "}";
}

/// Copies `bytes` from global memory to `tile`, 4 bytes a time; %r1: the address of the lane's row.
std::string fill_tile(std::size_t bytes, const std::string& tile = "tile") {
  return ".shared .align 16 .b8 " + tile + "[" + std::to_string(bytes) + "];\nmov.u32 %r1, " + tile +
         "; mad.lo.u32 %r2, %thread, 4, %r1; mad.wide.u32 %rd5, %thread, 4, %rd0;\n" +
         [&] {
           std::string out;
           for (std::size_t at = 0; at < bytes; at += 128)
             out +=
                 "ld.global.b32 %r3, [%rd5+" + std::to_string(at) + "]; st.shared.b32 [%r2+" + std::to_string(at) + "], %r3;\n";
           return out;
         }() +
         "bar.warp.sync -1; mad.lo.u32 %r1, %thread, 16, %r1;\n";
}

}  // namespace

TEST_CASE("ldmatrix gives each lane the manual's elements, transposed or not") {
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{4}})
    for (const bool transposed : {false, true})
      for (const bool is_generic : {false, true}) {
        const std::string text =
            kernel(fill_tile(count * 128) + "cvt.u64.u32 %rd6, %r1; cvta.shared.u64 %rd6, %rd6;\nldmatrix.sync.aligned.m8n8.x" +
                   std::to_string(count) + (transposed ? ".trans" : "") + (is_generic ? "" : ".shared") + ".b16 " +
                   braces(count) + (is_generic ? ", [%rd6]" : ", [%r1]") + ";\nmad.wide.u32 %rd5, %thread, " +
                   std::to_string(4 * count) + ", %rd3;\n" + [&] {
                     std::string out;
                     for (std::size_t k = 0; k < count; ++k)
                       out += "st.global.b32 [%rd5+" + std::to_string(4 * k) + "], %r" + std::to_string(10 + k) + ";\n";
                     return out;
                   }());
        check_with_ptxas(text);
        runner::bench bench(text);
        const std::uint64_t in = bench.upload(numbered(count)), out = bench.upload(std::vector<std::uint32_t>(32 * count));
        tg::emulator::counters counted;
        bench.run({{1}, {32}}, {in, in, in, out}, {}, &counted);
        const auto got = bench.download<std::uint32_t>(out, 32 * count);
        for (std::size_t lane = 0; lane < 32; ++lane)
          for (std::size_t i = 0; i < count; ++i) {
            const std::size_t line = lane / 4, pair = lane % 4 * 2;
            const std::size_t low = transposed ? pair * 8 + line : line * 8 + pair;
            const std::size_t high = transposed ? (pair + 1) * 8 + line : line * 8 + pair + 1;
            REQUIRE_EQ(got[lane * count + i], (i * 64 + low) | (i * 64 + high) << 16);
          }
        const auto c = ldmatrix_of(counted);
        CHECK_EQ(c.executions, 1);
        CHECK_EQ(c.requests, 1);
        CHECK_EQ(c.full_requests, 1);
        CHECK_EQ(c.bytes, 128 * count);
        CHECK_EQ(c.wavefronts, count);
        CHECK(c.space == tg::ptx::token::shared);
      }
}

TEST_CASE("the rows of ldmatrix conflict when they lie in the same banks") {
  const std::string text = kernel(".shared .align 16 .b8 tile[4096];\nmov.u32 %r1, tile; mad.lo.u32 %r1, %thread, 128, %r1;\n"
                                  "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r10, %r11, %r12, %r13}, [%r1];\n");
  runner::bench bench(text);
  tg::emulator::counters counted;
  bench.run({{1}, {32}}, {}, {}, &counted);
  CHECK_EQ(ldmatrix_of(counted).wavefronts, 32);
}

TEST_CASE("stmatrix puts each element where ldmatrix finds it") {
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{4}})
    for (const bool transposed : {false, true}) {
      const std::string text = kernel(
          ".shared .align 16 .b8 tile[" + std::to_string(count * 128) +
          "];\nmov.u32 %r1, tile; mad.lo.u32 %r2, %thread, 16, %r1;\nmad.wide.u32 %rd5, %thread, " + std::to_string(4 * count) +
          ", %rd0;\n" +
          [&] {
            std::string out;
            for (std::size_t k = 0; k < count; ++k)
              out += "ld.global.b32 %r" + std::to_string(10 + k) + ", [%rd5+" + std::to_string(4 * k) + "];\n";
            return out;
          }() +
          "stmatrix.sync.aligned.m8n8.x" + std::to_string(count) + (transposed ? ".trans" : "") + ".shared.b16 [%r2], " +
          braces(count) + ";\nbar.warp.sync -1; mad.lo.u32 %r2, %thread, 4, %r1; mad.wide.u32 %rd5, %thread, 4, %rd3;\n" +
          [&] {
            std::string out;
            for (std::size_t k = 0; k < count; ++k)
              out += "ld.shared.b32 %r3, [%r2+" + std::to_string(128 * k) + "]; st.global.b32 [%rd5+" +
                     std::to_string(128 * k) + "], %r3;\n";
            return out;
          }());
      check_with_ptxas(text);
      std::vector<std::uint32_t> registers(32 * count);
      for (std::size_t lane = 0; lane < 32; ++lane)
        for (std::size_t i = 0; i < count; ++i) {
          const std::size_t line = lane / 4, pair = lane % 4 * 2;
          const std::size_t low = transposed ? pair * 8 + line : line * 8 + pair;
          const std::size_t high = transposed ? (pair + 1) * 8 + line : line * 8 + pair + 1;
          registers[lane * count + i] = static_cast<std::uint32_t>((i * 64 + low) | (i * 64 + high) << 16);
        }
      conformance::machine bench(text);
      const std::uint64_t in = bench.upload(registers), out = bench.upload(std::vector<std::uint16_t>(64 * count));
      bench.run({{1}, {32}}, {in, in, in, out});
      CHECK(bench.download<std::uint16_t>(out, 64 * count) == numbered(count));
    }
}

TEST_CASE("movmatrix transposes") {
  const std::string text =
      kernel("mad.wide.u32 %rd5, %thread, 4, %rd0; ld.global.b32 %r1, [%rd5];\n"
             "movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r1;\nmad.wide.u32 %rd5, %thread, 4, %rd3; st.global.b32 [%rd5], "
             "%r1;\n");
  check_with_ptxas(text);
  conformance::machine bench(text);
  const std::uint64_t in = bench.upload(numbered(1)), out = bench.upload(std::vector<std::uint16_t>(64));
  bench.run({{1}, {32}}, {in, in, in, out});
  const auto got = bench.download<std::uint16_t>(out, 64);
  for (std::size_t row = 0; row < 8; ++row)
    for (std::size_t column = 0; column < 8; ++column) CHECK_EQ(got[row * 8 + column], column * 8 + row);
}

TEST_CASE("rows are checked as other accesses are: outside, misaligned") {
  const auto failing = [](const std::string& offset) {
    return runner::failure([&] {
      runner::bench bench(kernel(".shared .align 16 .b8 tile[128];\nmov.u32 %r1, tile; mad.lo.u32 %r1, %thread, 16, %r1;\n"
                                 "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r10}, [%r1+" +
                                 offset + "];\n"));
      bench.run({{1}, {32}}, {});
    });
  };
  CHECK_EQ(failing("0"), "");
  CHECK(runner::has(failing("16"), "TG404"));
  CHECK(runner::has(failing("16"), "thread (7, 0, 0)"));
  CHECK(runner::has(failing("8"), "TG403"));
}
