#include <tg/emulator/check/thread_order.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator::check;

namespace {

/// What a thread did before now happened before what another one does now.
struct moment {
  warp_name warp;
  std::uint32_t lane;
  std::uint32_t epoch;
};

moment now(const thread_order& t, std::uint32_t warp, std::uint32_t lane) { return {t.name(warp), lane, t.epoch(warp, lane)}; }

bool knows(const thread_order& t, std::uint32_t warp, std::uint32_t lane, const moment& m) {
  const clock_pointer& known = t.known(warp, lane);
  return known != nullptr && known->covers(m.warp, 1u << m.lane, m.epoch);
}

const memory_order relaxed{.is_strong = true};
const memory_order fence{.acquires = true, .releases = true};
const memory_order block_fence{.acquires = true, .releases = true, .scope = scope::block};

}  // namespace

TEST_CASE("a barrier orders those who pass it, once") {
  thread_order t(0, 2);
  const moment before = now(t, 0, 5);
  CHECK_FALSE(knows(t, 1, 3, before));
  t.arrive(0, 0, ~0u);
  t.arrive(0, 1, ~0u);
  const clock_pointer learned = t.open(0);
  t.leave(learned, 0, ~0u);
  t.leave(learned, 1, ~0u);
  CHECK(knows(t, 1, 3, before));
  CHECK_FALSE(knows(t, 1, 3, now(t, 0, 5)));
}

TEST_CASE("a warp barrier orders its lanes only") {
  thread_order t(0, 2);
  const moment member = now(t, 0, 1), other = now(t, 0, 20);
  t.meet(0, 0xffff);
  CHECK(knows(t, 0, 2, member));
  CHECK_FALSE(knows(t, 0, 2, other));
  CHECK_FALSE(knows(t, 1, 2, member));
}

TEST_CASE("fence, flag, fence orders two blocks; less does not") {
  for (const int missing : {0, 1, 2}) {
    CAPTURE(missing);
    thread_order writer(0, 1), reader(7, 1);
    publication flag;
    const moment data = now(writer, 0, 0);
    if (missing != 1) writer.fence(0, 1, fence);
    writer.write(flag, 0, 0, relaxed, false);
    reader.read(flag, 0, 9, relaxed);
    if (missing != 2) reader.fence(0, 1u << 9, fence);
    CHECK(knows(reader, 0, 9, data) == (missing == 0));
  }
}

TEST_CASE("a scope of one block reaches no other block") {
  thread_order writer(0, 1), same(0, 1), other(1, 1);
  publication flag;
  const moment data = now(writer, 0, 0);
  writer.fence(0, 1, block_fence);
  writer.write(flag, 0, 0, relaxed, false);
  same.read(flag, 0, 9, relaxed);
  same.fence(0, 1u << 9, block_fence);
  other.read(flag, 0, 9, relaxed);
  other.fence(0, 1u << 9, fence);
  CHECK(knows(same, 0, 9, data));
  CHECK_FALSE(knows(other, 0, 9, data));
}

TEST_CASE("what is released travels along a chain of atomics, and ends at another's plain flag") {
  thread_order a(0, 1), b(1, 1), c(2, 1);
  publication counter;
  const moment data = now(a, 0, 0);
  a.fence(0, 1, fence);
  a.write(counter, 0, 0, relaxed, true);
  b.read(counter, 0, 0, relaxed);
  b.write(counter, 0, 0, relaxed, true);
  c.read(counter, 0, 0, {.is_strong = true, .acquires = true});
  CHECK(knows(c, 0, 0, data));
  CHECK_FALSE(knows(b, 0, 0, data));
  thread_order d(3, 1);
  b.write(counter, 0, 0, relaxed, false);
  d.read(counter, 0, 0, {.is_strong = true, .acquires = true});
  CHECK_FALSE(knows(d, 0, 0, data));
}

