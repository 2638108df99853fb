#include <tg/emulator/async/meeting.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

using namespace runner;

/// Thread 0 initialises `bar` for `count` arrivals; then `body`.
std::string with_mbarrier(int count, const std::string& body) {
  return kernel_text(".shared .align 8 .b64 bar; .shared .align 16 .b32 data[64];\n"
                     "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;\n"
                     "@%p0 mbarrier.init.shared.b64 [bar], " +
                     std::to_string(count) +
                     "; bar.sync 0;\n"
                     "shl.b32 %r1, %r0, 2; mov.u32 %r2, data; add.u32 %r2, %r2, %r1; mul.wide.u32 %rd4, %r0, 4;"
                     "add.u64 %rd5, %rd0, %rd4; add.u64 %rd6, %rd1, %rd4;\n" +
                     body);
}

std::string failure_with(int count, const std::string& body) { return failure_of(with_mbarrier(count, body), {{1}, {64}}); }

/// Warp 1 writes, warp 0 reads, `rounds` times through one mbarrier for full and one for empty.
std::string ping_pong(const char* wait) {
  return with_mbarrier(32, R"(
    .shared .align 8 .b64 empty; @%p0 mbarrier.init.shared.b64 [empty], 32; bar.sync 0;
    mov.u32 %r5, 0; mov.u32 %r9, 0; setp.ge.u32 %p1, %r0, 32; and.b32 %r6, %r0, 31; shl.b32 %r6, %r6, 2; mov.u32 %r7, data;
    add.u32 %r7, %r7, %r6;
    @%p1 bra producer;
    consumer: and.b32 %r8, %r5, 1;
    full_wait: )" + std::string(wait) +
                               R"( %p2, [bar], %r8; @!%p2 bra full_wait;
      ld.shared.u32 %r10, [%r7]; add.u32 %r9, %r9, %r10;
      mbarrier.arrive.shared.b64 _, [empty];
      add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 20; @%p3 bra consumer;
      st.global.u32 [%rd6], %r9; ret;
    producer: setp.eq.u32 %p4, %r5, 0; @%p4 bra fill; sub.u32 %r8, %r5, 1; and.b32 %r8, %r8, 1;
    empty_wait: )" + std::string(wait) +
                               R"( %p2, [empty], %r8; @!%p2 bra empty_wait;
    fill: mad.lo.u32 %r10, %r5, %r5, %r6; st.shared.u32 [%r7], %r10;
      mbarrier.arrive.shared.b64 %rd9, [bar];
      add.u32 %r5, %r5, 1; setp.lt.u32 %p3, %r5, 20; @%p3 bra producer;
  )");
}

}  // namespace

TEST_CASE("producer and consumer warps meet at two mbarriers") {
  for (const char* wait : {"mbarrier.try_wait.parity.shared::cta.b64", "mbarrier.test_wait.parity.shared.b64"})
    for (const std::uint64_t seed : {0, 1, 2, 3}) {
      bench b(ping_pong(wait));
      const std::uint64_t out = b.upload(std::vector<std::uint32_t>(64));
      options how;
      how.seed = seed;
      b.run({{1}, {64}}, {out, out}, how);
      const auto got = b.download<std::uint32_t>(out, 32);
      for (std::uint32_t k = 0; k < 32; ++k) CHECK_EQ(got[k], 2470 + 20 * 4 * k);
    }
}

