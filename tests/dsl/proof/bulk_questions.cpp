#include <tg/dsl/proof/bulk_questions.hpp>

#include <tg/dsl/bulk/bulk_ring.hpp>
#include <tg/dsl/bulk/tensor_copy.hpp>
#include <tg/dsl/cluster/roles.hpp>

#include "planted.hpp"

using planted::check_proved, planted::check_refuted, planted::check_unknown;
using tg::question;
using namespace tg::literals;

namespace {

// A tile is filled by one copy; `between` says what happens between the copy and the read.
template <class Between> auto filled(Between between) {
  return [between](auto block, auto x, auto y, auto...) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    auto full = tg::mbarriers<1>(block, 1);
    block.sync();
    auto phase = full.phase(0_c);
    tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::bulk_copy(tile, x, block.index.x * 64_c)); });
    between(block, phase, tile);
    y(block.global_index()) = tile(block.thread.x ^ 1u);
  };
}

// A tile is written by the threads and stored by one of them; `between` in front of the store, `behind` it in its thread.
template <class Between, class Behind> auto stored(Between between, Behind behind) {
  return [between, behind](auto block, auto x, auto y, auto...) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    tile(block.thread.x) = x(block.global_index());
    between(block);
    tg::if_(block.thread.x == 0u, [&] {
      tg::bulk_store(y, block.index.x * 64_c, tile);
      behind(tg::bulk_groups<>().commit());
    });
    block.sync();
    tile(block.thread.x) = 0.0f;
  };
}
const auto fence_and_meet = [](auto block) {
  tg::fence_async_proxy();
  block.sync();
};
// Nobody meets: the store races with the writes, and does not see them.
template <class Statements> void check_unmet(Statements statements) {
  const auto a = planted::analyze<tg::block_t<64>>(statements);
  INFO(a.text());
  CHECK_FALSE(a.is_proved(question::async_copy));
  CHECK_FALSE(a.is_proved(question::shared_race));
  CHECK(planted::thrown(a) != 0);
}
const auto wait_read = [](auto groups) { (void)groups.wait_read(); };

}  // namespace

TEST_CASE("a copy is there for those who wait for its phase") {
  check_proved(filled([](auto, auto& phase, const auto&) { (void)phase.wait(); }));
}

TEST_CASE("a copy that nobody waits for, or that is waited for behind the read, is found") {
  check_refuted(question::async_copy, 0, 0, filled([](auto block, auto&, const auto&) { block.sync(); }));
  check_refuted(question::async_copy, 0, 0, filled([](auto block, auto& phase, const auto& tile) {
                  tg::var<float> early = tile(block.thread.x);
                  (void)phase.wait();
                  tile(block.thread.x) = early + 1.0f;
                  block.sync();
                }));
}

TEST_CASE("a wait of some threads is no wait of the others, until they meet") {
  check_unknown(question::async_copy, filled([](auto block, auto& phase, const auto&) {
                  tg::if_(block.thread.x >= 32u, [&] { (void)phase.wait(); });
                }));
  check_proved(filled([](auto block, auto& phase, const auto&) {
    tg::if_(block.thread.x < 32u, [&] { (void)phase.wait(); });
    block.sync();
  }));
}

TEST_CASE("a tile that is filled again while others read it is found") {
  const auto twice = [](bool meets) {
    return [meets](auto block, auto x, auto y, auto...) {
      const auto tile = tg::shared<float>(tg::shape<64>);
      auto full = tg::mbarriers<1>(block, 1);
      block.sync();
      auto phase = full.phase(0_c);
      const auto fill = [&](auto part) {
        tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::bulk_copy(tile, x, block.index.x * 128_c + part * 64_c)); });
      };
      fill(0_c);
      auto next = phase.wait();
      const auto first = tg::let(tile(block.thread.x ^ 1u));
      if (meets) block.sync();
      fill(1_c);
      (void)next.wait();
      y(block.global_index()) = first + tile(block.thread.x ^ 1u);
    };
  };
  check_proved(twice(true));
  check_refuted(question::shared_race, 0, 0, twice(false));
}

TEST_CASE("barriers that are used before the threads met behind their initialisation are found") {
  check_refuted(question::shared_race, 0, 0, [](auto block, auto x, auto y, auto...) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    auto full = tg::mbarriers<1>(block, 1);
    auto phase = full.phase(0_c);
    tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::bulk_copy(tile, x, 0u)); });
    (void)phase.wait();
    y(block.global_index()) = tile(block.thread.x);
  });
}

