#include <tg/emulator/block/cluster.hpp>

#include <doctest/doctest.h>

#include <numeric>

#include "../runner.hpp"

namespace {

using namespace runner;

launch_shape shape_of(std::uint32_t blocks, std::uint32_t threads, std::uint32_t cluster) {
  launch_shape s{{blocks}, {threads}};
  s.cluster = {cluster};
  return s;
}

/// Every block writes its number to its own shared memory, then reads that of the next block of its cluster.
std::string neighbour(const std::string& read, const std::string& first_barrier, const std::string& last_barrier) {
  return kernel_text(R"(
    .shared .align 4 .b32 own[64];
    mov.u32 %r0, %tid.x; mov.u32 %r1, %ctaid.x; mov.u32 %r2, %cluster_ctarank; mov.u32 %r3, %cluster_nctarank;
    shl.b32 %r4, %r0, 2; mov.u32 %r5, own; add.u32 %r5, %r5, %r4;
    mad.lo.u32 %r6, %r1, 1000, %r0; st.shared.u32 [%r5], %r6;
    add.u32 %r7, %r2, 1; rem.u32 %r7, %r7, %r3;
    )" + first_barrier +
                     read + last_barrier + R"(
    mad.lo.u32 %r8, %r1, 64, %r0; mul.wide.u32 %rd4, %r8, 4; add.u64 %rd4, %rd4, %rd1; st.global.u32 [%rd4], %r9;
  )");
}

constexpr const char* barrier = "barrier.cluster.arrive.aligned; barrier.cluster.wait.aligned;\n";
constexpr const char* remote = "mapa.shared::cluster.u32 %r10, %r5, %r7; ld.shared::cluster.u32 %r9, [%r10];\n";
constexpr const char* generic =
    "cvt.u64.u32 %rd5, %r5; cvta.shared.u64 %rd5, %rd5; mapa.u64 %rd5, %rd5, %r7; ld.u32 %r9, [%rd5];\n";

}  // namespace

TEST_CASE("blocks of a cluster read each other's shared memory") {
  for (const std::uint32_t size : {1u, 2u, 4u, 8u, 16u})
    for (const char* read : {remote, generic})
      for (const std::uint64_t seed : {0, 5}) {
        bench b(neighbour(read, barrier, barrier));
        const std::uint64_t out = b.upload(std::vector<std::uint32_t>(32 * 64));
        options how;
        how.seed = seed;
        b.run(shape_of(32, 64, size), {out, out}, how);
        const auto got = b.download<std::uint32_t>(out, 32 * 64);
        for (std::uint32_t k = 0; k < got.size(); ++k) {
          const std::uint32_t block = k / 64, next = block / size * size + (block % size + 1) % size;
          REQUIRE_EQ(got[k], next * 1000 + k % 64);
        }
      }
}

TEST_CASE("without the first barrier a neighbour's memory is read too early") {
  bench b(neighbour(remote, "", barrier));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(2 * 64, 7));
  b.run(shape_of(2, 64, 2), {out, out});
  CHECK_EQ(b.download<std::uint32_t>(out, 1)[0], 0);
}

TEST_CASE("shared memory of a block that has ended is out of reach") {
  const std::string late =
      "setp.eq.u32 %p1, %r2, 0; @%p1 ret; mov.u32 %r12, 0; w: add.u32 %r12, %r12, 1; setp.lt.u32 %p2, %r12, 9000; @%p2 "
      "bra w;\n";
  const auto run = [&](const std::string& text) {
    return failure([&] {
      bench b(text);
      const std::uint64_t out = b.upload(std::vector<std::uint32_t>(128));
      b.run(shape_of(2, 64, 2), {out, out});
    });
  };
  CHECK(has(run(neighbour(late + remote, barrier, "")), "TG456"));
  CHECK(run(neighbour(remote, barrier, barrier)).empty());
  CHECK(has(run(neighbour("mov.u32 %r7, 5;" + std::string(remote), barrier, barrier)), "TG456"));
  CHECK(has(run(neighbour("add.u32 %r5, %r5, 256;" + std::string(remote), barrier, barrier)), "TG404"));
}

