#include <tg/emulator/run/meet.hpp>

#include <doctest/doctest.h>

#include "../matrix/warp_product.hpp"

namespace {

using namespace warp_product;

const std::string product = "mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32 {%r0, %r1}, {%r2}, {%r3}, {%r0, %r1};\n";

std::string failure_of(const std::string& body, std::uint32_t threads = 32, std::uint64_t seed = 0) {
  return runner::failure([&] {
    runner::bench bench(kernel("mov.b32 %r0, 0; mov.b32 %r1, 0; mov.b32 %r2, 0; mov.b32 %r3, 0;\n"
                               "setp.lt.u32 %p1, %thread, 16;\n" +
                               body));
    tg::emulator::options how;
    how.seed = seed;
    bench.run({{1}, {threads}}, {}, how);
  });
}

}  // namespace

TEST_CASE("a matrix instruction that part of a warp runs is found, one that a whole warp runs is not") {
  for (const std::uint64_t seed : {0u, 1u, 2u, 3u}) {
    CHECK_EQ(failure_of(product, 64, seed), "");
    CHECK_EQ(failure_of("setp.lt.u32 %p1, %thread, 32; @%p1 " + product, 64, seed), "");
    for (const std::string& bad : {"@%p1 " + product, "@%p1 bra past;\n" + product + "past:\n", "@%p1 exit;\n" + product,
                                   "@%p1 bra other;\n" + product + "bra past;\nother:\n" + product + "past:\n"}) {
      const std::string said = failure_of(bad, 32, seed);
      CHECK(runner::has(said, "TG460"));
      CHECK(runner::has(said, "'mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32'"));
      CHECK(runner::has(said, "warp 0"));
    }
    CHECK(runner::has(failure_of(product, 48, seed), "TG460"));
    CHECK(runner::has(failure_of("@%p1 bra past;\n" + product + "past: bar.sync 0;\n", 32, seed), "TG460"));
  }
}

TEST_CASE("lanes that come by different ways meet at a matrix instruction") {
  for (const std::uint64_t seed : {0u, 5u, 6u, 7u})
    CHECK_EQ(failure_of("@%p1 bra low; add.u32 %r2, %r2, 1; add.u32 %r2, %r2, 1; bra meet;\nlow: add.u32 %r2, %r2, 5;\n"
                        "meet:\n" +
                            product,
                        96, seed),
             "");
}

TEST_CASE("the other matrix instructions want whole warps too") {
  for (const std::string text :
       {".shared .align 16 .b8 tile[512]; mov.u32 %r5, tile;\n@%p1 ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, "
        "[%r5];\n",
        ".shared .align 16 .b8 tile[512]; mov.u32 %r5, tile;\n@%p1 stmatrix.sync.aligned.m8n8.x1.shared.b16 [%r5], "
        "{%r2};\n",
        "@%p1 movmatrix.sync.aligned.m8n8.trans.b16 %r1, %r2;\n", "@%p1 wgmma.fence.sync.aligned;\n"})
    CHECK(runner::has(failure_of(text), "TG460"));
}

TEST_CASE("a warp group is four whole warps, which may come one by one") {
  const std::string tile = ".shared .align 128 .b8 tile[1024];\nmov.b64 %rd5, 0x0000000800080000;\n";
  const std::string group =
      "wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%r0, %r1}, {%r2, %r2, %r2, %r2}, "
      "%rd5, 1, 1, 1, 0;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n";
  for (const std::uint64_t seed : {0u, 1u, 2u, 3u, 4u, 5u}) {
    CHECK_EQ(failure_of(tile + group, 256, seed), "");
    CHECK_EQ(failure_of(tile +
                            "shr.u32 %r5, %thread, 5; turn: setp.eq.u32 %p2, %r5, 0; @%p2 bra meet; sub.u32 %r5, %r5, "
                            "1; bra turn;\nmeet:\n" +
                            group,
                        256, seed),
             "");
    CHECK(runner::has(failure_of(tile + group, 96, seed), "TG460"));
    CHECK(runner::has(failure_of(tile + "@%p1 exit;\n" + group, 128, seed), "TG460"));
    CHECK(runner::has(failure_of(tile + "setp.lt.u32 %p2, %thread, 32; @%p2 exit;\n" + group, 128, seed), "TG460"));
  }
}
