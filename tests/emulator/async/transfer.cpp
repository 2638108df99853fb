#include <tg/emulator/async/transfer.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

TEST_CASE("what is not read is filled, byte by byte of the copy") {
  using namespace runner;
  for (const int read : {0, 1, 3, 5, 8, 11, 16}) {
    bench b(kernel_text(".shared .align 16 .b8 tile[32]; mov.u32 %r1, -1; st.shared.v4.b32 [tile], {%r1, %r1, %r1, %r1}; "
                        "st.shared.b32 [tile+16], %r1;\n"
                        "mov.u32 %r2, " +
                        std::to_string(read) +
                        "; cp.async.cg.shared.global [tile], [%rd0], 16, %r2; cp.async.wait_all;\n"
                        "ld.shared.v4.b32 {%r4, %r5, %r6, %r7}, [tile]; ld.shared.b32 %r8, [tile+16]; st.global.v4.b32 "
                        "[%rd1], {%r4, %r5, %r6, %r7}; st.global.b32 [%rd1+16], %r8;"));
    std::vector<std::uint8_t> in(16);
    for (std::size_t k = 0; k < 16; ++k) in[k] = static_cast<std::uint8_t>(k + 1);
    const std::uint64_t from = b.upload(in), to = b.upload(std::vector<std::uint8_t>(32));
    b.run({{1}, {1}}, {from, to});
    const auto got = b.download<std::uint8_t>(to, 20);
    for (int k = 0; k < 20; ++k) CHECK_EQ(got[static_cast<std::size_t>(k)], k < read ? k + 1 : k < 16 ? 0 : 255);
  }
}
