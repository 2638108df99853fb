#include <tg/ptx/ir/module.hpp>

#include <doctest/doctest.h>

using namespace tg::ptx;

TEST_CASE("a file has one number") {
  module m;
  CHECK(m.to_file("a.cpp") == 1);
  CHECK(m.to_file("b.cpp") == 2);
  CHECK(m.to_file("a.cpp") == 1);
  CHECK(m.files.size() == 3);
}

TEST_CASE("functions are found by name") {
  module m;
  m.functions.resize(2);
  m.functions[1].name = "k";
  CHECK(m.find("k") == &m.functions[1]);
  CHECK(m.find("l") == nullptr);
}

TEST_CASE("versions are ordered") {
  CHECK(isa_version{7, 8} < isa_version{8, 0});
  CHECK(isa_version{8, 0} < isa_version{8, 1});
}
