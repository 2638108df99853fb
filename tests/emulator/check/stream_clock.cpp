#include <tg/emulator/check/stream_clock.hpp>

#include <doctest/doctest.h>

using tg::emulator::check::stream_clock;

TEST_CASE("a clock has the latest moment of each stream that came before") {
  stream_clock a, b;
  a.raise(1, 5);
  a.raise(1, 3);
  b.raise(1, 4);
  b.raise(2, 9);
  CHECK(a.at(1) == 5);
  CHECK(a.at(2) == 0);
  a.join(b);
  CHECK(a.at(1) == 5);
  CHECK(a.at(2) == 9);
  a.keep([](std::uint64_t stream) { return stream == 2; });
  CHECK(a.size() == 1);
  CHECK(a.at(1) == 0);
}
