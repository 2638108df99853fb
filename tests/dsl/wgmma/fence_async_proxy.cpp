#include <tg/dsl/wgmma/fence_async_proxy.hpp>

#include "../recording.hpp"

TEST_CASE("one fence, which needs sm_90") {
  const auto r = recording::of([](auto, recording::parameters) { tg::fence_async_proxy(); });
  CHECK(r.text == "fence.proxy.async.shared::cta");
}
