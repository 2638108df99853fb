#include <tg/emulator/check/word_accesses.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator::check;

namespace {

int conflicts_of(word_accesses& all, const access_record& now) {
  int out = 0;
  all.add(now, nullptr, false, [&](const access_record&, conflict) { ++out; });
  return out;
}
int count_of(const word_accesses& all) {
  int out = 0;
  all.each([&](const access_record&) { ++out; });
  return out;
}
access_record atomic_of(std::uint64_t block) {
  return {{block, 0}, 1, 1, 10, 0, access_kind::strong_write, scope::all, engine::none, 4};
}
access_record reset_of(std::uint64_t block) { return {{block, 0}, 1, 1, 11, 7, access_kind::write, scope::all}; }

}  // namespace

TEST_CASE("the last of any number of atomics is followed by a plain write of its thread, another is not") {
  for (const std::uint64_t blocks : {2, 40, 500}) {
    word_accesses all;
    CHECK(all.is_empty());
    for (std::uint64_t b = 0; b < blocks; ++b) CHECK(conflicts_of(all, atomic_of(b)) == 0);
    CHECK(conflicts_of(all, reset_of(blocks - 1)) == 0);

    word_accesses early;
    for (std::uint64_t b = 0; b < blocks; ++b) conflicts_of(early, atomic_of(b));
    CHECK(conflicts_of(early, reset_of(0)) > 0);
  }
}

TEST_CASE("accesses of other widths are copies of all records") {
  word_accesses all;
  for (std::uint64_t b = 0; b < 3; ++b) conflicts_of(all, atomic_of(b));
  const word_accesses other = all.each_as([](access_record r) {
    r.value = 1;
    return r;
  });
  CHECK(count_of(other) == 3);
  other.each([](const access_record& r) { CHECK(r.value == 1); });
}
