#include <tg/runtime/load_options.hpp>

#include <doctest/doctest.h>

TEST_CASE("load options differ when one of them does") {
  constexpr tg::load_options usual;
  static_assert(usual == tg::load_options{});
  CHECK(usual.optimization_level == 4);
  CHECK(usual != tg::load_options{.optimization_level = 3});
  CHECK(usual != tg::load_options{.max_registers = 32});
  CHECK(usual != tg::load_options{.target = 80});
  CHECK(usual != tg::load_options{.line_info = false});
  CHECK(usual != tg::load_options{.retry_unoptimized = true});
  CHECK(usual != tg::load_options{.is_tiered = true});
  CHECK(usual != tg::load_options{.uses_cache = false});
}
