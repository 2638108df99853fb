#include <tg/ptx/ir/async_space.hpp>

#include <doctest/doctest.h>

namespace {

using tg::ptx::async_space;
using tg::ptx::instruction;
using tg::ptx::opcode;
using enum tg::ptx::token;

}  // namespace

TEST_CASE("each address of a bulk copy has its own space") {
  const instruction load{opcode::cp, {async, bulk, shared_cluster, global, mbarrier_complete_tx_bytes}, {}};
  CHECK(async_space(load, 0) == shared);
  CHECK(async_space(load, 1) == global);
  CHECK(async_space(load, 3) == shared);
  const instruction store{opcode::cp, {async, bulk, global, shared_cta, bulk_group}, {}};
  CHECK(async_space(store, 0) == global);
  CHECK(async_space(store, 1) == shared);
}

TEST_CASE("a tensor map is at a generic address") {
  const instruction load{opcode::cp, {async, bulk, tensor, _2d, shared_cluster, global, mbarrier_complete_tx_bytes}, {}};
  CHECK(async_space(load, 0) == shared);
  CHECK(async_space(load, 1) == none);
  CHECK(async_space(load, 3) == shared);
  const instruction store{opcode::cp, {async, bulk, tensor, _2d, global, shared_cta, bulk_group}, {}};
  CHECK(async_space(store, 0) == none);
  CHECK(async_space(store, 2) == shared);
}

TEST_CASE("other instructions name their space themselves") {
  CHECK_FALSE(async_space(instruction{opcode::ld, {global, u32}, {}}, 1));
  CHECK_FALSE(async_space(instruction{opcode::cp, {async, mbarrier, arrive, b64}, {}}, 0));
}
