#include <tg/ptx/parse/parse_tile.hpp>

#include <doctest/doctest.h>

#include <tg/base/error.hpp>

using namespace tg::ptx;

namespace {

shared_tile tile_of(std::string_view text) {
  detail::lexer in(text);
  return detail::shared_tile_at(in);
}

}  // namespace

TEST_CASE("a tile has a name, a place in the source, an element's size and extents") {
  const shared_tile t = tile_of("rows \"k.cpp\" 12 4 (argument 3 -1 add) % 32 == 1 (8);");
  CHECK(t.name == "rows");
  CHECK(t.file == "k.cpp");
  CHECK(t.line == 12);
  CHECK(t.element_bytes == 4);
  REQUIRE(t.extents.size() == 2);
  REQUIRE(t.extents[0].size.size() == 3);
  CHECK(t.extents[0].size[0].kind == launch_step_kind::argument);
  CHECK(t.extents[0].size[0].value == 3);
  CHECK(t.extents[0].size[1].value == -1);
  CHECK(t.extents[0].size[2].kind == launch_step_kind::add);
  CHECK(t.extents[0].divisor == 32);
  CHECK(t.extents[0].remainder == 1);
  CHECK(t.extents[1].size[0].value == 8);
}

TEST_CASE("a step that is none, and a tile without its end, are refused") {
  for (const char* text :
       {"rows \"k.cpp\" 12 4 (power);", "rows \"k.cpp\" 12 4 (8)", "rows 12 4 (8);", "rows \"k.cpp\" 12 4 (8) % 32;"})
    CHECK_THROWS_AS_MESSAGE(tile_of(text), tg::error, text);
}
