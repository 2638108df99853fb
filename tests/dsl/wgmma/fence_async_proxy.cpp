#include <tg/dsl/wgmma/fence_async_proxy.hpp>

#include "../recording.hpp"

TEST_CASE("one fence, of tiles or of buffers") {
  const auto r = recording::of([](auto, recording::parameters) { tg::fence_async_proxy(); });
  CHECK(r.text == "fence.proxy.async.shared::cta");
  CHECK(recording::of([](auto, recording::parameters) { tg::fence_async_proxy_of_buffers(); }).text ==
        "fence.proxy.async.global");
}
