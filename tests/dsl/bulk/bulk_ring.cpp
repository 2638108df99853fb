#include <tg/dsl/bulk/bulk_ring.hpp>

#include "../word.hpp"

#include <tg/dsl/bulk/bulk_copy.hpp>
#include <tg/dsl/cluster/roles.hpp>
#include <tg/dsl/value/uniform.hpp>

using namespace tg::literals;

namespace {

using with_producer = tg::block_t<96, 1, 1>;

// Each block sums `parts` parts of 256 numbers, that its producer warp copies one after the other through `Stages` stages.
template <int Stages, class Consumers> std::vector<unsigned> sums(const std::vector<unsigned>& x, unsigned parts) {
  return word::run<with_producer, unsigned>(
      [parts](auto block, auto from, auto to) {
        const auto ring = tg::bulk_ring<Stages>(block, Consumers{});
        const auto tiles = tg::stages<unsigned, Stages>(tg::shape<4, 64>);
        block.sync();
        tg::roles(block, tg::warp_role<2>([&](auto consumer) {
                    tg::var<unsigned> sum = 0u;
                    auto reads = ring.consumer();
                    tg::for_(tg::range(parts), [&](auto) {
                      const auto stage = reads.next();
                      const auto tile = tiles.read(stage);
                      for (int row = 0; row < 4; ++row) sum += tile(tg::uniform(row), consumer.thread);
                      if constexpr (tg::is_consumer_warps<Consumers>) stage.release(consumer.warp());
                      else stage.release();
                    });
                    to(block.index.x * 64_c + consumer.thread) = sum;
                  }),
                  tg::warp_role<1>([&](auto producer) {
                    tg::if_(producer.thread == 0u, [&] {
                      auto fills = ring.producer();
                      tg::for_(tg::range(parts), [&](auto k) {
                        const auto stage = fills.next();
                        stage.fill(tg::bulk_copy(tiles.fill(stage.index), from, (block.index.x * parts + k) * 256_c));
                      });
                    });
                  }));
      },
      x, 3);
}

template <int Stages, class Consumers> void check(unsigned parts) {
  const auto x = word::random_words<unsigned>(3 * parts * 256);
  const auto y = sums<Stages, Consumers>(x, parts);
  for (std::size_t i = 0; i < 3 * 64; ++i) {
    unsigned want = 0;
    for (std::size_t k = 0; k < 4 * parts; ++k) want += x[i / 64 * parts * 256 + k * 64 + i % 64];
    CHECK(y[i] == want);
  }
}

}  // namespace

TEST_CASE("a ring hands stages from the producer to the consumers and back, for any number of rounds") {
  check<1, tg::consumer_warps_t<2>>(3);
  check<2, tg::consumer_threads_t<64>>(5);
  check<3, tg::consumer_warps_t<2>>(1);
  check<3, tg::consumer_warps_t<2>>(10);
  check<4, tg::consumer_threads_t<64>>(9);
}

TEST_CASE("a consumer that does not hand a stage back lets the producer wait, and the emulator says so") {
  const auto run = [] {
    (void)word::run<with_producer, unsigned>(
        [](auto block, auto from, auto to) {
          const auto ring = tg::bulk_ring<2>(block, tg::consumer_threads<64>);
          const auto tiles = tg::stages<unsigned, 2>(tg::shape<1, 64>);
          block.sync();
          tg::roles(block, tg::warp_role<2>([&](auto consumer) {
                      auto reads = ring.consumer();
                      tg::for_(tg::range(5u), [&](auto k) {
                        const auto stage = reads.next();
                        to(k * 64_c + consumer.thread) = tiles.read(stage)(0_c, consumer.thread);
                      });
                    }),
                    tg::warp_role<1>([&](auto producer) {
                      tg::if_(producer.thread == 0u, [&] {
                        auto fills = ring.producer();
                        tg::for_(tg::range(5u), [&](auto k) {
                          const auto stage = fills.next();
                          stage.fill(tg::bulk_copy(tiles.fill(stage.index), from, k * 64_c));
                        });
                      });
                    }));
        },
        word::random_words<unsigned>(5 * 64), 1);
  };
  word::check_is_objected(run);
}

