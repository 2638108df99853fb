#include <tg/ptx/ir/token.hpp>

#include <doctest/doctest.h>

using tg::ptx::token;

TEST_CASE("tokens are counted from none to the last") {
  CHECK(static_cast<std::size_t>(token::none) == 0);
  CHECK(static_cast<std::size_t>(token::zero) + 1 == tg::ptx::token_count);
}
