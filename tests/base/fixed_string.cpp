#include <tg/base/fixed_string.hpp>

#include <string_view>

#include <doctest/doctest.h>

namespace { template <tg::fixed_string Name> constexpr std::string_view name = Name.text; }  // namespace

static_assert(name<"saxpy"> == "saxpy" && name<""> == "");
static_assert(tg::fixed_string("saxpy").size() == 5);

TEST_CASE("a string is a template argument") { CHECK(name<"saxpy">.data()[5] == '\0'); }
