#include <tg/emulator/block/block_order.hpp>

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <vector>

#include "../runner.hpp"

using tg::emulator::block_order;

namespace {

std::vector<std::uint64_t> order_of(std::uint64_t seed, std::uint64_t count) {
  const block_order order(seed, count);
  std::vector<std::uint64_t> out;
  for (std::uint64_t k = 0; k < count; ++k) out.push_back(order.at(k));
  return out;
}

/// Each block writes down when it came.
constexpr const char* tickets = R"(.version 7.0
.target sm_70
.address_size 64
.visible .entry tickets(.param .u64 to, .param .u64 next)
{
  .reg .b32 %r<3>; .reg .b64 %rd<5>;
  ld.param.u64 %rd1, [to]; ld.param.u64 %rd2, [next];
  atom.global.add.u32 %r1, [%rd2], 1;
  mov.u32 %r2, %ctaid.x;
  mul.wide.u32 %rd3, %r2, 4; add.u64 %rd4, %rd1, %rd3;
  st.global.u32 [%rd4], %r1;
  ret;
}
)";

}  // namespace

TEST_CASE("each number comes once, whatever the seed") {
  for (std::uint64_t count = 1; count < 200; ++count)
    for (const std::uint64_t seed : {0u, 1u, 2u, 77u}) {
      const std::vector<std::uint64_t> order = order_of(seed, count);
      const std::set<std::uint64_t> all(order.begin(), order.end());
      CHECK(all.size() == count);
      CHECK(*all.rbegin() == count - 1);
    }
  const block_order large(5, std::uint64_t{1} << 40 | 12345);
  CHECK(large.at(0) < (std::uint64_t{1} << 40 | 12345));
  CHECK(large.at(0) != large.at(1));
}

TEST_CASE("seeds reach every order of a few blocks, and none is the order of the numbers") {
  CHECK(order_of(0, 5) == std::vector<std::uint64_t>{0, 1, 2, 3, 4});
  std::set<std::vector<std::uint64_t>> seen;
  for (std::uint64_t seed = 1; seed < 1000; ++seed) seen.insert(order_of(seed, 4));
  CHECK(seen.size() == 24);
  CHECK(order_of(3, 100) == order_of(3, 100));
  CHECK(order_of(3, 100) != order_of(4, 100));
  CHECK_FALSE(block_order(3, 1).is_shuffled());
}

TEST_CASE("a seed starts the blocks of a grid in another order, the same each time") {
  const auto run = [](std::uint64_t seed) {
    runner::bench b(tickets);
    const std::uint64_t to = b.upload(std::vector<std::uint32_t>(16)), next = b.upload(std::vector<std::uint32_t>(1));
    tg::emulator::options how;
    how.seed = seed;
    how.threads = 1;
    b.run({{16}, {1}}, {to, next}, how);
    return b.download<std::uint32_t>(to, 16);
  };
  std::vector<std::uint32_t> numbered(16);
  for (std::uint32_t k = 0; k < 16; ++k) numbered[k] = k;
  CHECK(run(0) == numbered);
  CHECK(run(1) != numbered);
  CHECK(run(1) == run(1));
  CHECK(run(1) != run(2));
}
