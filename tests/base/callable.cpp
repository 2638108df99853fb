#include <tg/base/callable.hpp>

#include <memory>
#include <utility>

#include <doctest/doctest.h>

TEST_CASE("a callable owns what it calls, which need not be copied") {
  int calls = 0;
  const auto alive = std::make_shared<int>(0);
  {
    tg::callable f = [&calls, own = std::make_unique<int>(3), kept = alive] { return calls += *own; };
    CHECK(alive.use_count() == 2);
    f();
    tg::callable g = std::move(f);
    CHECK_FALSE(static_cast<bool>(f));  // NOLINT: it is empty behind the move
    REQUIRE(static_cast<bool>(g));
    g();
    CHECK(alive.use_count() == 2);
    f = std::move(g);
    f();
    CHECK(calls == 9);
    f = tg::callable();
    CHECK(alive.use_count() == 1);
  }
  CHECK(alive.use_count() == 1);
}

TEST_CASE("a callable is made of functions and closures, not of what wants arguments") {
  static int calls = 0;
  const tg::callable f = +[] { ++calls; };
  f();
  CHECK(calls == 1);
  static_assert(!std::is_constructible_v<tg::callable, int>);
  static_assert(!std::is_constructible_v<tg::callable, void (*)(int)>);
  static_assert(!std::is_copy_constructible_v<tg::callable>);
}
