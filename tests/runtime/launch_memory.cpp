#include <tg/runtime/launch_memory.hpp>

#include <doctest/doctest.h>

using tg::runtime::launch_memory;

TEST_CASE("an answer is asked for once for each function and shape, and again when the function is gone") {
  launch_memory known;
  int asked = 0;
  const auto ask = [&] { return ++asked; };
  int first = 0, second = 0;
  launch_memory::key a{.function = reinterpret_cast<tg::driver::function_handle>(&first),
                       .what = launch_memory::question::clusters};
  launch_memory::key b = a;
  b.function = reinterpret_cast<tg::driver::function_handle>(&second);
  CHECK(known.find_or_ask(a, ask) == 1);
  CHECK(known.find_or_ask(a, ask) == 1);
  CHECK(known.find_or_ask(b, ask) == 2);
  a.cluster = {2, 1, 1};
  CHECK(known.find_or_ask(a, ask) == 3);
  known.forget(a.function);
  CHECK(known.find_or_ask(a, ask) == 4);
  CHECK(known.find_or_ask(b, ask) == 2);
  a.block = {32, 1, 1};
  CHECK_THROWS(known.find_or_ask(a, []() -> int { throw 1; }));
  CHECK(known.find_or_ask(a, ask) == 5);
}
