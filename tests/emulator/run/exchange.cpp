#include <tg/emulator/run/exchange.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

using namespace runner;

std::vector<std::uint32_t> per_lane(const std::string& body, std::uint32_t threads = 32) {
  bench b(kernel_text("mov.u32 %r0, %tid.x; mov.u32 %r20, 0;\n" + body +
                      "\nmul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd1, %rd4; st.global.u32 [%rd4], %r20;"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(threads));
  b.run({{1}, {threads}}, {out, out});
  return b.download<std::uint32_t>(out, threads);
}

/// The manual's pseudo code, for one lane.
std::uint32_t source_lane(const std::string& mode, std::uint32_t lane, std::uint32_t delta, std::uint32_t c, bool& inside) {
  const int segment = static_cast<int>((c >> 8) & 31), clamp = static_cast<int>(c & 31), own = static_cast<int>(lane),
            b = static_cast<int>(delta & 31);
  const int max_lane = (own & segment) | (clamp & ~segment), min_lane = own & segment;
  int j = 0;
  if (mode == "up") j = own - b, inside = j >= max_lane;
  else if (mode == "down") j = own + b, inside = j <= max_lane;
  else if (mode == "bfly") j = own ^ b, inside = j <= max_lane;
  else j = min_lane | (b & ~segment), inside = j <= max_lane;
  return static_cast<std::uint32_t>(inside ? j : own);
}

}  // namespace

TEST_CASE("shuffles in all modes, segments and distances") {
  for (const std::string mode : {"up", "down", "bfly", "idx"})
    for (const std::uint32_t c : {0x1fu, 0x0u, 0x181fu, 0x1800u, 0x1c1fu, 0x1003u})
      for (const std::uint32_t delta : {0u, 1u, 3u, 8u, 17u, 31u}) {
        const auto got = per_lane("mul.lo.u32 %r1, %r0, 100; shfl.sync." + mode + ".b32 %r20|%p1, %r1, " +
                                  std::to_string(delta) + ", " + std::to_string(c) + ", -1; @!%p1 add.u32 %r20, %r20, 50;");
        for (std::uint32_t lane = 0; lane < 32; ++lane) {
          bool inside = false;
          const std::uint32_t from = source_lane(mode, lane, delta, c, inside);
          REQUIRE_EQ(got[lane], 100 * from + (inside ? 0 : 50));
        }
      }
}

TEST_CASE("a warp sums by shuffles, whole and partly") {
  const auto sums = per_lane(R"(
    mov.u32 %r20, %r0;
    shfl.sync.bfly.b32 %r1, %r20, 16, 31, -1; add.u32 %r20, %r20, %r1; shfl.sync.bfly.b32 %r1, %r20, 8, 31, -1; add.u32 %r20, %r20, %r1;
    shfl.sync.bfly.b32 %r1, %r20, 4, 31, -1; add.u32 %r20, %r20, %r1; shfl.sync.bfly.b32 %r1, %r20, 2, 31, -1; add.u32 %r20, %r20, %r1;
    shfl.sync.bfly.b32 %r1, %r20, 1, 31, -1; add.u32 %r20, %r20, %r1;
  )",
                             96);
  for (std::uint32_t t = 0; t < 96; ++t) CHECK_EQ(sums[t], 496 + 1024 * (t / 32));
  const auto part = per_lane("setp.lt.u32 %p1, %r0, 8; @!%p1 bra end; shfl.sync.down.b32 %r20, %r0, 1, 31, 255; end:");
  for (std::uint32_t t = 0; t < 32; ++t) CHECK_EQ(part[t], t < 7 ? t + 1 : t == 7 ? part[7] : 0);
}

TEST_CASE("tiles of a warp exchange under masks of their own") {
  const auto got =
      per_lane("shr.u32 %r1, %r0, 3; shl.b32 %r1, %r1, 3; shl.b32 %r2, 255, %r1; shfl.sync.idx.b32 %r20, %r0, 2, 0x181f, %r2;");
  for (std::uint32_t t = 0; t < 32; ++t) CHECK_EQ(got[t], t / 8 * 8 + 2);
}

TEST_CASE("votes") {
  CHECK_EQ(per_lane("and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0; vote.sync.ballot.b32 %r20, %p1, -1;")[5], 0x55555555);
  CHECK_EQ(per_lane("setp.lt.u32 %p1, %r0, 40; vote.sync.all.pred %p2, %p1, -1; selp.u32 %r20, 1, 0, %p2;")[5], 1);
  CHECK_EQ(per_lane("setp.lt.u32 %p1, %r0, 3; vote.sync.all.pred %p2, %p1, -1; selp.u32 %r20, 1, 0, %p2;")[5], 0);
  CHECK_EQ(per_lane("setp.lt.u32 %p1, %r0, 3; vote.sync.any.pred %p2, %p1, -1; selp.u32 %r20, 1, 0, %p2;")[5], 1);
  CHECK_EQ(per_lane("setp.lt.u32 %p1, %r0, 3; vote.sync.uni.pred %p2, !%p1, -1; selp.u32 %r20, 1, 0, %p2;")[5], 0);
  CHECK_EQ(per_lane("setp.lt.u32 %p1, %r0, 3; @%p1 activemask.b32 %r20;")[1], 7);
  CHECK_EQ(per_lane("vote.sync.ballot.b32 %r20, 1, -1;", 40)[35], 0xff);
}

