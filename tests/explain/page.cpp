#include <tg/explain/page.hpp>

#include <doctest/doctest.h>

#include "sample.hpp"

using sample::contains;

TEST_CASE("a page is well-formed, whole, and fetches nothing") {
  const std::string html = tg::report::page(sample::made())();
  CHECK(sample::complaint_about(html) == "");
  for (const char* id : {"source", "accesses", "registers", "roofline", "occupancy", "proofs"}) {
    CAPTURE(id);
    CHECK(sample::occurrences(html, "id=\"" + std::string(id) + "\"") == 1);
    CHECK(contains(html, "href=\"#" + std::string(id) + "\""));
  }
  CHECK(sample::occurrences(html, "href=\"") == sample::occurrences(html, "href=\"#") + 1);
  CHECK(contains(html, "<link rel=\"icon\" href=\"data:,\"/>"));
  CHECK_FALSE(contains(html, "src="));
  CHECK(contains(html, "i &lt; n is not known"));
  CHECK(sample::occurrences(html, "<article") == 3);
}

TEST_CASE("a kernel that touches no memory has a page") {
  tg::explanation e = sample::made();
  e.accesses.clear();
  e.lines.clear();
  e.ptx.clear();
  e.registers.clear();
  e.findings.clear();
  e.cost = {};
  const std::string html = tg::report::page(e)();
  CHECK(sample::complaint_about(html) == "");
  CHECK(contains(html, "The kernel touches no memory."));
  CHECK_FALSE(contains(html, "nan"));
}
