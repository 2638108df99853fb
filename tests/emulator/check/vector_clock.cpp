#include <tg/emulator/check/vector_clock.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator::check;

namespace {

std::array<std::uint32_t, 32> all_at(std::uint32_t epoch) {
  std::array<std::uint32_t, 32> out{};
  out.fill(epoch);
  return out;
}

}  // namespace

TEST_CASE("a clock covers what was raised in it or joined to it") {
  vector_clock a, b;
  a.raise({0, 1}, 0xff, all_at(3));
  CHECK(a.covers({0, 1}, 0x0f, 3));
  CHECK_FALSE(a.covers({0, 1}, 0x0f, 4));
  CHECK_FALSE(a.covers({0, 1}, 0x1ff, 3));
  CHECK_FALSE(a.covers({0, 2}, 1, 1));
  CHECK_FALSE(a.covers({1, 1}, 1, 1));
  b.raise({1, 1}, ~0u, all_at(5));
  b.raise({0, 1}, 0xf00, all_at(2));
  CHECK_FALSE(a.covers(b));
  a.join(b);
  CHECK(a.covers(b));
  CHECK(a.covers({1, 1}, ~0u, 5));
  CHECK(a.covers({0, 1}, 0xff, 3));
  CHECK(a.covers({0, 1}, 0xf00, 2));
  CHECK_FALSE(b.covers(a));
}

TEST_CASE("a join makes a new clock only where it must") {
  auto small = std::make_shared<vector_clock>(), large = std::make_shared<vector_clock>();
  small->raise({0, 0}, 1, all_at(1));
  large->raise({0, 0}, 3, all_at(1));
  const clock_pointer a = small, b = large;
  CHECK(join(a, nullptr) == a);
  CHECK(join(nullptr, b) == b);
  CHECK(join(a, b) == b);
  CHECK(join(b, a) == b);
}

TEST_CASE("the threads of a block are raised together") {
  vector_clock a, b;
  a.raise({4, 0}, ~0u, all_at(3));
  b = a;
  a.raise_block(4, 3, 0xff, 7);
  for (const std::uint32_t w : {0u, 1u}) b.raise({4, w}, ~0u, all_at(7));
  b.raise({4, 2}, 0xff, all_at(7));
  CHECK(a.covers(b));
  CHECK(b.covers(a));
  CHECK(a.covers({4, 2}, 0xff, 7));
  CHECK_FALSE(a.covers({4, 2}, 0x100, 1));
}
