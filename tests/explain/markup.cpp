#include <tg/explain/markup.hpp>

#include <doctest/doctest.h>

#include "sample.hpp"

using tg::report::markup;

TEST_CASE("texts and attributes are escaped") {
  CHECK(tg::report::escaped("a<b>&\"c\"\x01\n") == "a&lt;b&gt;&amp;&quot;c&quot; \n");
  markup out;
  out.element("a", {{"href", "\"><script>"}}, "</a><b>");
  CHECK(out.str() == "<a href=\"&quot;&gt;&lt;script&gt;\">&lt;/a&gt;&lt;b&gt;</a>");
}

TEST_CASE("what is opened is closed, the last first") {
  markup out;
  {
    const auto table = out.in("table", {{"class", "x"}});
    const auto row = out.in("tr");
    out.single("br", {}).element("td", {}, "1");
  }
  CHECK(out.str() == "<table class=\"x\"><tr><br/><td>1</td></tr></table>");
}

TEST_CASE("the judge of these tests finds what is not well-formed") {
  CHECK(sample::complaint_about("<!DOCTYPE html>\n<p class=\"a\">1 &lt; 2<br/></p><style>a>b</style>") == "");
  for (const char* wrong :
       {"<p>", "</p>", "<p><b></p></b>", "<p>a & b</p>", "<p>a < b</p>", "<p class=\"a>b</p>", "<p", "<p>&;</p>"}) {
    CAPTURE(wrong);
    CHECK(sample::complaint_about(wrong) != "");
  }
}
