#include <tg/dsl/cluster/remote_tile.hpp>

#include <tg/dsl/cluster/cluster.hpp>

#include "../recording.hpp"

using namespace tg::literals;

TEST_CASE("one mapa for a tile, then loads, stores and atomics of shared::cluster") {
  const auto r = recording::of<tg::clustered_block<tg::block_t<64>, tg::cluster_t<2>>>([](auto block, recording::parameters) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    const auto other = block.cluster().tile(tile, 1u);
    other(block.thread.x) = other(3_c) * 2.0f;
  });
  CHECK(r.text.find("mapa.shared::cluster.u32") == r.text.rfind("mapa.shared::cluster.u32"));
  CHECK(r.text.find("ld.shared::cluster.f32") != std::string::npos);
  CHECK(r.text.ends_with("st.shared::cluster.f32"));
  CHECK(r.accesses.back().is_shared);
  CHECK(r.accesses.back().is_write);
}

TEST_CASE("conflicts in the banks of the other block are found as those of the own are") {
  const auto column = [](auto block, recording::parameters) {
    const auto tile = tg::shared<float>(tg::shape<32, 32>);
    const auto other = block.cluster().tile(tile, 1u);
    for (int k = 0; k < 1; ++k) other(block.thread.x, k) = 1.0f;
  };
  const auto found = recording::error_of<tg::clustered_block<tg::block_t<32>, tg::cluster_t<2>>>(column);
  CHECK(found == recording::at(201, __LINE__ - 3));
}
