#include <tg/explain/to_html.hpp>

#include <doctest/doctest.h>

#include <tg/explain/to_html.inl>

#include "sample.hpp"

TEST_CASE("names, reasons and sources cannot break a page") {
  tg::explanation e = sample::made();
  e.kernel = "a<b>&\"c\"</h1><script>alert(1)</script>";
  e.lines[0].text = "// </td><img src=x onerror=alert(1)>";
  e.accesses[1].judged.reason = "<i>&</i>";
  const std::string html = tg::to_html(e);
  CHECK(sample::complaint_about(html) == "");
  CHECK(sample::occurrences(html, "<script>") == 1);
  CHECK(sample::contains(html, "<h1>a&lt;b&gt;&amp;&quot;c&quot;"));
  CHECK_FALSE(sample::contains(html, "<img"));
}

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
