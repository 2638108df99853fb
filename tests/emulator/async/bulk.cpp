#include <tg/emulator/async/bulk.hpp>

#include <doctest/doctest.h>

#include <numeric>

#include "../runner.hpp"

namespace {

using namespace runner;

/// Thread 0 loads `bytes` bytes of %rd0 into `tile`, expecting `expected`; all wait, then copy tile to %rd1.
std::string loading(const std::string& bytes, const std::string& expected, const std::string& wait) {
  return kernel_text(
      ".shared .align 128 .b8 tile[1024]; .shared .align 8 .b64 bar;\n"
      "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd6, %rd1, %rd4;\n"
      "shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; add.u32 %r2, %r2, %r1; mov.u32 %r3, -1; st.shared.b32 [%r2], %r3;\n"
      "@%p0 mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster; bar.sync 0;\n"
      "@!%p0 bra wait; mbarrier.arrive.expect_tx.shared.b64 _, [bar], " +
      expected + ";\ncp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [tile], [%rd0], " + bytes +
      ", [bar];\nwait:\n" + wait + "\nld.shared.b32 %r4, [%r2]; st.global.b32 [%rd6], %r4;\n");
}

constexpr const char* wait_full = "mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra wait;";

std::vector<std::uint32_t> run_load(const std::string& text, std::uint64_t seed = 0) {
  bench b(text);
  std::vector<std::uint32_t> in(256);
  std::iota(in.begin(), in.end(), 1u);
  const std::uint64_t from = b.upload(in), to = b.upload(std::vector<std::uint32_t>(256));
  options how;
  how.seed = seed;
  b.run({{1}, {256}}, {from, to}, how);
  return b.download<std::uint32_t>(to, 256);
}

/// Threads fill `tile` with their number, then thread 0 does `store` and what follows it.
std::string storing(const std::string& store) {
  return kernel_text(
      ".shared .align 128 .b32 tile[256];\n"
      "mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; add.u32 %r2, %r2, %r1;"
      "cvt.rn.f32.u32 %f0, %r0; add.u32 %r3, %r0, 5; st.shared.b32 [%r2], %r3; fence.proxy.async.shared::cta; bar.sync "
      "0;\n"
      "@%p0 bra end;\n" +
      store + "\nend: bar.sync 0;\n");
}

std::vector<std::uint32_t> run_store(const std::string& store, std::uint32_t initial = 100) {
  bench b(storing(store));
  const std::uint64_t to = b.upload(std::vector<std::uint32_t>(256, initial));
  b.run({{1}, {256}}, {to});
  return b.download<std::uint32_t>(to, 256);
}

constexpr const char* commit = "cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;";

}  // namespace

TEST_CASE("a bulk load is seen after the wait for its mbarrier") {
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    const auto got = run_load(loading("512", "512", wait_full), seed);
    for (std::uint32_t k = 0; k < 256; ++k) REQUIRE_EQ(got[k], k < 128 ? k + 1 : ~0u);
  }
}

TEST_CASE("without the wait a bulk load is not seen") { CHECK_EQ(run_load(loading("512", "512", ""))[0], ~0u); }

TEST_CASE("bytes that were not expected, or never come, are a hang that is reported") {
  const auto hangs = [](const char* bytes, const char* expected) {
    return failure([&] { run_load(loading(bytes, expected, wait_full)); });
  };
  CHECK(hangs("512", "512").empty());
  const std::string more = hangs("512", "528"), less = hangs("512", "496");
  CHECK(has(more, "TG421"));
  CHECK(has(more, "16 bytes are missing"));
  CHECK(has(less, "TG421"));
  CHECK(has(less, "-16 bytes are missing"));
}

TEST_CASE("bulk copies are checked when they begin") {
  const auto fails = [](const char* bytes) { return failure([&] { run_load(loading(bytes, bytes, wait_full)); }); };
  CHECK(has(failure([] { run_load(loading("%r3", "512", wait_full)); }), "TG455"));
  CHECK(has(fails("2048"), "TG404"));
  const auto stores = [](const char* store) { return failure([&] { run_store(std::string(store) + commit); }); };
  CHECK(stores("cp.async.bulk.global.shared::cta.bulk_group [%rd0], [tile], 1024;").empty());
  CHECK(has(stores("cp.async.bulk.global.shared::cta.bulk_group [%rd0+16], [tile], 1024;"), "TG402"));
  CHECK(has(stores("cp.async.bulk.global.shared::cta.bulk_group [%rd0+8], [tile], 16;"), "TG403"));
  CHECK(has(stores("cp.async.bulk.global.shared::cta.bulk_group [%rd0], [tile+1024], 16;"), "TG404"));
}

