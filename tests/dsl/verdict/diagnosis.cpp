#include <tg/dsl/verdict/diagnosis.hpp>

#include <doctest/doctest.h>

namespace d = tg::diagnosis;

// What is wrong is known without completing the diagnosis, which would end the compilation here.
static_assert(d::is_ok<1, d::none> && d::is_ok<1, d::same_types<true, d::types<int>>>);
static_assert(!d::is_ok<1, d::same_types<false, d::types<int>>> && !d::is_ok<1, d::global_access<false, void>>);

TEST_CASE("a diagnosis that finds nothing wrong is a type like any other") {
  CHECK(sizeof(d::same_types<true>) == 1);
  CHECK(sizeof(d::shared_access<true, void>) == 1);
}
