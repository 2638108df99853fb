#include <tg/dsl/proof/named_barriers.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

namespace {

pf::threads some(std::size_t first, std::size_t count) { return pf::first_threads(count) << first; }

/// `who` come for certain.
pf::coming come(std::uint32_t instruction, int id, int count, const pf::threads& who, bool is_arrival = false) {
  return {.instruction = instruction,
          .id = id,
          .count = count,
          .is_arrival = is_arrival,
          .must = who,
          .may = who,
          .is_certain = true,
          .is_sure_to_come = true};
}

}  // namespace

TEST_CASE("the same threads, as many as the barrier waits for, may come as often as they like") {
  pf::named_barriers all;
  pf::coming again = come(1, 1, 32, some(32, 32));
  again.is_certain = false;  // in a loop
  all.come(again);
  again.instruction = 2;
  all.come(again);
  CHECK(all.is_simple(1));
  CHECK_FALSE(all.is_simple(2));
  CHECK(all.judge().at(1).what == tg::answer::proved);
  again.may.set(0);
  all.come(again);
  CHECK_FALSE(all.is_simple(1));
  CHECK(all.judge().at(2).what == tg::answer::unknown);
}

TEST_CASE("too few threads wait for ever") {
  pf::named_barriers all;
  all.come(come(1, 1, 64, some(0, 32)));
  CHECK(all.judge().at(1).what == tg::answer::refuted);
  all.come(come(2, 1, 64, some(32, 32)));
  CHECK(all.judge().at(1).what == tg::answer::proved);
  CHECK(all.judge().at(2).what == tg::answer::proved);
  CHECK_FALSE(all.is_simple(1));
  all.come(come(3, 0, 64, some(0, 64)));
  CHECK(all.judge().size() == 2);
}

TEST_CASE("arrivals count, and those that are left over keep nobody waiting") {
  pf::named_barriers all;
  all.come(come(1, 1, 96, some(0, 64), true));
  CHECK(all.judge().at(1).what == tg::answer::unknown);
  all.come(come(2, 1, 96, some(64, 32)));
  CHECK(all.judge().at(2).what == tg::answer::proved);
}

TEST_CASE("two arrivals of one warp may end one phase together") {
  const pf::threads producer = some(0, 32), consumer = some(32, 32);
  const auto judged = [&](bool is_answered) {
    pf::named_barriers all;
    for (std::uint32_t round = 0; round < 2; ++round) {
      all.come(come(4 * round + 1, 1, 64, producer, true));
      all.come(come(4 * round + 2, 1, 64, consumer));
      if (!is_answered) continue;
      all.come(come(4 * round + 3, 2, 64, consumer, true));
      all.come(come(4 * round + 4, 2, 64, producer));
    }
    return all.judge();
  };
  CHECK(judged(true).at(2).what == tg::answer::proved);
  CHECK(judged(true).at(8).what == tg::answer::proved);
  // Nothing holds the producer between its arrivals: then the consumer waits for ever.
  CHECK(judged(false).at(2).what == tg::answer::unknown);
  CHECK(judged(false).at(6).what == tg::answer::unknown);
}

TEST_CASE("threads of one phase wait for one count, and no more come than it takes") {
  pf::named_barriers mixed;
  mixed.come(come(1, 1, 64, some(0, 32), true));
  mixed.come(come(2, 1, 64, some(32, 32)));
  mixed.come(come(3, 1, 32, some(0, 64)));
  CHECK(mixed.judge().at(2).what == tg::answer::unknown);
  pf::named_barriers many;
  many.come(come(1, 1, 32, some(0, 64)));
  CHECK(many.judge().at(1).what == tg::answer::unknown);
}

TEST_CASE("barriers in different orders hold each other up") {
  pf::named_barriers all;
  all.come(come(1, 1, 64, some(0, 32)));
  all.come(come(2, 2, 64, some(0, 64)));
  all.come(come(3, 1, 64, some(32, 32)));
  CHECK(all.judge().at(1).what == tg::answer::refuted);
}

TEST_CASE("where data decides who comes, nothing is said, unless nobody else could") {
  pf::named_barriers all;
  pf::coming perhaps = come(1, 1, 64, some(0, 64));
  perhaps.must = {};
  perhaps.is_certain = false;
  all.come(perhaps);
  CHECK(all.judge().at(1).what == tg::answer::unknown);
  pf::named_barriers few;
  perhaps.may = some(0, 32);
  few.come(perhaps);
  CHECK(few.judge().at(1).what == tg::answer::refuted);
  perhaps.is_sure_to_come = false;
  pf::named_barriers nobody;
  nobody.come(perhaps);
  CHECK(nobody.judge().at(1).what == tg::answer::unknown);
}

TEST_CASE("a warp that arrives again after its phase is over leaves nobody waiting, one that waits again does") {
  for (const bool is_arrival : {true, false}) {
    pf::named_barriers all;
    all.come(come(1, 1, 64, some(0, 32)));
    all.come(come(2, 1, 64, some(0, 32), is_arrival));
    all.come(come(3, 1, 64, some(32, 32)));
    CHECK(all.judge().at(2).what == (is_arrival ? tg::answer::unknown : tg::answer::refuted));
  }
}
