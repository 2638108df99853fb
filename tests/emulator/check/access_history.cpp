#include <tg/emulator/check/access_history.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator::check;

namespace {

/// Whether a second access by `second` conflicts with a first one by lane 0 of warp 0.
conflict between(access_kind a, access_kind b, warp_name second, scope s = scope::all, std::uint32_t value = 0) {
  access_history h;
  const std::uint32_t zero = 0;
  conflict out = conflict::none;
  const auto note = [&](const access_record&, conflict c, std::uint64_t) { out = c; };
  h.add(64, 4, {{0, 0}, 1, 1, 10, 0, a, s}, nullptr, reinterpret_cast<const std::byte*>(&zero), note);
  h.add(64, 4, {second, 2, 1, 11, 0, b, s}, nullptr, reinterpret_cast<const std::byte*>(&value), note);
  return out;
}

}  // namespace

TEST_CASE("which accesses race") {
  using enum access_kind;
  const warp_name same{0, 0}, other{3, 0};
  CHECK(between(read, read, same) == conflict::none);
  CHECK(between(read, write, same) == conflict::race);
  CHECK(between(write, read, other) == conflict::race);
  CHECK(between(write, strong_read, same) == conflict::race);
  CHECK(between(strong_write, read, same) == conflict::race);
  CHECK(between(strong_write, strong_read, other) == conflict::none);
  CHECK(between(strong_write, strong_write, other) == conflict::none);
  CHECK(between(strong_write, strong_write, other, scope::block) == conflict::narrow_scope);
  CHECK(between(strong_write, strong_write, same, scope::block) == conflict::none);
  CHECK(between(strong_read, strong_read, other, scope::block) == conflict::none);
  CHECK(between(write, write, same, scope::all, 0) == conflict::none);  // of the same value
  CHECK(between(write, write, same, scope::all, 1) == conflict::race);
}

TEST_CASE("plain writes of one value race where that is asked for") {
  for (const bool is_strict : {false, true}) {
    access_history h(is_strict);
    int conflicts = 0;
    const auto note = [&](const access_record&, conflict, std::uint64_t) { ++conflicts; };
    const std::uint32_t one = 1;
    const auto write = [&](std::uint64_t address, warp_name by, std::uint32_t lane, std::uint32_t operation) {
      h.add(address, 4, {by, 1u << lane, 1, operation, 0, access_kind::write, scope::all}, nullptr,
            reinterpret_cast<const std::byte*>(&one), note);
    };
    write(64, {0, 0}, 3, 10);
    write(64, {0, 0}, 3, 10);  // a thread after itself
    CHECK(conflicts == 0);
    write(64, {0, 0}, 4, 10);  // a lane beside it, at the same instruction
    CHECK(conflicts == (is_strict ? 1 : 0));
    write(128, {0, 0}, 0, 10);
    write(128, {1, 0}, 0, 11);  // another block
    CHECK(conflicts == (is_strict ? 2 : 0));
  }
}

TEST_CASE("accesses to different bytes of a word do not race") {
  access_history h;
  int conflicts = 0;
  const auto note = [&](const access_record&, conflict, std::uint64_t) { ++conflicts; };
  const auto add = [&](std::uint64_t address, std::uint32_t bytes, std::uint32_t lane, access_kind k) {
    h.add(address, bytes, {{0, 0}, 1u << lane, 1, lane, 0, k, scope::all}, nullptr, nullptr, note);
  };
  add(100, 4, 0, access_kind::read);
  add(101, 1, 0, access_kind::read);
  add(2000, 1, 1, access_kind::strong_write);
  add(2001, 1, 2, access_kind::write);
  CHECK(conflicts == 0);
  add(102, 1, 3, access_kind::write);
  CHECK(conflicts == 1);
  add(2000, 4, 4, access_kind::read);
  CHECK(conflicts == 3);
}

TEST_CASE("an ordered access takes the place of what it covers") {
  access_history h;
  int conflicts = 0;
  const auto note = [&](const access_record&, conflict, std::uint64_t) { ++conflicts; };
  vector_clock known;
  std::array<std::uint32_t, 32> epochs{};
  epochs[0] = 1;
  known.raise({0, 0}, 1, epochs);
  h.add(0, 4, {{0, 0}, 1, 1, 1, 0, access_kind::write, scope::all}, nullptr, nullptr, note);
  h.add(0, 4, {{0, 0}, 2, 1, 2, 0, access_kind::read, scope::all}, &known, nullptr, note);
  CHECK(conflicts == 0);
  h.add(0, 4, {{0, 1}, 1, 1, 3, 0, access_kind::read, scope::all}, nullptr, nullptr, note);
  CHECK(conflicts == 1);  // the write stays in mind behind a read
}

TEST_CASE("an ordered write that the async proxy does not see is a conflict for its reads alone") {
  const auto found = [](access_kind second, bool is_async, bool is_seen) {
    access_history h;
    conflict out = conflict::none;
    const auto note = [&](const access_record&, conflict c, std::uint64_t) { out = c; };
    h.add(64, 4, {{0, 0}, 1, 1, 10, 0, access_kind::write, scope::all}, nullptr, nullptr, note);
    vector_clock known;
    std::array<std::uint32_t, 32> epochs{};
    epochs[0] = 1;
    known.raise({0, 0}, 1, epochs);
    if (is_seen) known.raise_proxies();
    const warp_name by = warp_name{0, 1}.beside(engine::bulk_reads);
    h.add(64, 4, {by, 1, 1, 11, 0, second, scope::all, is_async}, &known, nullptr, note);
    return out;
  };
  CHECK(found(access_kind::read, true, false) == conflict::other_proxy);
  CHECK(found(access_kind::read, true, true) == conflict::none);
  CHECK(found(access_kind::read, false, false) == conflict::none);
  CHECK(found(access_kind::write, true, false) == conflict::none);
}
