#include <tg/runtime/block_places.hpp>

#include <doctest/doctest.h>

TEST_CASE("the places that hold most come first") {
  tg::runtime::block_places places;
  const auto bytes_of = [](std::uint32_t block) { return std::size_t{100} * block; };
  CHECK(places.holders(bytes_of) == "");
  places.note(1, {"/src/a.cpp", 7});
  places.note(2, {"/src/a.cpp", 7});
  places.note(200, {"b.cpp", 9});
  places.note(4, {"/src/a.cpp", 8});
  CHECK(places.holders(bytes_of) == "20000 in 1 from b.cpp:9, 400 in 1 from a.cpp:8, 300 in 2 from a.cpp:7");
  places.forget(200);
  places.forget(4);
  CHECK(places.holders(bytes_of) == "300 in 2 from a.cpp:7");
  for (int i = 10; i < 30; ++i) places.note(static_cast<std::uint32_t>(i), {"c.cpp", i});
  CHECK(places.holders(bytes_of) ==
        "2900 in 1 from c.cpp:29, 2800 in 1 from c.cpp:28, 2700 in 1 from c.cpp:27, 2600 in 1 from c.cpp:26, 2500 in 1 "
        "from c.cpp:25");
}
