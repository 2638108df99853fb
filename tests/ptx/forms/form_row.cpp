#include <tg/ptx/forms/form_row.hpp>
#include <tg/ptx/ir/token_name.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <string_view>

TEST_CASE("families name tokens that exist") {
  for (const auto& family : tg::ptx::detail::families) {
    std::string_view rest = family.tokens;
    while (!rest.empty()) {
      const std::string_view word = rest.substr(0, rest.find('|'));
      CAPTURE(word);
      CHECK(tg::ptx::to_token(word) != tg::ptx::token::none);
      rest.remove_prefix(std::min(rest.size(), word.size() + 1));
    }
    CHECK(tg::ptx::to_token(family.name) == tg::ptx::token::none);  // else a row could not tell them apart
  }
  CHECK(tg::ptx::detail::token_family("RND") == "rn|rz|rm|rp");
  CHECK(tg::ptx::detail::token_family("rn").empty());
}
