#include <tg/explain/to_html.hpp>

#include <doctest/doctest.h>

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