TEST_CASE("what threads wrote is behind a fence before a bulk copy reads it, and written again behind a wait") {
  check_proved(stored(fence_and_meet, wait_read));
  check_refuted(question::async_copy, 0, 0, stored([](auto block) { block.sync(); }, wait_read));
  check_refuted(question::async_copy, 0, 0,
                stored(
                    [](auto block) {
                      block.sync();
                      tg::fence_async_proxy();
                    },
                    wait_read));
  check_refuted(question::async_copy, 0, 0, stored(fence_and_meet, [](auto groups) { (void)groups; }));
  check_unmet(stored([](auto) { tg::fence_async_proxy(); }, wait_read));
}

TEST_CASE("a barrier that some launches leave out is none for the async proxy") {
  check_unknown(question::async_copy, [](auto block, auto x, auto y, auto, auto, auto n, auto) {
    const auto tile = tg::shared<float>(tg::shape<64>);
    tile(block.thread.x) = x(block.global_index());
    tg::fence_async_proxy();
    tg::if_(n > 5u, [&] { block.sync(); });
    block.sync();
    tg::if_(n > 7u, [&] { tile(block.thread.x) = 2.0f; });
    tg::fence_async_proxy();
    tg::if_(n > 8u, [&] { block.sync(); });
    tg::if_(block.thread.x == 0u, [&] {
      tg::bulk_store(y, block.index.x * 64_c, tile);
      tg::bulk_groups<>().commit().wait();
    });
  });
}

TEST_CASE("a fence that some launches leave out is none") {
  const auto fenced = [](bool always) {
    return [always](auto block, auto x, auto y, auto, auto, auto n, auto) {
      const auto tile = tg::shared<float>(tg::shape<64>);
      tg::if_(block.thread.x < n, [&] { tile(block.thread.x) = x(block.global_index()); }).else_([&] {
        tile(block.thread.x) = 0.0f;
      });
      if (always) tg::fence_async_proxy();
      else tg::if_(n > 5u, [&] { tg::fence_async_proxy(); });
      block.sync();
      tg::if_(block.thread.x == 0u, [&] {
        tg::bulk_store(y, block.index.x * 64_c, tile);
        tg::bulk_groups<>().commit().wait();
      });
    };
  };
  check_proved(fenced(true));
  const auto a = planted::analyze<tg::block_t<64>>(fenced(false));
  INFO(a.text());
  CHECK_FALSE(a.is_proved(question::async_copy));
}

TEST_CASE("bytes that are not those of the copies, and the parity of another phase, are found") {
  const auto raw = [](unsigned bytes, int parity) {
    return [bytes, parity](auto block, auto x, auto y, auto...) {
      const auto tile = tg::shared<float>(tg::shape<64>);
      auto full = tg::mbarriers<1>(block, 1);
      block.sync();
      const auto where = tg::source_location::current();
      tg::if_(block.thread.x == 0u, [&] {
        tg::detail::arrive_at(full.address(0, where), bytes, false, where);
        tg::bulk_copy(tile, x, block.index.x * 64_c).begin(full.address(0, where), where);
      });
      tg::detail::wait_at(full.address(0, where), tg::ptx::operand::integer(parity), false, where);
      y(block.global_index()) = tile(block.thread.x ^ 1u);
    };
  };
  check_proved(raw(256, 0));
  check_refuted(question::barrier, 0, 0, raw(128, 0));
  check_refuted(question::barrier, 0, 0, raw(512, 0));
  check_refuted(question::async_copy, 0, 0, raw(256, 1));
}

TEST_CASE("a warp that stands first in the text may wait for what a later one does: a race is not refuted") {
  const auto handed = [](bool comes_back) {
    return [comes_back](auto block, auto x, auto y, auto...) {
      const auto tile = tg::shared<float>(tg::shape<32>);
      auto full = tg::mbarriers<1>(block, 32_c);
      auto empty = tg::mbarriers<1>(block, 32_c);
      block.sync();
      const auto t = block.thread.x;
      tg::if_(t < 32u, [&] {
        if (comes_back) {
          (void)full.phase(0_c).wait();
          y(t) = tile(31_c - t);
        } else {
          y(t) = tile(31_c - t);
          empty.arrive(0);
        }
      }).else_([&] {
        tile(t - 32_c) = x(t);
        full.arrive(0);
      });
    };
  };
  check_unknown(question::shared_race, handed(true));
  const auto unordered = planted::analyze<tg::block_t<64>>(handed(false));
  INFO(unordered.text());
  CHECK_FALSE(unordered.refuted().empty());
}