TEST_CASE("a bulk store reads shared memory until its group is waited for") {
  const std::string store = "cp.async.bulk.global.shared::cta.bulk_group [%rd0], [tile], 1024; cp.async.bulk.commit_group;";
  const std::string wait = "cp.async.bulk.wait_group.read 0;", change = "mov.u32 %r9, 77; st.shared.b32 [tile], %r9;";
  CHECK_EQ(run_store(store + wait + change)[0], 5);
  CHECK_EQ(run_store(store + wait + change)[255], 260);
  CHECK_EQ(run_store(store + change + wait)[0], 77);
  CHECK_EQ(run_store(store + "cp.async.bulk.wait_group.read 1;" + change + wait)[0], 77);
}

TEST_CASE("a block that ends while its memory is read is reported") {
  const std::string store = "cp.async.bulk.global.shared::cta.bulk_group [%rd0], [tile], 1024;";
  CHECK(has(failure([&] { run_store(store); }), "TG457"));
  CHECK(has(failure([&] { run_store(store + "cp.async.bulk.commit_group;"); }), "TG457"));
  CHECK(failure([&] { run_store(store + commit); }).empty());
}

TEST_CASE("bulk reductions combine with what is there") {
  const auto reduced = [](const char* how, std::uint32_t initial) {
    return run_store(
        std::string("cp.reduce.async.bulk.global.shared::cta.bulk_group.") + how + " [%rd0], [tile], 1024;" + commit, initial);
  };
  CHECK_EQ(reduced("add.u32", 100)[7], 112);
  CHECK_EQ(reduced("min.u32", 100)[7], 12);
  CHECK_EQ(reduced("max.s32", static_cast<std::uint32_t>(-1))[7], 12);
  CHECK_EQ(reduced("inc.u32", 3)[7], 4);
  CHECK_EQ(reduced("inc.u32", 12)[7], 0);
  CHECK_EQ(reduced("dec.u32", 0)[7], 12);
  CHECK_EQ(reduced("and.b32", 8)[7], 8);
  CHECK_EQ(reduced("or.b32", 3)[7], 15);
  CHECK_EQ(reduced("xor.b32", 5)[7], 9);
  CHECK_EQ(reduced("add.u64", 1)[14], 20);
  CHECK_EQ(reduced("add.noftz.f16", 0x3c003c00)[7] >> 16, 0x3c00);
}

TEST_CASE("a multicast brings the bytes to every block of the mask") {
  const std::string text = kernel_text(R"(
    .shared .align 128 .b32 tile[64]; .shared .align 8 .b64 bar;
    mov.u32 %r0, %tid.x; mov.u32 %r1, %cluster_ctarank; mov.u32 %r5, %ctaid.x; setp.eq.u32 %p0, %r0, 0;
    @%p0 mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait;
    @!%p0 bra wait; mbarrier.arrive.expect_tx.shared.b64 _, [bar], 512;
    mul.wide.u32 %rd4, %r1, 256; add.u64 %rd4, %rd4, %rd0; setp.lt.u32 %p3, %r1, 2; @!%p3 bra wait;
    mov.u16 %h0, 15; mov.u32 %r2, tile; mad.lo.u32 %r2, %r1, 128, %r2;
    cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%r2], [%rd4], 128, [bar], %h0;
    mapa.shared::cluster.u32 %r3, %r2, 3; mov.u32 %r4, bar; mapa.shared::cluster.u32 %r4, %r4, 3;
    wait: setp.ge.u32 %p3, %r1, 3; @%p3 bra skip; @%p0 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 0; skip:
    @%p0 mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 256;
    again: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra again;
    shl.b32 %r6, %r0, 2; mov.u32 %r7, tile; add.u32 %r7, %r7, %r6; ld.shared.u32 %r8, [%r7];
    mad.lo.u32 %r9, %r5, 64, %r0; mul.wide.u32 %rd5, %r9, 4; add.u64 %rd5, %rd5, %rd1; st.global.u32 [%rd5], %r8;
    barrier.cluster.arrive; barrier.cluster.wait;
  )");
  bench b(text);
  std::vector<std::uint32_t> in(128);
  std::iota(in.begin(), in.end(), 0u);
  const std::uint64_t from = b.upload(in), to = b.upload(std::vector<std::uint32_t>(256));
  launch_shape shape{{4}, {64}};
  shape.cluster = {4};
  b.run(shape, {from, to});
  const auto got = b.download<std::uint32_t>(to, 256);
  for (std::uint32_t k = 0; k < 256; ++k) REQUIRE_EQ(got[k], k % 64 < 32 ? k % 64 : 64 + k % 64 - 32);
}

