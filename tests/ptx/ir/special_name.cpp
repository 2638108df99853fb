#include <tg/ptx/ir/special_name.hpp>

#include <doctest/doctest.h>

using tg::ptx::special;

TEST_CASE("every special register is found by its spelling") {
  for (std::size_t i = 1; i < std::size(tg::ptx::special_names); ++i) {
    const auto s = static_cast<special>(i);
    CHECK(tg::ptx::to_special(name(s)) == s);
  }
  CHECK(tg::ptx::to_special("tid.w") == special::none);
  CHECK(tg::ptx::to_special("cluster_ctaid.y") == special::cluster_ctaid_y);
}
