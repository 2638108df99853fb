#include <tg/emulator/check/access_record.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator::check;

TEST_CASE("two records conflict by what they do, how strongly and for whom") {
  const auto record = [](access_kind kind, std::uint64_t block, std::uint32_t value = 0, scope s = scope::all) {
    return access_record{{block, 0}, 1, 1, 10, value, kind, s};
  };
  using enum access_kind;
  CHECK(conflict_of(record(read, 0), record(read, 1)) == conflict::none);
  CHECK(conflict_of(record(read, 0), record(write, 0)) == conflict::race);
  CHECK(conflict_of(record(write, 0, 7), record(write, 1, 7)) == conflict::none);
  CHECK(conflict_of(record(write, 0, 7), record(write, 1, 7), true) == conflict::race);
  CHECK(conflict_of(record(write, 0, 7), record(write, 1, 8)) == conflict::race);
  CHECK(conflict_of(record(strong_write, 0), record(strong_read, 1)) == conflict::none);
  CHECK(conflict_of(record(strong_write, 0, 0, scope::block), record(strong_read, 1)) == conflict::narrow_scope);
  CHECK(conflict_of(record(strong_write, 0, 0, scope::block), record(strong_read, 0)) == conflict::none);
}

TEST_CASE("a record of many threads knows the lanes of each warp") {
  even_record r;
  r.first = 20;
  r.count = 50;
  CHECK(r.lanes(0) == 0xfff00000u);
  CHECK(r.lanes(1) == 0xffffffffu);
  CHECK(r.lanes(2) == 0x3fu);
  CHECK(r.lanes(3) == 0);
}
