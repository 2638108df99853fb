#include <tg/emulator/access/memory_traffic.hpp>

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <doctest/doctest.h>

#include "../../random_seed.hpp"
#include "../runner.hpp"

namespace {

using tg::emulator::memory_traffic;

/// The cache as a list that is searched from its start.
struct listed_cache {
  struct line {
    std::uint64_t sector;
    bool is_changed;
  };
  std::size_t most;
  std::vector<line> lines{};  // the latest first
  std::uint64_t read = 0, written = 0;

  void touch(std::uint64_t sector, bool reads, bool writes) {
    const auto found = std::find_if(lines.begin(), lines.end(), [&](const line& l) { return l.sector == sector; });
    line now{sector, writes};
    if (found != lines.end()) {
      now.is_changed |= found->is_changed;
      lines.erase(found);
    } else {
      read += reads;
    }
    lines.insert(lines.begin(), now);
    if (lines.size() <= most) return;
    written += lines.back().is_changed;
    lines.pop_back();
  }
  void finish() {
    for (line& l : lines) written += l.is_changed, l.is_changed = false;
  }
};

/// Traffic of a kernel whose parameters are buffers of 64 KiB.
tg::emulator::counters traffic_of(const std::string& text, unsigned blocks, std::size_t cache_bytes) {
  runner::bench run(text);
  runner::words places;
  for (int k = 0; k < 4; ++k) places.push_back(run.upload(std::vector<std::uint32_t>(16384)));
  tg::emulator::options how;
  how.cache_bytes = cache_bytes;
  tg::emulator::counters counted;
  run.run({{blocks}, {256}}, places, how, &counted);
  return counted;
}

/// Element `first` + its number, times `step`, of each buffer that the body names.
std::string element_text(const std::string& body) {
  return runner::kernel_text(
      "mov.u32 %r0, %ctaid.x; mov.u32 %r1, %tid.x; mad.lo.u32 %r2, %r0, 256, %r1; mul.wide.u32 %rd4, %r2, 4;"
      "mul.wide.u32 %rd5, %r1, 4; add.u64 %rd6, %rd0, %rd4; add.u64 %rd7, %rd1, %rd4; add.u64 %rd8, %rd1, %rd5;" +
      body);
}

constexpr std::size_t kib = 1024;

}  // namespace

TEST_CASE("the cache counts as a list of sectors does") {
  std::mt19937_64 random(random_seed());
  for (const std::size_t most : {std::size_t{1}, std::size_t{2}, std::size_t{7}, std::size_t{64}}) {
    CAPTURE(most);
    memory_traffic fast(most * 32);
    listed_cache slow{most};
    for (int step = 0; step < 20000; ++step) {
      const std::uint64_t range = random() % 8 == 0 ? 300 : 2 * most;
      const std::uint64_t address = random() % (range * 32), bytes = 1 + random() % 80;
      const auto kind = random() % 3;
      if (kind == 0) fast.load(address, bytes);
      else if (kind == 1) fast.store(address, bytes);
      else fast.update(address, bytes);
      for (std::uint64_t s = address / 32; s <= (address + bytes - 1) / 32; ++s) slow.touch(s, kind != 1, kind != 0);
      REQUIRE_EQ(fast.read_bytes(), 32 * slow.read);
      REQUIRE_EQ(fast.written_bytes(), 32 * slow.written);
    }
    fast.finish(), slow.finish();
    CHECK_EQ(fast.written_bytes(), 32 * slow.written);
  }
}

TEST_CASE("the least is what a cache without an end leaves") {
  std::mt19937_64 random(random_seed());
  memory_traffic small(32 * 4), large(32 * 1000);
  for (int step = 0; step < 5000; ++step) {
    const std::uint64_t address = random() % (900 * 32), bytes = 1 + random() % 80;
    const auto kind = random() % 3;
    for (memory_traffic* const t : {&small, &large})
      if (kind == 0) t->load(address, bytes);
      else if (kind == 1) t->store(address, bytes);
      else t->update(address, bytes);
  }
  small.finish(), large.finish();
  CHECK_EQ(large.least_bytes(), large.read_bytes() + large.written_bytes());
  CHECK_EQ(small.least_bytes(), large.least_bytes());
  CHECK_GT(small.read_bytes() + small.written_bytes(), small.least_bytes());
}

