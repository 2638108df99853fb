#include <tg/explain/listing.hpp>

#include <doctest/doctest.h>

#include "sample.hpp"

using namespace tg::report;
using sample::contains;
using sample::occurrences;

namespace {

template <class Put> std::string put(Put put, const tg::explanation& e) {
  markup out;
  put(out, e);
  return out.take();
}

}  // namespace

TEST_CASE("source lines stand beside their costs, and lead to their PTX") {
  const std::string html = put(put_source, sample::made());
  CHECK(sample::complaint_about(html) == "");
  CHECK(contains(html, "if (a &lt; b &amp;&amp; c &gt; d) load();"));
  CHECK(contains(html, "<td><b class=\"over\">32</b></td>"));
  CHECK_FALSE(contains(html, "class=\"over\">4<"));
  CHECK(contains(html, "<tr id=\"l2\" data-l=\"2\">"));
  CHECK(contains(html, "<a href=\"#p2\">11</a>"));
  CHECK(occurrences(html, "<tr class=\"gap\">") == 2);
  CHECK_FALSE(contains(html, "waves"));
}

TEST_CASE("a line whose file is not there keeps its costs") {
  tg::explanation e = sample::made();
  e.lines[2].text.clear();
  CHECK(contains(put(put_source, e), "(the source is not at hand)"));
}

TEST_CASE("PTX is grouped by its source line, and each line is linked once") {
  const std::string html = put(put_ptx, sample::made());
  CHECK(sample::complaint_about(html) == "");
  CHECK(occurrences(html, "data-l=\"0\"") == 2);
  CHECK(occurrences(html, "id=\"p0\"") == 1);
  CHECK(contains(html, "<i>5</i>  st.global.f32"));
}

TEST_CASE("what was counted has columns of its own") {
  tg::explanation e = sample::made();
  tg::emulator::counters all;
  all.instructions.resize(2);
  all.instructions[0] = {.function = "sample", .index = 0, .file = "/nowhere/a<b>.cpp", .line = 7, .executions = 1234};
  all.instructions[1] = {.function = "another", .index = 1, .file = "/nowhere/a<b>.cpp", .line = 11, .executions = 77};
  e.measured(all);
  CHECK(contains(put(put_source, e), "<td>4<em>1,234</em></td>"));
  CHECK_FALSE(contains(put(put_source, e), "77"));
  CHECK(contains(put(put_ptx, e), "<i>3</i><b>1,234</b>"));
}