TEST_CASE("st.async and red.async count their bytes at the receiver's mbarrier") {
  const std::string text = kernel_text(R"(
    .shared .align 16 .b32 data[64]; .shared .align 8 .b64 bar; mov.u32 %r0, %tid.x; mov.u32 %r1, %cluster_ctarank;
    setp.eq.u32 %p0, %r0, 0;
    shl.b32 %r2, %r0, 3; mov.u32 %r3, data; add.u32 %r3, %r3, %r2; mov.u32 %r4, 1000; st.shared.v2.u32 [%r3], {%r4, %r4};
    @%p0 mbarrier.init.shared.b64 [bar], 1; fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait;
    @%p0 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 384;
    xor.b32 %r5, %r1, 1; mapa.shared::cluster.u32 %r6, %r3, %r5; mov.u32 %r7, bar; mapa.shared::cluster.u32 %r7, %r7, %r5;
    add.u32 %r8, %r0, %r1; add.u32 %r9, %r8, 1;
    st.async.weak.shared::cluster.mbarrier::complete_tx::bytes.v2.b32 [%r6], {%r8, %r9}, [%r7];
    red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%r6+4], %r9, [%r7];
    w: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra w;
    ld.shared.v2.u32 {%r10, %r11}, [%r3]; mov.u32 %r12, %ctaid.x; mad.lo.u32 %r12, %r12, 32, %r0; mul.wide.u32 %rd4, %r12, 8;
    add.u64 %rd4, %rd4, %rd0;
    st.global.v2.u32 [%rd4], {%r10, %r11}; barrier.cluster.arrive; barrier.cluster.wait;
  )");
  for (const std::uint64_t seed : {0, 1}) {
    bench b(retargeted(text, "8.1", "sm_90"));
    const std::uint64_t to = b.upload(std::vector<std::uint32_t>(128));
    launch_shape shape{{2}, {32}};
    shape.cluster = {2};
    options how;
    how.seed = seed;
    b.run(shape, {to}, how);
    const auto got = b.download<std::uint32_t>(to, 128);
    for (std::uint32_t k = 0; k < 64; ++k) {
      const std::uint32_t sent = k % 32 + (1 - k / 32);
      CHECK_EQ(got[2 * k], sent);
      CHECK_EQ(got[2 * k + 1], 2 * (sent + 1));
    }
  }
}

TEST_CASE("bulk operations are traffic of memory where a cache is counted") {
  const auto traffic = [](const std::string& text) {
    bench b(text);
    const std::uint64_t from = b.upload(std::vector<std::uint32_t>(256)), to = b.upload(std::vector<std::uint32_t>(256));
    options how;
    how.cache_bytes = 4096;
    counters counted;
    b.run({{1}, {256}}, {from, to}, how, &counted);
    return std::pair(counted.memory_read_bytes, counted.memory_written_bytes);
  };
  // 256 threads write a word each besides.
  CHECK_EQ(traffic(loading("512", "512", wait_full)), std::pair<std::uint64_t, std::uint64_t>(512, 1024));
  const std::string store = "cp.async.bulk.global.shared::cta.bulk_group [%rd1], [tile], 512;";
  CHECK_EQ(traffic(storing(store + commit)), std::pair<std::uint64_t, std::uint64_t>(0, 512));
  const std::string add = "cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u32 [%rd1], [tile], 512;";
  CHECK_EQ(traffic(storing(add + commit)), std::pair<std::uint64_t, std::uint64_t>(512, 512));
}