TEST_CASE("a stage that is filled again before it is handed back is found by the emulator") {
  const auto run = [](bool waits) {
    const auto x = word::random_words<unsigned>(5 * 64);
    const auto y = word::run<with_producer, unsigned>(
        [waits](auto block, auto from, auto to) {
          const auto tile = tg::shared<unsigned>(tg::shape<64>);
          auto full = tg::mbarriers<1>(block, 1);
          auto empty = tg::mbarriers<1>(block, 64_c);
          block.sync();
          tg::roles(block, tg::warp_role<2>([&](auto consumer) {
                      auto first = full.phase(0_c);
                      auto second = first.wait();
                      to(consumer.thread) = tile(consumer.thread);
                      empty.arrive(0);
                      (void)second.wait();
                      to(consumer.thread + 64_c) = tile(consumer.thread);
                    }),
                    tg::warp_role<1>([&](auto producer) {
                      tg::if_(producer.thread == 0u, [&] {
                        full.expect(0, tg::bulk_copy(tile, from, 0u));
                        if (waits) (void)empty.phase(0_c).wait();
                        full.expect(0, tg::bulk_copy(tile, from, 64u));
                      });
                    }));
        },
        x, 1);
    for (std::size_t i = 0; i < 128; ++i) CHECK(y[i] == x[i]);
  };
  run(true);
  word::check_is_objected([&] { run(false); });
}

TEST_CASE("a place in the ring that each turn of a loop would begin anew is refused") {
  const auto record = [] {
    (void)tg::lower(tg::kernel<"k">(tg::block<32>, [](auto block, tg::in<unsigned> x, tg::out<unsigned> y) {
      const auto ring = tg::bulk_ring<2>(block, tg::consumer_threads<32>);
      const auto tiles = tg::stages<unsigned, 2>(tg::shape<1, 32>);
      block.sync();
      tg::for_(tg::range(5u), [&](auto k) {
        tg::if_(block.thread.x == 0u, [&] {
          const auto stage = ring.producer().next();
          stage.fill(tg::bulk_copy(tiles.fill(stage.index), x, k * 32_c));
        });
      });
      y(block.thread.x) = 1u;
    }));
  };
  CHECK_THROWS_WITH_AS(record(), doctest::Contains("TG147"), tg::error);
}

TEST_CASE("a stage that is read or released behind its release is refused, one that a branch releases is not") {
  enum { right, read_late, released_twice, released_in_branch };
  const auto record = [](int how) {
    (void)tg::lower(
        tg::kernel<"k">(tg::block<64>, [how](auto block, tg::in<unsigned> x, tg::out<unsigned> y, tg::scalar<unsigned> n) {
          const auto ring = tg::bulk_ring<2>(block, tg::consumer_threads<32>);
          const auto tiles = tg::stages<unsigned, 2>(tg::shape<1, 32>);
          block.sync();
          tg::roles(block, tg::warp_role<1>([&](auto consumer) {
                      auto reads = ring.consumer();
                      tg::for_(tg::range(5u), [&](auto k) {
                        const auto stage = reads.next();
                        if (how == read_late) stage.release();
                        if (how == released_in_branch) tg::if_(n > 5u, [&] { stage.release(); });
                        y(k * 32_c + consumer.thread) = tiles.read(stage)(0_c, consumer.thread);
                        if (how == released_in_branch) tg::if_(n <= 5u, [&] { stage.release(); });
                        else if (how != read_late) stage.release();
                        if (how == released_twice) stage.release();
                      });
                    }),
                    tg::warp_role<1>([&](auto producer) {
                      tg::if_(producer.thread == 0u, [&] {
                        auto fills = ring.producer();
                        tg::for_(tg::range(5u), [&](auto k) {
                          const auto stage = fills.next();
                          stage.fill(tg::bulk_copy(tiles.fill(stage.index), x, k * 32_c));
                        });
                      });
                    }));
        }));
  };
  CHECK_NOTHROW(record(right));
  CHECK_NOTHROW(record(released_in_branch));
  CHECK_THROWS_WITH_AS(record(read_late), doctest::Contains("TG147"), tg::error);
  CHECK_THROWS_WITH_AS(record(released_twice), doctest::Contains("TG147"), tg::error);
}
