#include <tg/emulator/run/reachable.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

TEST_CASE("functions of the system reach shared and local variables by generic addresses, and not past them") {
  const char* const declaration = ".extern .func (.param .b64 r) memcpy(.param .b64 to, .param .b64 from, .param .b64 bytes);";
  const auto text = [&](int bytes) {
    return runner::kernel_text(".shared .align 8 .b8 s[16]; .local .align 8 .b8 l[16]; .param .b64 v;\n"
                               "mov.u64 %rd5, s; cvta.shared.u64 %rd5, %rd5; mov.u64 %rd6, l; cvta.local.u64 %rd6, %rd6;\n"
                               "st.local.u64 [l], 41; st.local.u64 [l+8], 42;\n"
                               "call (v), memcpy, (%rd5, %rd6, " +
                                   std::to_string(bytes) +
                                   ");\n"
                                   "ld.shared.u64 %rd7, [s+8]; st.global.u64 [%rd0], %rd7;",
                               declaration);
  };
  runner::bench b(text(16));
  const std::uint64_t out = b.upload(runner::words(1));
  b.run({{1}, {1}}, {out});
  CHECK_EQ(b.download<std::uint64_t>(out, 1)[0], 42);
  CHECK(runner::has(runner::failure_of(text(17), {{1}, {1}}), "TG402"));
}
