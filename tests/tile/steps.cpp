#include <tg/tile/steps.hpp>

#include <vector>

#include "tiles.hpp"

namespace {

using namespace tg::literals;

constexpr auto counts =
    tg::kernel<"counts">(tg::block<32>, [](auto block, tg::out<unsigned> count, tg::scalar<unsigned> length) {
      tg::if_(block.thread.x == 0u, [&] { count(0_c) = tg::steps(length, 32_c).count(); });
    });

}  // namespace

TEST_CASE("the last step may be a part of one") {
  tg::device gpu;
  for (const unsigned length : {0u, 1u, 31u, 32u, 33u, 64u, 97u}) {
    auto count = gpu.upload(std::vector<unsigned>(1, 999u));
    gpu.launch(counts, tg::grid(1), count, length);
    CAPTURE(length);
    CHECK(count.to_host()[0] == (length + 31) / 32);
  }
}
