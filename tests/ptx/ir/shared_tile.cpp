#include <tg/ptx/ir/shared_tile.hpp>

#include <doctest/doctest.h>

#include <cstring>

#include <tg/ptx/ir/function.hpp>
#include <tg/ptx/parse/parse.hpp>
#include <tg/ptx/print/print.hpp>

using namespace tg::ptx;
using kind = launch_step_kind;

TEST_CASE("the size of a tile is computed from the packed parameters") {
  const tg::dynamic_array<variable> params{{.type = token::u64}, {.type = token::u32}, {.type = token::s64}};
  const auto places = places_of_arguments(params);
  REQUIRE(places.size() == 3);
  CHECK(places[1].offset == 8);
  CHECK(places[2].offset == 16);
  std::byte packed[24]{};
  const std::uint32_t n = 1000;
  const std::int64_t m = -5;
  std::memcpy(packed + 8, &n, 4);
  std::memcpy(packed + 16, &m, 8);
  const auto number = [](std::int64_t v) { return launch_step{kind::number, v}; };
  const auto argument = [](std::int64_t k) { return launch_step{kind::argument, k}; };
  const auto of = [&](const launch_number& steps) { return evaluate(steps, places, packed); };
  CHECK(of({argument(1), number(1), {kind::add}}) == 1001);
  CHECK(of({argument(1), number(33), {kind::rem}}) == 10);
  CHECK(of({argument(1), number(3), {kind::shl}, number(7), {kind::div}}) == 1142);
  CHECK(of({argument(2), argument(1), {kind::max}, number(2), {kind::shr}}) == 250);
  CHECK(of({argument(2), argument(1), {kind::min}}) == -5);
  CHECK(of({argument(2), argument(1), {kind::sub}, number(-2), {kind::mul}}) == 2010);
  CHECK_FALSE(of({argument(1), number(0), {kind::div}}).has_value());
  CHECK_FALSE(of({argument(1), number(INT64_MAX), {kind::mul}}).has_value());
  CHECK_FALSE(of({argument(3)}).has_value());
  CHECK_FALSE(of({{kind::add}}).has_value());
  CHECK_FALSE(of({argument(1), argument(1)}).has_value());
}

TEST_CASE("tiles go through the text of a module") {
  module m = parse(".version 7.0\n.target sm_80\n.address_size 64\n"
                   ".extern .shared .align 16 .b8 k_tiles[];\n.visible .entry k(.param .u32 n)\n{\n\tret;\n}\n");
  m.tiles = {{"tile0", "a file.cpp", 31, 4096, {}},
             {"tile1",
              "b.cpp",
              7,
              4,
              {{{{kind::argument, 0}, {kind::number, -1}, {kind::add}}, 1, 0}, {{{kind::argument, 0}}, 32, 1}}}};
  const std::string text = print(m);
  CHECK(text.find("//tg: .shared_tile tile0 \"a file.cpp\" 31 4096;\n") != std::string::npos);
  CHECK(text.find("//tg: .shared_tile tile1 \"b.cpp\" 7 4 (argument 0 -1 add) (argument 0) % 32 == 1;\n") != std::string::npos);
  CHECK(parse(text) == m);
  CHECK(fixed_tile_bytes(m.tiles) == 4096);
  CHECK(is_fixed(m.tiles[0]));
  CHECK_FALSE(is_fixed(m.tiles[1]));
}

TEST_CASE("a tile's directive is an aside, and its steps are known ones") {
  const auto refused = [](const std::string& line) {
    try {
      parse(".version 7.0\n.target sm_80\n.address_size 64\n" + line + "\n");
      return false;
    } catch (const tg::error&) { return true; }
  };
  CHECK_FALSE(refused("//tg: .shared_tile t \"f\" 1 4 (argument 0 2 mul);"));
  CHECK(refused(".shared_tile t \"f\" 1 4;"));
  CHECK(refused("//tg: .shared_tile t \"f\" 1 4 (argument 0 2 power);"));
  CHECK(refused("//tg: .shared_tile t \"f\" 1 4"));
}

TEST_CASE("tiles begin at multiples of 16 bytes") {
  CHECK(aligned_tile_bytes(0) == 0);
  CHECK(aligned_tile_bytes(1) == 16);
  CHECK(aligned_tile_bytes(16) == 16);
  CHECK(aligned_tile_bytes(17) == 32);
}
