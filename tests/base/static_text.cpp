#include <tg/base/static_text.hpp>

#include <sstream>
#include <string>
#include <string_view>

#include <doctest/doctest.h>

static_assert(tg::static_text("axpy") == "axpy" && tg::static_text("axpy") != "axpby" && tg::static_text("ax") != "axpy");
static_assert(tg::static_text().empty() && !tg::static_text("a").empty() && tg::static_text("axpy").size() == 4);

TEST_CASE("a text is compared by its characters, not by where they are") {
  const std::string elsewhere = "axpy";
  const tg::static_text name = "axpy";
  CHECK(static_cast<const void*>(name.text) != static_cast<const void*>(elsewhere.c_str()));
  CHECK(name == elsewhere);
  CHECK(elsewhere == name);
  CHECK(name == elsewhere.c_str());
  CHECK(name == std::string_view(elsewhere));
  CHECK(name != elsewhere + "b");
}

TEST_CASE("a text is what standard strings and streams take") {
  const tg::static_text name = "axpy";
  const std::string copied(name);
  const std::string_view seen = name;
  std::ostringstream out;
  out << name;
  CHECK(copied == "axpy");
  CHECK(seen == "axpy");
  CHECK(out.str() == "axpy");
}
