#include <tg/emulator/check/observed_atomics.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator::check;

namespace {

access_record atomic_of(std::uint64_t block, std::uint32_t lanes, std::uint8_t bytes = 4) {
  return {{block, 0}, lanes, 1, 10, 0, access_kind::strong_write, scope::all, engine::none, bytes};
}
access_record write_of(std::uint64_t block, std::uint32_t lane) {
  return {{block, 0}, 1u << lane, 3, 11, 0, access_kind::write, scope::all};
}

}  // namespace

TEST_CASE("what an atomic of the same thread came behind is observed, what came later is not") {
  const access_record first = atomic_of(0, 1), own = atomic_of(1, 1), later = atomic_of(2, 1), wide = atomic_of(3, 1, 8);
  const access_record now = write_of(1, 0);
  observed_atomics o(now, nullptr);
  CHECK(o.is_sought());
  for (const access_record& r : {first, wide, own, later}) o.look(r);
  CHECK(o.lanes_of(first, 1) == 1);
  CHECK(o.lanes_of(wide, 2) == 0);  // of another width
  CHECK(o.lanes_of(own, 3) == 1);
  CHECK(o.lanes_of(later, 4) == 0);
}

TEST_CASE("of one instruction the lanes below are observed") {
  const access_record all = atomic_of(0, 0xffffffff), now = write_of(0, 5);
  observed_atomics o(now, nullptr);
  o.look(all);
  CHECK(o.lanes_of(all, 1) == 0x3f);
}

TEST_CASE("a record whose lanes came at several times, a thread without an atomic and a strong access observe nothing") {
  access_record spread = atomic_of(0, 3);
  spread.is_spread = true;
  const access_record own = atomic_of(1, 1), now = write_of(1, 0), stranger = write_of(7, 0);
  observed_atomics o(now, nullptr), of_stranger(stranger, nullptr);
  for (const access_record& r : {spread, own}) {
    o.look(r);
    of_stranger.look(r);
  }
  CHECK(o.lanes_of(spread, 1) == 0);
  CHECK(of_stranger.lanes_of(own, 2) == 0);
  CHECK_FALSE(observed_atomics(own, nullptr).is_sought());
}
