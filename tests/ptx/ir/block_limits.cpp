#include <tg/ptx/ir/block_limits.hpp>

#include <doctest/doctest.h>

TEST_CASE("a kernel without limits takes any grid") {
  for (const std::uint32_t most : tg::ptx::no_block_limits) CHECK(most == 0xffffffff);
}
