#include <tg/dsl/to_ptx.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/lower.hpp>

TEST_CASE("the text of a kernel asks for what its instructions need") {
  const auto k = tg::kernel<"ones">(tg::block<32>, [](auto block, tg::out<float> y) { y(block.thread.x) = 1.0f; });
  const auto text = tg::detail::write(tg::detail::to_recordable(k));
  const auto lowered = tg::lower(k);
  CHECK(text.text == lowered.ptx);
  CHECK(text.text == tg::to_ptx(k));
  CHECK(text.version == lowered.module.version);
  CHECK(text.sm == lowered.module.sm);
}
