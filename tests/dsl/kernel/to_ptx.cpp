#include <tg/dsl/kernel/to_ptx.hpp>

#include <string>

#include <doctest/doctest.h>

#include <tg/dsl/kernel/lower.hpp>

TEST_CASE("the text of a kernel is what it lowers to") {
  const auto k = tg::kernel<"ones">(tg::block<32>, [](auto block, tg::out<float> y) { y(block.thread.x) = 1.0f; });
  CHECK(tg::to_ptx(k) == tg::lower(k).ptx);
}
