#include <tg/emulator/matrix/group_product.hpp>

#include <doctest/doctest.h>

#include "warp_product.hpp"

namespace {

using namespace warp_product;

/// A product of a tile that 128 threads fill before and change behind it.
std::string failure_of(const std::string& before, const std::string& behind, bool fills = true) {
  const std::string text = kernel(
      ".shared .align 128 .b8 tile[2048];\nmov.u32 %r0, tile; mad.lo.u32 %r1, %thread, 16, %r0; mov.b32 %r2, 0;\n"
      "mov.b64 %rd6, " +
          std::to_string(256ull >> 4 << 32 | 128 >> 4 << 16) + ";\n" +
          (fills ? "st.shared.v4.b32 [%r1], {%r2, %r2, %r2, %r2};\n" : "") + before +
          "wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 {" +
          [] {
            std::string out;
            for (int k = 0; k < 32; ++k) out += (k == 0 ? "%f" : ", %f") + std::to_string(k);
            return out;
          }() +
          "}, %rd6, %rd6, 0, 1, 1, 0, 0;\nwgmma.commit_group.sync.aligned;\n" + behind,
      ".reg .f32 %f<32>; ");
  check_with_ptxas(text);
  return runner::failure([&] {
    runner::bench bench(text);
    tg::emulator::options how;
    how.check.race = how.check.init = how.check.sync = true;
    bench.run({{1}, {128}}, {}, how);
  });
}

const std::string barrier = "fence.proxy.async;\nbar.sync 0;\n", wait = "wgmma.wait_group.sync.aligned 0;\n",
                  change = "st.shared.v4.b32 [%r1], {%r2, %r2, %r2, 1};\n";

}  // namespace

TEST_CASE("a group's product is taken by four warps together") {
  CHECK(tg::emulator::group_product_step().is_for_group());
  CHECK_FALSE(tg::emulator::product_step().is_for_group());
}

TEST_CASE("tiles are read until the group is waited for: changes before that are races, others are not") {
  CHECK_EQ(failure_of(barrier, wait + change), "");
  CHECK_EQ(failure_of(barrier, wait + barrier + change), "");
  CHECK(runner::has(failure_of(barrier, change + wait), "TG416"));
  CHECK(runner::has(failure_of(barrier, barrier + change + wait), "TG416"));
  CHECK(runner::has(failure_of(barrier, "wgmma.wait_group.sync.aligned 1;\n" + change), "TG416"));
  CHECK(runner::has(failure_of("fence.proxy.async;\n", wait), "TG416"));
  CHECK(runner::has(failure_of("bar.sync 0;\n", wait), "async proxy"));
}

TEST_CASE("a tile that nobody filled is found") {
  const std::string said = failure_of(barrier, wait, false);
  CHECK(runner::has(said, "nitialized"));
  CHECK(runner::has(said, "wgmma.mma_async"));
}
