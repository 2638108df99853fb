#include <tg/dsl/proof/mbarrier_balance.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

namespace {

constexpr pf::mbarrier_phase_at full{.variable = 3, .offset = 8};

pf::path some(std::size_t first, std::size_t end, bool are_sure = true) {
  pf::path out;
  out.may = out.must = {};
  for (std::size_t t = first; t < end; ++t) out.may[t] = true;
  if (are_sure) out.must = out.may;
  return out;
}

// A barrier of `count` arrivals; threads 32 to 64 wait for one phase.
template <class Events> tg::dynamic_array<pf::mbarrier_balance::fault> after(pf::number count, Events events) {
  pf::mbarrier_balance b;
  b.init(full, count, true);
  events(b);
  b.wait(7, full, 0, some(32, 64), true);
  return b.judge();
}

}  // namespace

TEST_CASE("a wait ends when as many have arrived as the barrier asks for, in any order of the text") {
  CHECK(after(32, [](auto& b) { b.arrive(full, 0, some(0, 32), true); }).empty());
  const auto missing = after(32, [](auto& b) { b.arrive(full, 0, some(0, 31), true); });
  REQUIRE(missing.size() == 1);
  CHECK(missing[0].instruction == 7);
  CHECK(missing[0].fact.find("31 come in all") != std::string::npos);
  pf::mbarrier_balance later;
  later.init(full, 1, true);
  later.wait(7, full, 0, some(32, 64), true);
  later.wait(9, full, 1, some(32, 64), true);
  later.arrive(full, 0, some(0, 2), true);
  CHECK(later.judge().empty());
  later.wait(11, full, 0, some(40, 41), true);
  REQUIRE(later.judge().size() == 1);
  CHECK(later.judge()[0].instruction == 11);
}

TEST_CASE("as many bytes are expected as are copied, where the last phase is waited for") {
  const auto copies = [](pf::number expected, pf::number copied, pf::number more = 0) {
    return after(1, [=](auto& b) {
      b.arrive(full, expected, some(0, 1), true);
      b.copy(full, copied, some(0, 1), true);
      if (more != 0) b.arrive(full, more, some(0, 1), true);
    });
  };
  CHECK(copies(64, 64).empty());
  CHECK(copies(64, 32).size() == 1);
  CHECK(copies(64, 128).size() == 1);
  CHECK(copies(64, 64, 16).empty());
}

TEST_CASE("a wait for the phase in front of the first needs nothing") {
  pf::mbarrier_balance b;
  b.init(full, 1, true);
  b.wait(7, full, 1, some(0, 1), true);
  CHECK(b.judge().empty());
  b.wait(9, full, 0, some(0, 1), true);
  CHECK(b.judge().size() == 1);
  b.wait(11, full, 0, some(0, 1), true);  // that of a phase that is over
  CHECK(b.judge().empty());
}

TEST_CASE("nothing is said where something is not followed") {
  const auto nothing = [](pf::mbarrier_balance&) {};
  CHECK(after(1, nothing).size() == 1);
  CHECK(after(0, nothing).empty());
  CHECK(after(1, [](auto& b) { b.arrive(full, 0, some(0, 1), false); }).empty());
  CHECK(after(2, [](auto& b) { b.arrive(full, 0, some(0, 1, false), true); }).empty());
  CHECK(after(1, [](auto& b) { b.arrive(full, -1, some(0, 1), true); }).empty());
  CHECK(after(1, [](auto& b) { b.copy(full, -1, some(0, 1), true); }).empty());
  CHECK(after(1, [](auto& b) { b.wait(8, full, -1, some(0, 1), true); }).empty());
  CHECK(after(1, [](auto& b) { b.lose(full); }).empty());
  CHECK(after(1, [](auto& b) { b.lose_all(); }).empty());
  CHECK(after(1, [](auto& b) { b.init(full, 1, true); }).empty());
}
