#include <tg/runtime/held_call.hpp>

#include <doctest/doctest.h>

using tg::runtime::held_call;

TEST_CASE("a held call has its values with it") {
  long long sum = 0;
  const auto hold = [&](long long a, int b, unsigned char c) { return held_call([&sum, a, b, c] { sum += a + b + c; }); };
  const held_call first = hold(1ll << 40, -3, 200);
  held_call second = hold(5, 6, 7);
  first();
  CHECK(sum == (1ll << 40) + 197);
  second();
  second = first;
  second();
  CHECK(sum == 2 * ((1ll << 40) + 197) + 18);
}
