#include <tg/emulator/run/form_clusters.hpp>

#include <doctest/doctest.h>

#include "../runner.hpp"

namespace {

using namespace runner;

std::string launch(const std::string& bounds, launch_shape shape) {
  const std::string text = module_text(".visible .entry k(.param .u64 p)\n" + bounds +
                                       "\n{ .reg .b32 %r<4>; .reg .b64 %rd<4>; ld.param.u64 %rd0, [p];"
                                       " mov.u32 %r0, %cluster_nctarank; st.global.u32 [%rd0], %r0; ret; }\n");
  return failure([&] {
    bench b(text);
    const std::uint64_t out = b.upload(std::vector<std::uint32_t>(1));
    b.run(shape, {out});
    const std::uint32_t got = b.download<std::uint32_t>(out, 1)[0];
    throw tg::error(tg::code{1}, "cluster of " + std::to_string(got), "");
  });
}

launch_shape shape_of(std::uint32_t blocks, std::uint32_t cluster) {
  launch_shape s{{blocks}, {32}};
  s.cluster = {cluster};
  return s;
}

}  // namespace

TEST_CASE("clusters come from the launch or from the kernel") {
  CHECK(has(launch("", shape_of(8, 1)), "cluster of 1"));
  CHECK(has(launch("", shape_of(8, 4)), "cluster of 4"));
  CHECK(has(launch(".reqnctapercluster 2, 1, 1", shape_of(8, 1)), "cluster of 2"));
  CHECK(has(launch(".reqnctapercluster 2, 1, 1", shape_of(8, 2)), "cluster of 2"));
  CHECK(has(launch(".explicitcluster", shape_of(8, 2)), "cluster of 2"));
  CHECK(has(launch(".explicitcluster\n.maxclusterrank 8", shape_of(8, 8)), "cluster of 8"));
}

TEST_CASE("clusters that a device refuses") {
  CHECK(has(launch(".reqnctapercluster 2, 1, 1", shape_of(8, 4)), "TG458"));
  CHECK(has(launch(".explicitcluster", shape_of(8, 1)), "TG458"));
  CHECK(has(launch(".explicitcluster\n.maxclusterrank 2", shape_of(8, 4)), "TG458"));
  CHECK(has(launch("", shape_of(9, 2)), "TG458"));
  CHECK(has(launch("", shape_of(32, 32)), "TG458"));
}
