#include <tg/base/source_location.hpp>

#include <doctest/doctest.h>

#include <string_view>

namespace {

constexpr tg::source_location here(tg::source_location where = tg::source_location::current()) { return where; }

}  // namespace

static_assert(!tg::source_location{}.is_known() && here().is_known());

TEST_CASE("a default argument knows the line of the call") {
  CHECK(here().line == __LINE__);
  CHECK(std::string_view(here().file).ends_with("source_location.cpp"));
}