TEST_CASE("a copy is over for those who waited for its ticket") {
  thread_order t(0, 1);
  const warp_name copies = warp_name{0, 0}.beside(engine::copies);
  t.learn(0, 4, copies, 1u << 4, 2);
  CHECK(t.known(0, 4)->covers(copies, 1u << 4, 2));
  CHECK_FALSE(t.known(0, 4)->covers(copies, 1u << 4, 3));
  t.meet(0, ~0u);
  CHECK(t.known(0, 5)->covers(copies, 1u << 4, 2));
}

TEST_CASE("what was written before a proxy fence is seen by the async proxy, for all who learn of the fence") {
  thread_order t(0, 2);
  constexpr memory_order proxy{.joins_proxy_of_shared = true};
  const auto sees = [&](std::uint32_t warp, std::uint32_t lane, std::uint32_t of_lane, std::uint32_t epoch) {
    return t.until_now(warp, lane)->covers(warp_name{0, 0}.beside(engine::proxy_of_shared), 1u << of_lane, epoch);
  };
  const std::uint32_t before = t.epoch(0, 3);
  CHECK_FALSE(sees(0, 3, 3, before));
  t.fence(0, 1u << 3, proxy);
  CHECK(sees(0, 3, 3, before));
  CHECK_FALSE(sees(0, 3, 3, t.epoch(0, 3)));
  CHECK_FALSE(sees(1, 0, 3, before));
  for (const std::uint32_t warp : {0u, 1u}) t.arrive(0, warp, ~0u);
  const auto learned = t.open(0);
  for (const std::uint32_t warp : {0u, 1u}) t.leave(learned, warp, ~0u);
  CHECK(sees(1, 0, 3, before));
  CHECK_FALSE(sees(1, 0, 4, before));
  t.fence(1, 1u, proxy);
  CHECK(sees(1, 0, 4, before));
}

TEST_CASE("a united block and one whose warps pass the barriers one by one know the same") {
  thread_order together(3, 2, 40), single(3, 2, 40);
  const std::uint32_t lanes[] = {~0u, 0xff};
  const auto pass = [&](thread_order& t) {
    for (const std::uint32_t w : {0u, 1u}) t.arrive(0, w, lanes[w]);
    const auto learned = t.open(0);
    for (const std::uint32_t w : {0u, 1u}) t.leave(learned, w, lanes[w]);
  };
  const auto agree = [&] {
    for (const std::uint32_t w : {0u, 1u})
      for (const std::uint32_t from : {0u, 1u})
        for (std::uint32_t epoch = 0; epoch < 20; ++epoch) {
          CHECK(together.epoch(w, 3) == single.epoch(w, 3));
          CHECK(knows(together, w, 3, {{3, from}, 5, epoch}) == knows(single, w, 3, {{3, from}, 5, epoch}));
        }
  };
  CHECK(together.is_united());
  for (int k = 0; k < 3; ++k) {
    together.pass_united();
    pass(single);
    agree();
  }
  CHECK_FALSE(single.is_united());
  single.unite();
  CHECK(single.is_united());
  together.meet(1, 0xff);
  CHECK_FALSE(together.is_united());
  CHECK(together.is_united(1, 0xff));
  together.unite();
  CHECK_FALSE(together.is_united());  // warp 1 is a step further
  single.meet(1, 0xff);
  agree();
  for (thread_order* const t : {&together, &single}) {
    t->meet(0, ~0u);
    pass(*t);
    t->unite();
    CHECK(t->is_united());
  }
  agree();
  together.pass_united();
  pass(single);
  agree();
}

TEST_CASE("lanes at different moments are not united") {
  thread_order t(0, 1);
  CHECK(t.is_united(0, ~0u));
  CHECK_FALSE(t.has_released(0, 4));
  t.fence(0, 1u << 4, fence);
  CHECK(t.has_released(0, 4));
  CHECK_FALSE(t.is_united(0, ~0u));
  CHECK(t.is_united(0, 0xf));
}
