#include <tg/emulator/block/waiting.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

TEST_CASE("a hang names the warps, the mbarrier and what it still misses") {
  using namespace runner;
  const std::string report =
      failure_of(kernel_text(".shared .align 8 .b64 pad; .shared .align 8 .b64 bar; mov.u32 %r9, pad; mov.u32 %r0, %tid.x; "
                             "setp.eq.u32 %p0, %r0, 0;\n"
                             "@%p0 mbarrier.init.shared.b64 [bar], 100; bar.sync 0; mbarrier.arrive.shared.b64 _, [bar];\n"
                             "@%p0 mbarrier.expect_tx.relaxed.cta.shared.b64 [bar], 64;\n"
                             "w: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra w;\n"),
                 {{1}, {96}});
  CHECK(has(report, "TG421"));
  CHECK(has(report, "warps 0 to 2 lanes 0xffffffff wait at 'mbarrier.try_wait.parity.shared::cta.b64'"));
  CHECK(has(report, "for the mbarrier at shared address 8: 4 of 100 arrivals and 64 bytes are missing"));
}
