#include <tg/dsl/proof/ledger.hpp>

#include <doctest/doctest.h>

namespace pf = tg::proof;

TEST_CASE("the worst answer is kept") {
  tg::ptx::module m;
  m.files.push_back("k.cpp");
  m.functions.emplace_back().body.resize(2);
  m.functions[0].body[1].where = {1, 9};
  pf::ledger l(m, {4, 2, 1});
  l.ask(tg::question::extents, 1);
  CHECK(l.is_open(tg::question::extents, 1, tg::answer::unknown));
  l.answer_with(tg::question::extents, 1, tg::answer::refuted, "worst", "fix", {}, 5);
  l.answer_with(tg::question::extents, 1, tg::answer::unknown, "better", "fix");
  CHECK_FALSE(l.is_open(tg::question::extents, 1, tg::answer::refuted));
  const auto all = l.take();
  REQUIRE(all.size() == 1);
  CHECK(all[0].fact == "worst");
  CHECK(all[0].where.line == 9);
  CHECK(all[0].thread == tg::fixed_array<int, 3>{1, 1, 0});
}

TEST_CASE("a line that reads what it writes elsewhere is told to read first") {
  tg::ptx::module m;
  m.files.push_back("k.cpp");
  m.functions.emplace_back().body.resize(3);
  m.functions[0].body[0].where = {1, 9};
  m.functions[0].body[1].where = {1, 9};
  m.functions[0].body[2].where = {1, 10};
  const pf::ledger l(m, {4, 1, 1});
  const auto advice = [&](std::uint32_t first, std::uint32_t second, bool is_read_first = true) {
    pf::use a, b;
    a.instruction = first;
    b.instruction = second;
    (is_read_first ? b : a).writes = true;
    return std::string(l.advice_between(a, b));
  };
  CHECK(advice(0, 1).starts_with("read before you write"));
  CHECK(advice(0, 2).starts_with("let the threads meet between the two lines"));
  CHECK(advice(0, 1, false).starts_with("let the threads meet between the two lines"));  // a word that writes, then reads
}