TEST_CASE("a read in front of all writes of the text is no read of what nobody wrote, where it waits for them") {
  check_unknown(question::initialized, [](auto block, auto x, auto y, auto...) {
    const auto tile = tg::shared<float>(tg::shape<32>);
    auto full = tg::mbarriers<1>(block, 1);
    block.sync();
    tg::roles(block, tg::warp_role<1>([&](auto reader) {
                (void)full.phase(0_c).wait();
                y(reader.thread) = tile(31_c - reader.thread);
              }),
              tg::warp_role<1>(
                  [&](auto writer) { tg::if_(writer.thread == 0u, [&] { full.expect(0, tg::bulk_copy(tile, x, 0u)); }); }));
  });
}

TEST_CASE("an arrival of another warp, later in the text, may have ended the phase before") {
  const auto two_roles = [](bool intrudes) {
    return [intrudes](auto block, auto x, auto y, auto...) {
      const auto tile = tg::shared<float>(tg::shape<64>);
      auto full = tg::mbarriers<1>(block, 1);
      const auto own = tg::mbarriers<1>(block, 1);
      block.sync();
      auto phase = full.phase(0_c);
      const auto t = block.thread.x;
      tg::if_(t < 64u, [&] {
        tg::if_(t == 0u, [&] { full.expect(0, tg::bulk_copy(tile, x, 0u)); });
        (void)phase.wait();
        y(block.index.x * 64_c + t) = tile(t ^ 1u);
      }).else_([&] { tg::if_(t == 64u, [&] { (intrudes ? full : own).arrive(0); }); });
    };
  };
  check_proved<tg::block_t<96>>(two_roles(false));
  check_unknown<tg::block_t<96>>(question::async_copy, two_roles(true));
}

TEST_CASE("of rings nothing is refuted and races are not proved") {
  check_unknown<tg::block_t<96>>(question::shared_race, [](auto block, auto x, auto y, auto...) {
    const auto ring = tg::bulk_ring<2>(block, tg::consumer_warps<2>);
    const auto tiles = tg::stages<float, 2>(tg::shape<1, 64>);
    block.sync();
    tg::roles(block, tg::warp_role<2>([&](auto consumer) {
                tg::var<float> sum = 0.0f;
                auto reads = ring.consumer();
                tg::for_(tg::range(9u), [&](auto) {
                  const auto stage = reads.next();
                  sum += tiles.read(stage)(0_c, consumer.thread);
                  stage.release(consumer.warp());
                });
                y(block.index.x * 64_c + consumer.thread) = sum;
              }),
              tg::warp_role<1>([&](auto producer) {
                tg::if_(producer.thread == 0u, [&] {
                  auto fills = ring.producer();
                  tg::for_(tg::range(9u), [&](auto k) {
                    const auto stage = fills.next();
                    stage.fill(tg::bulk_copy(tiles.fill(stage.index), x, k * 64_c));
                  });
                });
              }));
  });
}

TEST_CASE("tensor copies of whole tiles are followed, those of stages are not") {
  using map = tg::in_map<float, tg::shape<2, 32>>;
  const auto record = [](bool waits) {
    return tg::analyze(tg::kernel<"k">(tg::block<64>, [waits](auto block, map x, tg::out<float> y) {
      const auto tile = tg::shared<float>(tg::shape<2, 32>);
      auto full = tg::mbarriers<1>(block, 1);
      block.sync();
      auto phase = full.phase(0_c);
      tg::if_(block.thread.x == 0u, [&] { full.expect(0, tg::tensor_copy(tile, x(block.index.x, 0))); });
      if (waits) (void)phase.wait();
      else block.sync();
      y(block.global_index()) = tile(block.thread.x / 32_c, block.thread.x % 32_c);
    }));
  };
  const auto right = record(true);
  INFO(right.text());
  CHECK(right.refuted().empty());
  CHECK(right.race_free());
  const auto wrong = record(false);
  INFO(wrong.text());
  CHECK(wrong.refuted().size() == 1);
  CHECK(planted::thrown(wrong) == 234);
}
