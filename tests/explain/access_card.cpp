#include <tg/explain/access_card.hpp>

#include <doctest/doctest.h>

#include "sample.hpp"

using namespace tg::report;
using sample::contains;

namespace {

std::string card(const tg::explained_access& a) {
  markup out;
  put_access(out, a);
  return out.take();
}

}  // namespace

TEST_CASE("a card says verdict, cost and what to do, and draws as many rows as it says") {
  const auto accesses = sample::made().accesses;
  const std::string good = card(accesses[0]), bad = card(accesses[1]), gathered = card(accesses[2]);
  for (const auto& html : {good, bad, gathered}) CHECK(sample::complaint_about(html) == "");
  CHECK(contains(good, "proved good"));
  CHECK(contains(good, "4 sectors, ideal 4"));
  CHECK(sample::occurrences(good, "class=\"used\"") == 4);
  CHECK(contains(bad, "bad, excused"));
  CHECK(contains(bad, "32 sectors, ideal 4"));
  CHECK(sample::occurrences(bad, "class=\"used\"") == 32);
  CHECK(contains(bad, "Excused: a &amp; b."));
  CHECK(contains(bad, "move it."));
  CHECK(contains(gathered, "depends on data"));
  CHECK_FALSE(contains(gathered, "<svg"));
}

TEST_CASE("what was counted stands beside what was said") {
  auto a = sample::made().accesses[0];
  a.measured = tg::measured_access{10, 44, 4, 5};
  CHECK(measured_text(a) == "Counted: 4 to 5 sectors per request of a full warp; 44 sectors in 10 requests.");
  a.measured = tg::measured_access{1, 1, 0, 0};
  CHECK(measured_text(a) == "Counted: 1 sector in 1 request.");
  a.measured = tg::measured_access{};
  CHECK(measured_text(a) == "It did not run.");
}
