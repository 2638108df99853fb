#include <tg/emulator/check/stream_races.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator::check;

namespace {

constexpr access_kinds loads = bit_of(access_kind::read), stores = bit_of(access_kind::write),
                       strong_loads = bit_of(access_kind::strong_read), strong_stores = bit_of(access_kind::strong_write);
constexpr stream_name one{4, 1, stream_kind::non_blocking}, two{8, 1, stream_kind::non_blocking},
    legacy{5, 1, stream_kind::legacy}, blocking{12, 1, stream_kind::blocking}, elsewhere{16, 2, stream_kind::blocking};

/// Work that touches 8 bytes. Returns: whether it races.
bool touches(stream_races& r, const stream_name& s, access_kinds kinds, std::uint64_t address = 64) {
  stream_piece p = r.begin(s, r.host());
  p.touched.add(address, 8, kinds);
  return r.end(std::move(p)).has_value();
}

}  // namespace

TEST_CASE("work of one stream is ordered, work of two is not") {
  stream_races r;
  CHECK_FALSE(touches(r, one, stores));
  CHECK_FALSE(touches(r, one, stores));
  CHECK_FALSE(touches(r, two, loads, 72));
  CHECK(touches(r, two, loads));
  stream_races other;
  CHECK_FALSE(touches(other, one, loads));
  CHECK_FALSE(touches(other, two, loads));
  CHECK(touches(other, two, stores));
}

TEST_CASE("an event orders what came before its record") {
  stream_races r;
  CHECK_FALSE(touches(r, one, stores));
  const stream_clock recorded = r.begin(one, r.host()).known;
  CHECK_FALSE(touches(r, one, stores, 128));
  r.learn(two, recorded);
  CHECK_FALSE(touches(r, two, stores));
  CHECK(touches(r, two, stores, 128));
}

TEST_CASE("the legacy stream orders blocking streams of its context, before and after") {
  stream_races r;
  CHECK_FALSE(touches(r, blocking, stores));
  CHECK_FALSE(touches(r, legacy, stores));
  CHECK_FALSE(touches(r, blocking, stores));
  CHECK(touches(r, one, stores));
  CHECK(touches(r, elsewhere, stores));
}

TEST_CASE("what the host has waited for is ordered with what it submits then, and not with what it had submitted") {
  stream_races r;
  CHECK_FALSE(touches(r, one, stores));
  const host_clock before = r.host();
  r.host_waits(one);
  CHECK_FALSE(touches(r, two, stores));
  stream_piece early = r.begin(elsewhere, before);
  early.touched.add(64, 8, loads);
  const auto found = r.end(std::move(early));
  REQUIRE(found);
  CHECK(found->stream.number == one.number);
  CHECK(found->kinds == stores);
  CHECK(found->where == touched_range{64, 72, loads});
}

TEST_CASE("a strong write that releases is ordered with a strong read that acquires") {
  for (const bool releases : {false, true}) {
    stream_races r;
    stream_piece p = r.begin(one, r.host());
    p.touched.add(64, 8, stores);
    p.touched.add(128, 4, strong_stores);
    p.touched.releases = releases;
    CHECK_FALSE(r.end(std::move(p)));
    p = r.begin(two, r.host());
    p.touched.add(64, 8, loads);
    p.touched.add(128, 4, strong_loads);
    p.touched.acquires = true;
    CHECK(r.end(std::move(p)).has_value() == !releases);
  }
}

TEST_CASE("a wait for a number follows who wrote it") {
  stream_races r;
  CHECK_FALSE(touches(r, one, stores));
  CHECK_FALSE(touches(r, one, strong_stores, 128));
  stream_piece wait = r.begin(two, r.host());
  r.follow_writers(wait, 128, 4);
  CHECK_FALSE(r.end(std::move(wait)));
  CHECK_FALSE(touches(r, two, stores));
}

TEST_CASE("what follows all streams is ordered with all, also with streams that had no work yet") {
  stream_races r;
  CHECK_FALSE(touches(r, one, stores));
  stream_piece p = r.begin(legacy, r.host());
  r.follow_all(p);
  p.touched.add(64, 8, stores);
  CHECK_FALSE(r.end(std::move(p)));
  CHECK_FALSE(touches(r, two, stores));
  CHECK_FALSE(r.is_empty());
}

TEST_CASE("memory that was given back is forgotten, and all when the host has waited for all") {
  stream_races r;
  CHECK_FALSE(touches(r, one, stores));
  r.forget(64, 8);
  CHECK_FALSE(touches(r, two, stores));
  CHECK(r.size() == 2);
  r.host_waits_for_all();
  CHECK(r.is_empty());
  CHECK_FALSE(touches(r, one, stores));
}

TEST_CASE("no more work than a limit is remembered") {
  stream_races r;
  for (std::size_t k = 0; k < 2 * stream_races::most_pieces; ++k) touches(r, one, stores, 64 + 16 * k);
  CHECK(r.size() == stream_races::most_pieces);
  CHECK_FALSE(touches(r, two, stores));  // the first is forgotten
}
