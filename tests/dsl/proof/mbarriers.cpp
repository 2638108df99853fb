#include <tg/dsl/proof/mbarriers.hpp>

#include <algorithm>

#include <doctest/doctest.h>

namespace pf = tg::proof;

namespace {

constexpr pf::mbarrier_phase_at full{.variable = 3, .offset = 8};

pf::path some(std::initializer_list<std::size_t> who, bool are_sure = true) {
  pf::path out;
  out.may = out.must = {};
  for (const std::size_t t : who) out.may[t] = true;
  if (are_sure) out.must = out.may;
  return out;
}

// One barrier of one arrival, that thread 5 has arrived at and copied to.
pf::mbarriers filled(pf::number expected, pf::number copied) {
  pf::mbarriers m;
  m.init(full, 1, true);
  m.arrive(full, expected, some({5}), true);
  CHECK(m.copy(full, copied, some({5}), true).phase == (copied <= expected ? 0 : -1));
  return m;
}

}  // namespace

TEST_CASE("the arrivals of one thread number the phases, and so do the waits of each") {
  auto m = filled(64, 64);
  CHECK(m.wait(full, 0, some({0, 5}), true).phase == 0);
  m.arrive(full, 32, some({5}), true);
  CHECK(m.copy(full, 16, some({5}), true).phase == 1);
  CHECK(m.copy(full, 16, some({5}), true).phase == 1);
  CHECK(m.wait(full, 0, some({7}), true).phase == 0);
  CHECK(m.wait(full, 1, some({0, 5, 7}), true).phase == 1);
  CHECK_FALSE(m.were_misjudged());
}

TEST_CASE("another parity, other bytes, threads of other turns, doubtful ways and loops are not followed") {
  CHECK(filled(64, 64).wait(full, 1, some({0}), true).phase == -1);
  CHECK(filled(64, 32).wait(full, 0, some({0}), true).phase == -1);
  CHECK(filled(64, 128).wait(full, 0, some({0}), true).phase == -1);
  CHECK(filled(64, 64).wait(full, 0, some({0}, false), true).phase == -1);
  CHECK(filled(64, 64).wait(full, 0, some({0}), false).phase == -1);
  auto uneven = filled(64, 64);
  CHECK(uneven.wait(full, 0, some({0}), true).phase == 0);
  CHECK(uneven.wait(full, 0, some({0, 1}), true).phase == -1);
}

TEST_CASE("what is told is taken back when another thread arrives, or a barrier that is not known is used") {
  auto other = filled(64, 64);
  CHECK_FALSE(other.were_misjudged());
  other.arrive(full, 0, some({6}), true);
  CHECK(other.were_misjudged());
  auto any = filled(64, 64);
  any.lose_all();
  CHECK(any.were_misjudged());
  pf::mbarriers many;
  many.init(full, 64, true);
  many.arrive(full, 64, some({5}), true);
  CHECK(many.copy(full, 64, some({5}), true).phase == -1);
  CHECK_FALSE(many.were_misjudged());
}

TEST_CASE("one period of a loop stands for all where arrivals and waits are as many, and even") {
  // Two phases in the period, of which `waited` are waited for by threads 0 and 5.
  const auto after_period = [](int arrivals, int waits) {
    auto m = filled(64, 64);
    const auto before = m.now();
    for (int k = 0; k < std::max(arrivals, waits); ++k) {
      if (k < waits) m.wait(full, k % 2, some({0, 5}), true);
      if (k < arrivals) m.arrive(full, 64, some({5}), true), m.copy(full, 64, some({5}), true);
    }
    m.end_period(before);
    return m.were_misjudged();
  };
  CHECK_FALSE(after_period(2, 2));
  CHECK_FALSE(after_period(4, 4));
  CHECK(after_period(1, 1));
  CHECK(after_period(2, 1));
  CHECK(after_period(2, 0));
}

TEST_CASE("behind a loop, and behind a wait for any parity, nothing is known of a barrier and what was told stays") {
  auto looped = filled(64, 64);
  const auto before = looped.now();
  CHECK(looped.wait(full, 0, some({0, 5}), true).phase == 0);
  looped.close(before);
  CHECK(looped.wait(full, 1, some({0, 5}), true).phase == -1);
  CHECK_FALSE(looped.were_misjudged());
  looped.arrive(full, 64, some({5}), true);
  CHECK(looped.were_misjudged());

  auto any = filled(64, 64);
  CHECK(any.wait(full, -1, some({0, 5}), true).phase == -1);
  CHECK(any.wait(full, 0, some({0, 5}), true).phase == -1);
  CHECK_FALSE(any.were_misjudged());

  auto other = filled(64, 64);
  other.close(other.now());
  CHECK(other.wait(full, 0, some({0, 5}), true).phase == 0);
}
