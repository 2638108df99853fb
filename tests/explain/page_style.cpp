#include <tg/explain/page_style.hpp>

#include <doctest/doctest.h>

#include "sample.hpp"

TEST_CASE("style and script stay inside their elements and fetch nothing") {
  for (const std::string_view text : {tg::report::page_style, tg::report::page_script}) {
    for (const char* part : {"</", "http", "url(", "@import", "fetch", "<!--"}) {
      CAPTURE(part);
      CHECK_FALSE(sample::contains(text, part));
    }
    CHECK(sample::occurrences(text, "{") == sample::occurrences(text, "}"));
    CHECK(sample::occurrences(text, "(") == sample::occurrences(text, ")"));
  }
  CHECK(sample::contains(tg::report::page_style, "prefers-color-scheme: dark"));
}
