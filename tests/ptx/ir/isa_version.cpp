#include <tg/ptx/ir/isa_version.hpp>

#include <doctest/doctest.h>

using tg::ptx::isa_version;

static_assert(isa_version{7, 8} < isa_version{8, 0});
static_assert(isa_version{8, 1} > isa_version{8, 0});

TEST_CASE("versions are ordered by both numbers") {
  CHECK(isa_version{} == isa_version{6, 3});
  CHECK(isa_version{8, 10} > isa_version{8, 9});
}