TEST_CASE("a copy moves each byte once, and what is read again costs nothing while it is in the cache") {
  const std::string copy = element_text("ld.global.u32 %r3, [%rd6]; st.global.u32 [%rd7], %r3;");
  const auto once = traffic_of(copy, 64, 4 * kib);
  CHECK_EQ(once.memory_read_bytes, 64 * kib);
  CHECK_EQ(once.memory_written_bytes, 64 * kib);
  // Each block reads the row of 1 KiB that all share.
  const std::string with_row =
      element_text("ld.global.u32 %r3, [%rd6]; ld.global.u32 %r4, [%rd8]; add.u32 %r3, %r3, %r4; st.global.u32 [%rd6], %r3;");
  const auto hot = traffic_of(with_row, 64, 16 * kib);
  CHECK_EQ(hot.memory_read_bytes, 65 * kib);
  CHECK_EQ(hot.memory_written_bytes, 64 * kib);
  CHECK_GT(traffic_of(with_row, 64, 32).memory_read_bytes, 4 * 65 * kib / 3);
}

TEST_CASE("a kernel that goes twice over what does not fit reads it twice") {
  const std::string twice =
      runner::kernel_text("mov.u32 %r1, %tid.x; mul.wide.u32 %rd4, %r1, 4; mov.u32 %r5, 0; mov.u32 %r6, 0;"
                          "again: add.u64 %rd6, %rd0, %rd4; mov.u32 %r7, 0;"
                          "next: ld.global.u32 %r3, [%rd6]; add.u32 %r6, %r6, %r3; add.u64 %rd6, %rd6, 1024;"
                          "add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 64; @%p1 bra next;"
                          "add.u32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 2; @%p1 bra again;"
                          "add.u64 %rd7, %rd1, %rd4; st.global.u32 [%rd7], %r6;");
  CHECK_EQ(traffic_of(twice, 1, 128 * kib).memory_read_bytes, 64 * kib);
  CHECK_EQ(traffic_of(twice, 1, 32 * kib).memory_read_bytes, 128 * kib);
  CHECK_EQ(traffic_of(twice, 1, 128 * kib).memory_least_bytes, 65 * kib);
  CHECK_EQ(traffic_of(twice, 1, 32 * kib).memory_least_bytes, 65 * kib);
  CHECK_EQ(traffic_of(twice, 1, 32 * kib).memory_written_bytes, kib);
  CHECK_EQ(traffic_of(twice, 1, 0).memory_read_bytes, 0);
}

TEST_CASE("blocks take turns, so that the cache holds what all of them use at a time") {
  // Each block goes twice over a KiB of its own; 16 of them do not fit 4 KiB.
  const std::string own_twice =
      element_text("ld.global.u32 %r3, [%rd6]; mov.u32 %r7, 0; wait: add.u32 %r7, %r7, 1; setp.lt.u32 %p1, %r7, 64;"
                   "@%p1 bra wait; ld.global.u32 %r4, [%rd6]; add.u32 %r3, %r3, %r4; st.global.u32 [%rd7], %r3;");
  CHECK_EQ(traffic_of(own_twice, 16, 64 * kib).memory_read_bytes, 16 * kib);
  CHECK_GT(traffic_of(own_twice, 16, 4 * kib).memory_read_bytes, 24 * kib);
}

TEST_CASE("atomics read and write, asynchronous copies read, generic addresses are what they point to") {
  const auto added = traffic_of(element_text("red.global.add.u32 [%rd6], 1;"), 64, 4 * kib);
  CHECK_EQ(added.memory_read_bytes, 64 * kib);
  CHECK_EQ(added.memory_written_bytes, 64 * kib);
  const auto generic = traffic_of(element_text("ld.u32 %r3, [%rd6]; st.u32 [%rd7], %r3;"), 64, 4 * kib);
  CHECK_EQ(generic.memory_read_bytes, 64 * kib);
  CHECK_EQ(generic.memory_written_bytes, 64 * kib);
  const std::string declared = ".shared .align 128 .b8 s[1024];";
  std::string copies = element_text("mov.u32 %r9, s; cvt.u64.u32 %rd9, %r9; add.u64 %rd9, %rd9, %rd5;"
                                    "cp.async.ca.shared.global [%rd9], [%rd6], 4; cp.async.wait_all; ld.shared.u32 %r3, [%rd9];"
                                    "st.global.u32 [%rd7], %r3;");
  copies.insert(copies.find(".visible"), declared);
  const auto asynchronous = traffic_of(copies, 64, 4 * kib);
  CHECK_EQ(asynchronous.memory_read_bytes, 64 * kib);
  CHECK_EQ(asynchronous.memory_written_bytes, 64 * kib);
}