TEST_CASE("the state that an arrival gives tells the phase to wait for") {
  bench b(with_mbarrier(64, R"(
    mbarrier.arrive.shared.b64 %rd9, [bar]; mbarrier.pending_count.b64 %r9, %rd9;
    again: mbarrier.test_wait.shared.b64 %p1, [bar], %rd9; @!%p1 bra again;
    mbarrier.arrive.shared.b64 %rd10, [bar];
    other: mbarrier.try_wait.shared::cta.b64 %p1, [bar], %rd10, 1000; @!%p1 bra other;
    mbarrier.test_wait.shared.b64 %p1, [bar], %rd10; selp.u32 %r10, 100, 0, %p1;
    add.u32 %r9, %r9, %r10; st.global.u32 [%rd6], %r9;)"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(64));
  b.run({{1}, {64}}, {out, out});
  std::vector<std::uint32_t> got = b.download<std::uint32_t>(out, 64);
  std::sort(got.begin(), got.end());
  for (std::uint32_t k = 0; k < 64; ++k) CHECK_EQ(got[k], 101 + k);
}

TEST_CASE("a wait that is not over says so when its time is up") {
  bench b(with_mbarrier(1, R"(
    mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0, 10; selp.u32 %r9, 1, 0, %p1;
    bar.sync 0; @%p0 mbarrier.arrive.shared.b64 _, [bar]; bar.sync 0;
    mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; selp.u32 %r10, 2, 0, %p1;
    mbarrier.test_wait.parity.shared.b64 %p1, [bar], 1; selp.u32 %r11, 4, 0, %p1;
    add.u32 %r9, %r9, %r10; add.u32 %r9, %r9, %r11; st.global.u32 [%rd6], %r9;)"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(64));
  b.run({{1}, {64}}, {out, out});
  for (const std::uint32_t v : b.download<std::uint32_t>(out, 64)) CHECK_EQ(v, 2);
}

TEST_CASE("a long wait for an mbarrier does not open the barrier of the cluster behind it") {
  // Warp 0 of block 0 waits for a copy that warp 1 begins later, and which lands when warp 0 looks again because nobody else
  // can run: block 1 waits for warp 0 too, and comes to the barrier last.
  std::string text = with_mbarrier(1, R"(
    mov.u32 %r5, %ctaid.x; setp.ne.u32 %p4, %r5, 0; barrier.cluster.arrive; barrier.cluster.wait;
    @%p4 bra wait;
    setp.ge.u32 %p1, %r0, 32; @%p1 bra begin;
    look: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0; @!%p2 bra look;
    mov.u32 %r7, bar; mov.u32 %r8, 1; mapa.shared::cluster.u32 %r7, %r7, %r8;
    @%p0 mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r7];
    bra meet;
    begin: mov.u32 %r6, 200;
    short: sub.u32 %r6, %r6, 1; setp.ne.u32 %p3, %r6, 0; @%p3 bra short;
    setp.eq.u32 %p2, %r0, 32;
    @%p2 mbarrier.arrive.expect_tx.shared.b64 _, [bar], 256;
    @%p2 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [data], [%rd1], 256, [bar];
    bra meet;
    wait: mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 %p2, [bar], 0; @!%p2 bra wait;
    mov.u32 %r6, 20000;
    spin: sub.u32 %r6, %r6, 1; setp.ne.u32 %p3, %r6, 0; @%p3 bra spin;
    mov.u32 %r9, 1; st.global.u32 [%rd0], %r9;
    meet: barrier.cluster.arrive; barrier.cluster.wait;
    @%p4 bra end; ld.global.u32 %r9, [%rd0]; st.global.u32 [%rd6], %r9;
    end:)");
  text.insert(text.find('{', text.find(".entry")), ".reqnctapercluster 2, 1, 1 ");
  for (const std::uint64_t seed : {0, 1, 2, 3}) {
    bench b(text);
    const std::uint64_t flag = b.upload(std::vector<std::uint32_t>(64)), out = b.upload(std::vector<std::uint32_t>(64));
    options how;
    how.seed = seed;
    b.run({{2}, {64}}, {flag, out}, how);
    CHECK_EQ(b.download<std::uint32_t>(out, 64), std::vector<std::uint32_t>(64, 1));
  }
}

TEST_CASE("dropped arrivals are not expected again") {
  bench b(with_mbarrier(64, R"(
    setp.ge.u32 %p1, %r0, 32; @%p1 bra drop;
    mbarrier.arrive.shared.b64 _, [bar];
    one: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 0; @!%p2 bra one;
    mbarrier.arrive.shared.b64 _, [bar];
    two: mbarrier.try_wait.parity.shared::cta.b64 %p2, [bar], 1; @!%p2 bra two;
    mov.u32 %r9, 7; st.global.u32 [%rd6], %r9; ret;
    drop: mbarrier.arrive_drop.shared.b64 _, [bar];)"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(64));
  b.run({{1}, {64}}, {out, out});
  CHECK_EQ(b.download<std::uint32_t>(out, 64)[31], 7);
}

TEST_CASE("arrivals count, transactions count") {
  bench b(with_mbarrier(6, R"(
    @!%p0 bra wait;
    mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [bar], 100;
    mbarrier.arrive.release.cta.shared::cta.b64 _, [bar], 3;
    mbarrier.arrive.noComplete.shared.b64 %rd9, [bar], 2;
    mbarrier.arrive.expect_tx.shared.b64 %rd9, [bar], 28;
    mbarrier.test_wait.parity.shared.b64 %p1, [bar], 0; selp.u32 %r9, 1, 0, %p1; st.global.u32 [%rd6], %r9;
    mbarrier.complete_tx.relaxed.cta.shared::cta.b64 [bar], 128;
    wait: mbarrier.try_wait.parity.acquire.cta.shared::cta.b64 %p1, [bar], 0; @!%p1 bra wait;)"));
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(64, 9));
  b.run({{1}, {64}}, {out, out});
  CHECK_EQ(b.download<std::uint32_t>(out, 1)[0], 0);
}

TEST_CASE("what goes wrong with mbarriers is reported") {
  const char* wait = "w: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra w;";
  CHECK(failure_with(64, std::string("mbarrier.arrive.shared.b64 _, [bar];") + wait).empty());

  CHECK(has(failure_with(64, "mbarrier.arrive.shared.b64 _, [data];"), "TG450"));
  CHECK(
      has(failure_with(64, "@%p0 mbarrier.inval.shared.b64 [bar]; bar.sync 0; mbarrier.arrive.shared.b64 _, [bar];"), "TG450"));

  CHECK(failure_with(64, "@%p0 mbarrier.inval.shared.b64 [bar]; @%p0 mbarrier.init.shared.b64 [bar], 64;").empty());

  const std::string many =
      failure_with(32, "mbarrier.arrive.shared.b64 _, [bar]; @%p0 mbarrier.arrive.shared.b64 _, [bar], 33;");
  CHECK(has(many, "TG452"));
  CHECK(has(many, "33 times where 32 of 32"));
  CHECK(has(failure_with(1, "@%p0 mbarrier.arrive.noComplete.shared.b64 %rd9, [bar], 1;"), "TG452"));

  CHECK(has(failure_with(1, "@%p0 mbarrier.init.shared.b64 [data], 0;"), "TG453"));
  CHECK(has(failure_with(1, "@%p0 mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 1048576;"), "TG453"));

  CHECK(has(failure_with(1, "st.shared.u32 [bar], %r0; bar.sync 0; mbarrier.arrive.shared.b64 _, [bar];"), "TG454"));
  CHECK(has(failure_with(1, "mov.u32 %r9, bar; mbarrier.arrive.shared.b64 _, [%r9+4];"), "TG403"));
  CHECK(has(failure_with(1, "mbarrier.arrive.shared.b64 _, [bar+4096];"), "TG404"));
}

TEST_CASE("a wait that nobody ends is a deadlock, and says for which mbarrier") {
  for (const char* wait : {"mbarrier.try_wait.parity.shared::cta.b64", "mbarrier.test_wait.parity.shared.b64"}) {
    const std::string body = "mbarrier.arrive.shared.b64 _, [bar]; w: " + std::string(wait) + " %p1, [bar], 0; @!%p1 bra w;";
    const std::string few = failure_with(65, body);
    CHECK(has(few, "TG421"));
    CHECK(has(few, "1 of 65 arrivals"));
    CHECK(has(few, "warps 0 to 1"));
    CHECK(failure_with(64, body).empty());
    const std::string bytes = failure_with(64, "@%p0 mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 128; bar.sync 0;" + body);
    CHECK(has(bytes, "TG421"));
    CHECK(has(bytes, "128 bytes are missing"));
  }
}

TEST_CASE("a second mbarrier.init begins anew, and the checker of synchronisation reports it") {
  const std::string twice = with_mbarrier(3, R"(@%p0 mbarrier.arrive.shared.b64 _, [bar], 2;
    bar.sync 0; @%p0 mbarrier.init.shared.b64 [bar], 64; bar.sync 0;
    mbarrier.arrive.shared.b64 _, [bar];
    w: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra w;)");
  CHECK(failure_of(twice, {{1}, {64}}).empty());
  options how;
  how.check.sync = true;
  const std::string said = failure_of(twice, {{1}, {64}}, 4096, how);
  CHECK(has(said, "TG451"));
  CHECK(has(said, "mbarrier.init"));
  how.check = tg::emulator::check::checkers::all();
  how.check.sync = how.check.init = false;
  CHECK(failure_of(twice, {{1}, {64}}, 4096, how).empty());
}
