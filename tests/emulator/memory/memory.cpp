#include <tg/emulator/memory/memory.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

using tg::emulator::memory;

TEST_CASE("allocations are aligned, apart, zero, and counted") {
  memory m(std::size_t{1} << 20);
  const std::uint64_t a = m.allocate(100), b = m.allocate(1);
  CHECK_EQ(a % 256, 0);
  CHECK_GE(b, a + 100 + 4096);
  CHECK_EQ(m.live_bytes(), 101);
  CHECK_EQ(m.live_count(), 2);
  CHECK_EQ(m.size_of(a + 99), 100);
  CHECK_EQ(m.size_of(a + 100), 0);
  CHECK_EQ(*m.at(a, 100), std::byte{0});
  *m.at(a + 99, 1) = std::byte{7};
  CHECK_EQ(*static_cast<const memory&>(m).at(a + 99, 1), std::byte{7});
  m.release(a);
  m.release(0);
  CHECK_EQ(m.live_count(), 1);
  CHECK_EQ(m.find(a).size_bytes, 0);
}

TEST_CASE("what is not allowed is an error, and changes nothing") {
  memory m(std::size_t{1} << 20);
  const std::uint64_t a = m.allocate(1000);
  CHECK(runner::has(runner::failure([&] { m.allocate(std::size_t{1} << 20); }), "TG440"));
  CHECK(runner::has(runner::failure([&] { m.release(a + 1); }), "TG441"));
  CHECK(runner::has(runner::failure([&] { m.at(a + 999, 2); }), "TG442"));
  CHECK(runner::has(runner::failure([&] { m.at(a, ~std::size_t{0}); }), "TG442"));
  CHECK_EQ(m.live_bytes(), 1000);
  m.release(a);
  CHECK(runner::has(runner::failure([&] { m.release(a); }), "TG441"));
  CHECK(runner::has(runner::failure([&] { m.at(a, 1); }), "TG442"));
}

TEST_CASE("a freed range stays on record, and its addresses are used again only when none are left") {
  memory m(std::size_t{1} << 20);
  const std::uint64_t first = m.allocate(1000);
  m.release(first);
  const auto before = m.table();
  CHECK_FALSE(before->front().is_live);
  bool was_used_again = false;
  for (int k = 0; k < 1000; ++k) {
    const std::uint64_t a = m.allocate(100000);
    *m.at(a, 1) = std::byte{9};
    was_used_again = was_used_again || a <= first;
    m.release(a);
    CHECK_EQ(*m.at(m.allocate(1), 1), std::byte{0});
  }
  CHECK(was_used_again);
  CHECK_EQ(before->size(), 1);
}

TEST_CASE("copies carry what is known of their source, and what the host wrote to shared memory is not known") {
  memory m(std::size_t{1} << 20);
  const std::uint64_t to = m.allocate(64), from = m.allocate(64), pinned = m.allocate(64);
  m.share(pinned);
  m.note_copy(to, from, 64);
  CHECK(!m.written().holds(to, 64));
  m.note_copy(to, pinned, 32);
  CHECK(m.written().holds(to, 32));
  CHECK(!m.written().holds(to, 64));
}
