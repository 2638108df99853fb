#include <tg/dsl/recorder/alike_in_cluster.hpp>

#include <doctest/doctest.h>

#include <vector>

#include <tg/dsl.hpp>
#include <tg/tg.hpp>

#include "../../random_seed.hpp"
#include "random_number.hpp"

namespace {

using namespace tg::literals;

/// Whether what `number(block, n, x)` makes is alike in clusters of `Cluster`, as the recorder has it; the same is asked of it
/// in a loop.
template <class Cluster, class Number> bool is_alike(const Number& number, Cluster cluster) {
  bool out = false;
  (void)tg::to_ptx(tg::kernel<"k">(
      tg::block<64> | cluster, [&](auto block, tg::scalar<unsigned> n, tg::in<unsigned> x, tg::inout<unsigned> y) {
        const auto made = number(block, n, x, y);
        out = tg::detail::is_alike_in_cluster(tg::detail::tracer::current().recorded(), tg::detail::operand_of<unsigned>(made));
        y(block.thread.x) = made;
      }));
  return out;
}

}  // namespace

TEST_CASE(
    "numbers of blocks are alike where a cluster has one block that way, and where they are divided by all of its blocks") {
  const auto x = [](auto block, auto, auto, auto) { return block.index.x * 3u + 1u; };
  const auto y = [](auto block, auto, auto, auto) { return block.index.y * 3u + 1u; };
  CHECK_FALSE(is_alike(x, tg::cluster<2>));
  CHECK(is_alike(y, tg::cluster<2>));
  CHECK(is_alike(x, tg::cluster<1, 2>));
  CHECK_FALSE(is_alike(y, tg::cluster<1, 2>));
  const auto by = [](auto divisor) {
    return [divisor](auto block, auto, auto, auto) { return tg::let(block.index.x / divisor) * 128_c; };
  };
  CHECK(is_alike(by(2_c), tg::cluster<2>));
  CHECK(is_alike(by(4_c), tg::cluster<2>));
  CHECK(is_alike(by(6_c), tg::cluster<2>));
  CHECK_FALSE(is_alike(by(3_c), tg::cluster<2>));
  CHECK_FALSE(is_alike(by(2_c), tg::cluster<4>));
  CHECK_FALSE(is_alike([](auto block, auto, auto, auto) { return (block.index.x + 1u) / 2_c; }, tg::cluster<2>));
  CHECK_FALSE(is_alike([](auto block, auto, auto, auto) { return block.index.x % 2_c; }, tg::cluster<2>));
}

TEST_CASE("parameters are alike; threads, ranks and memory are not") {
  CHECK(is_alike([](auto, auto n, auto, auto) { return n + 63u; }, tg::cluster<2>));
  CHECK_FALSE(is_alike([](auto block, auto, auto x, auto) { return x(block.index.x) + 1u; }, tg::cluster<2>));
  CHECK_FALSE(is_alike([](auto block, auto, auto, auto y) { return tg::let(y(block.index.y)); }, tg::cluster<2>));
  CHECK_FALSE(is_alike([](auto block, auto, auto, auto) { return block.thread.x + 1u; }, tg::cluster<2>));
  CHECK_FALSE(is_alike([](auto block, auto, auto, auto) { return block.cluster().rank + 1u; }, tg::cluster<2>));
  CHECK_FALSE(is_alike(
      [](auto, auto n, auto, auto) {
        tg::var<unsigned> own = n;
        tg::if_(n > 3u, [&] { own += 1u; });
        return own.get();
      },
      tg::cluster<2>));
}

TEST_CASE("counters of loops are alike where begin and step are") {
  const auto in_loop = [](auto start) {
    bool out = false;
    (void)tg::to_ptx(
        tg::kernel<"k">(tg::block<64> | tg::cluster<2>, [&](auto block, tg::scalar<unsigned> n, tg::out<unsigned> y) {
          tg::for_(tg::range(start(block, n), n, 2_c), [&](auto k) {
            out = tg::detail::is_alike_in_cluster(tg::detail::tracer::current().recorded(),
                                                  tg::detail::operand_of<unsigned>(k * 64_c + n));
            y(block.thread.x) = tg::cast<unsigned>(k);
          });
        }));
    return out;
  };
  CHECK(in_loop([](auto, auto n) { return n / 2u; }));
  CHECK_FALSE(in_loop([](auto block, auto) { return block.index.x + 0u; }));
}

namespace {

/// How many of `cases` random numbers the recorder takes to be alike in clusters of these extents. Each of those has to be
/// one number in all blocks of each cluster, as the emulator runs it.
template <unsigned X, unsigned Y, unsigned Z> int check_random(int cases) {
  tg::device gpu("emulator");
  int alike = 0;
  for (int at = 0; at < cases; ++at) {
    const std::uint32_t seed = random_seed();
    bool is_alike = false;
    const auto kernel = tg::kernel<"numbers">(
        tg::block<32> | tg::cluster<X, Y, Z>, [&](auto block, tg::scalar<unsigned> n, tg::out<unsigned> y) {
          const auto leaf = [](const auto& x) { return tg::value<unsigned>{tg::detail::operand_of<unsigned>(x)}; };
          const tg::value<unsigned> made =
              random_number(seed, {leaf(block.index.x), leaf(block.index.y), leaf(block.index.z), leaf(block.grid.x), leaf(n),
                                   leaf(block.index.x / 2_c), leaf(block.index.y / 4_c), leaf(block.index.x / 3_c),
                                   seed % 5 == 0 ? leaf(block.thread.x) : leaf(n)})
                  .make(4);
          is_alike = tg::detail::is_alike_in_cluster(tg::detail::tracer::current().recorded(), made.operand);
          const auto number = (block.index.z * block.grid.y + block.index.y) * block.grid.x + block.index.x;
          y(tg::gather(number * 32u + block.thread.x)) = made;
        });
    const std::vector<unsigned> start(8 * 4 * 4 * 32);
    auto y = gpu.upload(start);
    gpu.launch(kernel, tg::grid(8, 4, 4), seed % 50, y);
    if (!is_alike) continue;
    ++alike;
    const auto got = y.to_host();
    const auto at_block = [&](unsigned i, unsigned j, unsigned k) { return got[((k * 4 + j) * 8 + i) * 32]; };
    bool is_one = true;
    for (unsigned k = 0; k < 4; ++k)
      for (unsigned j = 0; j < 4; ++j)
        for (unsigned i = 0; i < 8; ++i) is_one = is_one && at_block(i, j, k) == at_block(i - i % X, j - j % Y, k - k % Z);
    INFO("seed ", seed);
    CHECK(is_one);
  }
  return alike;
}

}  // namespace

TEST_CASE("random numbers that are taken to be alike are one number in each cluster") {
  CHECK(check_random<2, 1, 1>(150) > 10);
  CHECK(check_random<4, 1, 1>(150) > 10);
  CHECK(check_random<1, 2, 1>(150) > 10);
  CHECK(check_random<2, 2, 1>(150) > 5);
  CHECK(check_random<1, 1, 4>(150) > 10);
}
