#include <tg/emulator/decode/decode.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

TEST_CASE("falling off the end of a kernel ends it, of a function returns") {
  const std::string text = runner::module_text(
      ".func f() { .reg .b32 %r<2>; mov.u32 %r0, 1; }\n.visible .entry k(.param .u64 p) { .reg .b64 %rd<2>; "
      "ld.param.u64 %rd0, [p]; call f; st.global.u32 [%rd0], 5; }");
  runner::bench b(text);
  const std::uint64_t out = b.upload(std::vector<std::uint32_t>(1));
  b.run({{1}, {32}}, {out});
  CHECK_EQ(b.download<std::uint32_t>(out, 1)[0], 5);
}