TEST_CASE("the registers of a cluster") {
  const std::string text = kernel_text(R"(
    mov.u32 %r0, %ctaid.x; mov.u32 %r1, %ctaid.y; mov.u32 %r2, %nctaid.x; mad.lo.u32 %r3, %r1, %r2, %r0;
    mul.wide.u32 %rd4, %r3, 64; add.u64 %rd4, %rd4, %rd0;
    mov.u32 %r4, %clusterid.x; mov.u32 %r5, %clusterid.y; mov.u32 %r6, %nclusterid.x; mov.u32 %r7, %nclusterid.y;
    st.global.v4.u32 [%rd4], {%r4, %r5, %r6, %r7};
    mov.u32 %r4, %cluster_ctaid.x; mov.u32 %r5, %cluster_ctaid.y; mov.u32 %r6, %cluster_nctaid.x; mov.u32 %r7, %cluster_nctaid.y;
    st.global.v4.u32 [%rd4+16], {%r4, %r5, %r6, %r7};
    mov.u32 %r4, %cluster_ctarank; mov.u32 %r5, %cluster_nctarank; mov.pred %p1, %is_explicit_cluster; selp.u32 %r6, 1, 0, %p1;
    mov.u32 %r7, %cluster_nctaid.z; st.global.v4.u32 [%rd4+32], {%r4, %r5, %r6, %r7};
    .shared .b32 own; mov.u32 %r8, own; getctarank.shared::cluster.u32 %r9, %r8; mapa.shared::cluster.u32 %r8, %r8, 2;
    getctarank.shared::cluster.u32 %r10, %r8;
    cvt.u64.u32 %rd5, %r8; cvta.shared::cluster.u64 %rd5, %rd5; getctarank.u64 %r11, %rd5;
    isspacep.shared::cluster %p2, %rd5; isspacep.shared::cta %p3, %rd5; selp.u32 %r12, 1, 0, %p2; selp.u32 %r13, 2, 0, %p3;
    add.u32 %r12, %r12, %r13;
    st.global.v4.u32 [%rd4+48], {%r9, %r10, %r11, %r12};
  )");
  bench b(text);
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(6 * 4 * 16));
  launch_shape shape{{6, 4}, {1}};
  shape.cluster = {3, 2};
  b.run(shape, {out});
  const auto got = b.download<std::uint32_t>(out, 6 * 4 * 16);
  for (std::uint32_t y = 0; y < 4; ++y)
    for (std::uint32_t x = 0; x < 6; ++x) {
      const std::uint32_t rank = y % 2 * 3 + x % 3;
      const std::vector<std::uint32_t> want = {x / 3, y / 2, 2, 2, x % 3, y % 2, 3, 2, rank, 6, 1, 1, rank, 2, 2, 1};
      CHECK(std::equal(want.begin(), want.end(), got.begin() + (y * 6 + x) * 16));
    }
}

TEST_CASE("atomics and mbarriers work across the cluster") {
  const std::string text = kernel_text(R"(
    .shared .align 8 .b64 bar; .shared .b32 sum; mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; mov.u32 %r1, %cluster_ctarank;
    setp.eq.u32 %p1, %r1, 0;
    mov.u32 %r9, 0; @%p0 st.shared.u32 [sum], %r9; @%p0 mbarrier.init.shared.b64 [bar], 128; fence.mbarrier_init.release.cluster;
    barrier.cluster.arrive.release; barrier.cluster.wait.acquire;
    mov.u32 %r2, sum; mapa.shared::cluster.u32 %r2, %r2, 0; red.shared::cluster.add.u32 [%r2], %r1;
    atom.shared::cluster.add.u32 %r5, [%r2], 1;
    mov.u32 %r3, bar; mapa.shared::cluster.u32 %r3, %r3, 0; mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r3];
    @!%p1 bra end;
    w: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [bar], 0; @!%p2 bra w;
    ld.shared.u32 %r4, [sum]; @%p0 st.global.u32 [%rd0], %r4;
    end: barrier.cluster.arrive; barrier.cluster.wait;
  )");
  for (const std::uint64_t seed : {0, 1, 2}) {
    bench b(text);
    const std::uint64_t out = b.upload(std::vector<std::uint32_t>(1));
    options how;
    how.seed = seed;
    b.run(shape_of(4, 32, 4), {out}, how);
    CHECK_EQ(b.download<std::uint32_t>(out, 1)[0], 32 * (0 + 1 + 2 + 3) + 128);
  }
}

TEST_CASE("the barrier of a cluster wants one wait for each arrival") {
  const auto run = [](const std::string& body) {
    return failure([&] {
      bench b(kernel_text(body));
      b.run(shape_of(2, 64, 2), {});
    });
  };
  CHECK(run("barrier.cluster.arrive; barrier.cluster.wait; barrier.cluster.arrive.relaxed; barrier.cluster.wait;").empty());
  CHECK(has(run("barrier.cluster.arrive; barrier.cluster.arrive;"), "TG459"));
  CHECK(has(run("barrier.cluster.wait;"), "TG459"));
  const std::string stuck =
      run("mov.u32 %r0, %cluster_ctarank; mov.u32 %r1, %tid.x; mad.lo.u32 %r0, %r0, 64, %r1; setp.ge.u32 %p0, %r0, 32;\n"
          "@%p0 bra w; bar.sync 1; w: barrier.cluster.arrive; barrier.cluster.wait;");
  CHECK(has(stuck, "TG421"));
  CHECK(has(stuck, "barrier of the cluster"));
  CHECK(run("mov.u32 %r0, %cluster_ctarank; setp.eq.u32 %p0, %r0, 1; @%p0 exit; barrier.cluster.arrive; "
            "barrier.cluster.wait;")
            .empty());
}
