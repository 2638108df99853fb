#include <tg/ptx/parse/parse_view_map.hpp>

#include <doctest/doctest.h>

#include <tg/base/error.hpp>

using namespace tg::ptx;

namespace {

view_map map_of(std::string_view text) {
  detail::lexer in(text);
  return detail::view_map_at(in);
}

}  // namespace

TEST_CASE("a map has a parameter, the numbers of its type, its box and four numbers of the launch") {
  const view_map m = map_of("6 9 2 3 128 64 (argument 0) (argument 1) (argument 7 -1 add) ();");
  CHECK(m.parameter == 6);
  CHECK(m.type == 9);
  CHECK(m.element_bytes == 2);
  CHECK(m.swizzle == 3);
  CHECK(m.box_rows == 128);
  CHECK(m.box_columns == 64);
  CHECK(m.address == launch_number{{launch_step_kind::argument, 0}});
  CHECK(m.pitch_bytes == launch_number{{launch_step_kind::argument, 1}});
  REQUIRE(m.rows.size() == 3);
  CHECK(m.rows[1].value == -1);
  CHECK(m.columns.empty());
}

TEST_CASE("a map without one of its numbers, with a larger box or without its end is refused") {
  for (const char* text :
       {"6 9 2 3 128 64 (argument 0) (argument 1) (argument 7);", "6 9 2 3 512 64 (argument 0) (argument 1) () ();",
        "6 9 2 3 128 64 (argument 0) (argument 1) () ()", "6 9 2 3 128 64 (power 0) (argument 1) () ();"})
    CHECK_THROWS_AS_MESSAGE(map_of(text), tg::error, text);
}
