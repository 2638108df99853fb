#include <tg/ptx/ir/token_name.hpp>

#include <doctest/doctest.h>

#include <set>
#include <string_view>

using tg::ptx::token;

TEST_CASE("every token is found by its spelling") {
  std::set<std::string_view> seen;
  for (std::size_t i = 1; i < tg::ptx::token_count; ++i) {
    const auto t = static_cast<token>(i);
    CHECK(tg::ptx::to_token(name(t)) == t);
    CHECK(seen.insert(name(t)).second);
  }
  CHECK(tg::ptx::to_token("f33") == token::none);
  CHECK(tg::ptx::to_token("L2::128B") == token::L2_128B);
  CHECK(tg::ptx::to_token("volatile") == token::volatile_);
  CHECK(tg::ptx::to_token("2d") == token::_2d);
}
