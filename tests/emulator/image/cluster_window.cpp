#include <tg/emulator/image/cluster_window.hpp>

#include <doctest/doctest.h>

#include <tg/emulator/image/image.hpp>
#include <tg/emulator/memory/memory.hpp>

using namespace tg::emulator;

TEST_CASE("the shared memory of a cluster overlaps no other window") {
  CHECK(cluster_window % window_bytes == 0);
  CHECK(cluster_window >= param_window + window_bytes);
  CHECK(cluster_window + max_cluster_blocks * window_bytes <= memory::first_address);
  CHECK(cluster_window + max_cluster_blocks * window_bytes <= std::uint64_t{1} << 32);
  CHECK(code_window + code_step < cluster_window);
}