TEST_CASE("matches, reductions and elections") {
  const auto any = per_lane("rem.u32 %r1, %r0, 3; match.any.sync.b32 %r20, %r1, -1;");
  for (std::uint32_t t = 0; t < 32; ++t) CHECK_EQ(any[t], (0x49249249u << (t % 3)));
  CHECK_EQ(per_lane("mov.u64 %rd5, 77; match.all.sync.b64 %r20|%p1, %rd5, -1; @!%p1 mov.u32 %r20, 5;")[9], 0xffffffff);
  CHECK_EQ(per_lane("match.all.sync.b32 %r20|%p1, %r0, -1; @!%p1 add.u32 %r20, %r20, 5;")[9], 5);
  CHECK_EQ(per_lane("redux.sync.add.s32 %r20, %r0, -1;")[3], 496);
  CHECK_EQ(per_lane("sub.s32 %r1, %r0, 16; redux.sync.min.s32 %r20, %r1, -1;")[3], 0xfffffff0);
  CHECK_EQ(per_lane("sub.s32 %r1, %r0, 16; redux.sync.max.u32 %r20, %r1, -1;")[3], 0xffffffff);
  CHECK_EQ(per_lane("redux.sync.xor.b32 %r20, %r0, -1;")[3], 0);
  CHECK_EQ(per_lane("redux.sync.or.b32 %r20, %r0, -1;")[3], 31);
  const auto elected = per_lane("elect.sync %r1|%p1, -1; selp.u32 %r20, 1, 0, %p1;");
  CHECK_EQ(elected[0], 1);
  CHECK_EQ(elected[1], 0);
}

TEST_CASE("lanes that come by different ways meet at an exchange") {
  const auto got = per_lane(R"(
    and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 1; @%p1 bra odd;
    mul.lo.u32 %r2, %r0, 10; bra meet;
    odd: mul.lo.u32 %r2, %r0, 20; mul.lo.u32 %r2, %r2, 2; bra meet;
    meet: shfl.sync.bfly.b32 %r20, %r2, 1, 31, -1;
  )");
  for (std::uint32_t t = 0; t < 32; ++t) CHECK_EQ(got[t], (t ^ 1) * ((t ^ 1) % 2 == 0 ? 10 : 40));
}

TEST_CASE("bar.warp.sync orders lanes that are at two of them") {
  const auto got = per_lane(R"(
    .shared .align 4 .b32 cell; mov.u32 %r3, cell; setp.eq.u32 %p1, %r0, 0; @%p1 bra writer;
    bar.warp.sync -1; ld.shared.u32 %r20, [%r3]; bra end;
    writer: st.shared.u32 [%r3], 42; bar.warp.sync -1; mov.u32 %r20, 1;
    end:
  )");
  CHECK_EQ(got[0], 1);
  for (std::uint32_t t = 1; t < 32; ++t) CHECK_EQ(got[t], 42);
}

TEST_CASE("exited lanes are not waited for, their names in the mask do no harm") {
  const auto got = per_lane("setp.ge.u32 %p1, %r0, 20; @%p1 exit; vote.sync.ballot.b32 %r20, 1, -1;");
  CHECK_EQ(got[3], 0xfffff);
}

TEST_CASE("a lane outside its own mask is found, inside it is not") {
  const std::string bad = failure_of(kernel_text("shfl.sync.idx.b32 %r1, %r0, 0, 31, 0xffff;"), {{1}, {32}});
  CHECK(has(bad, "TG424"));
  CHECK(has(bad, "lane 16"));
  CHECK_EQ(failure_of(kernel_text("shfl.sync.idx.b32 %r1, %r0, 0, 31, 0xffff;"), {{1}, {16}}), "");
}

TEST_CASE("an exchange whose partners never come is a deadlock") {
  const std::string bad = failure_of(kernel_text("mov.u32 %r0, %tid.x; setp.lt.u32 %p1, %r0, 16; @%p1 bra low; "
                                                 "bar.sync 1; low: shfl.sync.idx.b32 %r1, %r0, 0, 31, -1; bar.sync 1;"),
                                     {{1}, {32}});
  CHECK(has(bad, "TG421"));
  CHECK(has(bad, "lanes 0xffff wait at 'shfl.sync.idx.b32'"));
}

TEST_CASE("lanes that come back to a vote from behind it meet those who wait there") {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    bench b(kernel_text("mov.u32 %r0, %tid.x; and.b32 %r1, %r0, 1; setp.eq.u32 %p1, %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0;\n"
                        "next: vote.sync.any.pred %p2, %p1, -1; selp.u32 %r4, 1, 0, %p2; add.u32 %r3, %r3, %r4;\n"
                        "@%p1 bra other; add.u32 %r5, %r3, 1; add.u32 %r5, %r5, 1; bra met;\n"
                        "other: add.u32 %r5, %r3, 2;\n"
                        "met: add.u32 %r2, %r2, 1; setp.lt.u32 %p3, %r2, 20; @%p3 bra next;\n"
                        "mul.wide.u32 %rd6, %r0, 4; add.u64 %rd6, %rd6, %rd0; st.global.u32 [%rd6], %r3;"));
    const std::uint64_t to = b.upload(std::vector<std::uint32_t>(64));
    options how;
    how.seed = seed;
    b.run({{1}, {64}}, {to}, how);
    CHECK_EQ(b.download<std::uint32_t>(to, 64), std::vector<std::uint32_t>(64, 20));
  }
}
