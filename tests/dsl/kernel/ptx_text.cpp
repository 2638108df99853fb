#include <tg/dsl/kernel/ptx_text.hpp>

#include <doctest/doctest.h>

#include <tg/dsl/kernel/lower.hpp>

TEST_CASE("the text of a kernel asks for what its instructions need") {
  const auto k = tg::kernel<"ones">(tg::block<32>, [](auto block, tg::out<float> y) { y(block.thread.x) = 1.0f; });
  const auto text = tg::detail::write(tg::detail::to_recordable(k));
  const auto lowered = tg::lower(k);
  CHECK(text.text == lowered.ptx);
  CHECK(text.version == lowered.module.version);
  CHECK(text.sm == lowered.module.sm);
}

TEST_CASE("the grids that a kernel's 32-bit arithmetic reaches, by what is left of it") {
  const auto most_of = [](auto body) {
    return tg::detail::write(tg::detail::to_recordable(tg::kernel<"reach">(tg::block<256, 2>, body))).most_blocks;
  };
  const auto narrow = most_of([](auto block, tg::out2<float> y) { y(block.global.y, block.global_index()) = 1.0f; });
  CHECK(narrow == tg::ptx::block_limits{1u << 24, 1u << 31, 0xffffffff});
  const auto wide = most_of([](auto block, tg::out2<float> y) { y(block.index.y, block.global_index64()) = 1.0f; });
  CHECK(wide == tg::ptx::no_block_limits);
  const auto rows = most_of([](auto block, tg::out2<float> y) { y(block.index.x, block.thread.x) = 1.0f; });
  CHECK(rows == tg::ptx::no_block_limits);
}
