#include <tg/emulator/launch/launch_text.hpp>

#include <doctest/doctest.h>

TEST_CASE("texts come out in the order of the blocks, up to the block that failed") {
  tg::emulator::detail::launch_text text;
  text.add(2, "two\n", "");
  text.add(0, "zero\n", "oops\n");
  text.add(5, "five\n", "");
  text.add(0, "again\n", "");
  std::string out, err;
  tg::emulator::options how;
  how.on_printf = [&](std::string_view s) { out += s; };
  how.on_assert = [&](std::string_view s) { err += s; };
  SUBCASE("all") {
    text.flush(how, ~std::uint64_t{0});
    CHECK_EQ(out, "zero\nagain\ntwo\nfive\n");
    CHECK_EQ(err, "oops\n");
  }
  SUBCASE("up to block 2") {
    text.flush(how, 2);
    CHECK_EQ(out, "zero\nagain\ntwo\n");
  }
}
