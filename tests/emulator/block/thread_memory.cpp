#include <tg/emulator/block/thread_memory.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

TEST_CASE("local memory is zero when a block starts, also where stacks were") {
  // Block 0 leaves marks on its stack; block 1 runs on the same memory and must not see them.
  const std::string text = runner::kernel_text(R"(
    mov.u32 %r0, %ctaid.x; mov.u64 %rd5, 256; alloca.u64 %rd6, %rd5; ld.local.u32 %r1, [%rd6+128];
    st.local.u32 [%rd6+128], 77; mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd0, %rd4; st.global.u32 [%rd4], %r1;)");
  runner::bench b(text);
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>{1, 1, 1, 1});
  runner::options how;
  how.threads = 1;
  how.check = {};
  b.run({{4}, {1}}, {out}, how);
  CHECK_EQ(b.download<std::uint32_t>(out, 4), std::vector<std::uint32_t>{0, 0, 0, 0});
}
