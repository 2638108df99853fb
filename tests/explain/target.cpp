#include <tg/explain/target.hpp>

#include <doctest/doctest.h>

TEST_CASE("a GPU is found by its name and by its architecture") {
  CHECK(tg::find_target("RTX 4090").name == "RTX 4090");
  CHECK(tg::find_target("sm_90").name == "H100");
  CHECK(tg::find_target("sm_120").name == "RTX 5090");
}

TEST_CASE("a GPU that is not in the table is refused, with those that are") {
  for (const char* name : {"", "h100", "sm_91", "sm_9"}) try {
      tg::find_target(name);
      FAIL_CHECK("found ", name);
    } catch (const tg::error& error) {
      const std::string text = error.what();
      CHECK(text.find("TG174") == 0);
      CHECK(text.find("H200 (sm_90)") != std::string::npos);
    }
}
