#include <tg/base/shared_library.hpp>

#include <doctest/doctest.h>

using tg::shared_library;

TEST_CASE("a library is opened by name and its symbols are found") {
  const auto math = shared_library::open("libm.so.6");
  REQUIRE(math.is_open());
  CHECK(math.why().empty());
  const auto root = reinterpret_cast<double (*)(double)>(math.find("sqrt"));
  REQUIRE((root != nullptr));
  CHECK(root(9.0) == 3.0);
  CHECK(math.find("no_such_symbol") == nullptr);
  CHECK(shared_library::loaded("libm.so.6").is_open());
}

TEST_CASE("a library that nobody has says so") {
  const auto none = shared_library::open("libnobody-has-this.so");
  CHECK_FALSE(none.is_open());
  CHECK(none.why().find("libnobody-has-this.so") != std::string::npos);
  CHECK(none.find("sqrt") == nullptr);
  CHECK_FALSE(shared_library::loaded("libnobody-has-this.so").is_open());
}

TEST_CASE("the process itself is searched") { CHECK(shared_library::process().find("malloc") != nullptr); }
