#include <tg/emulator/async/arrival.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

TEST_CASE("a report about an mbarrier of another block names both blocks") {
  using namespace runner;
  const std::string text =
      kernel_text(".shared .align 8 .b64 pad; .shared .align 8 .b64 bar; mov.u32 %r0, pad; mov.u32 %r1, bar; mov.u32 %r2, "
                  "%cluster_ctarank;"
                  "setp.eq.u32 %p0, %r2, 1; mapa.shared::cluster.u32 %r1, %r1, 0; @%p0 "
                  "mbarrier.arrive.release.cluster.shared::cluster.b64 _, [%r1];"
                  "barrier.cluster.arrive; barrier.cluster.wait;");
  const std::string report = failure([&] {
    bench b(text);
    launch_shape shape{{2}, {32}};
    shape.cluster = {2};
    b.run(shape, {});
  });
  CHECK(has(report, "TG450"));
  CHECK(has(report, "thread (0, 0, 0) of block (1, 0, 0)"));
  CHECK(has(report, "shared address 0x8 of block (0, 0, 0)"));
}
