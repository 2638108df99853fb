#include <tg/base/fixed_string.hpp>

#include <doctest/doctest.h>

namespace { template <tg::fixed_string Name> constexpr auto name = Name.view(); }  // namespace

static_assert(name<"saxpy"> == "saxpy" && name<""> == "");
static_assert(tg::fixed_string("saxpy").size() == 5);

TEST_CASE("a string is a template argument") { CHECK(name<"saxpy">.data()[5] == '\0'); }
