#include <tg/emulator/check/access_history.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <tuple>
#include <vector>

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
  const auto found = [](access_kind second, engine proxy, engine seen) {
    access_history h;
    conflict out = conflict::none;
    const auto note = [&](const access_record&, conflict c, std::uint64_t) { out = c; };
    h.add(64, 4, {{0, 0}, 1, 1, 10, 0, access_kind::write, scope::all}, nullptr, nullptr, note);
    vector_clock known;
    std::array<std::uint32_t, 32> epochs{};
    epochs[0] = 1;
    known.raise({0, 0}, 1, epochs);
    if (seen != engine::none) known.raise_proxies(seen);
    const warp_name by = warp_name{0, 1}.beside(engine::bulk_reads);
    h.add(64, 4, {by, 1, 1, 11, 0, second, scope::all, proxy}, &known, nullptr, note);
    return out;
  };
  using enum engine;
  for (const engine own : {proxy_of_shared, proxy_of_global}) {
    const engine other = own == proxy_of_shared ? proxy_of_global : proxy_of_shared;
    CHECK(found(access_kind::read, own, none) == conflict::other_proxy);
    CHECK(found(access_kind::read, own, other) == conflict::other_proxy);
    CHECK(found(access_kind::read, own, own) == conflict::none);
    CHECK(found(access_kind::write, own, none) == conflict::none);
  }
  CHECK(found(access_kind::read, none, none) == conflict::none);
}

namespace {

using conflicts = std::vector<
    std::tuple<warp_name, std::uint32_t, std::uint32_t, warp_name, std::uint32_t, std::uint32_t, conflict, std::uint64_t>>;

/// Two histories of the same accesses by blocks of 64 threads to one memory: one sees them whole, one lane by lane.
class twins {
 public:
  static constexpr std::uint32_t threads = 64, blocks = 3;

  explicit twins(bool is_strict)
      : bytes_(1 << 16),
        whole_(is_strict, reinterpret_cast<std::uint64_t>(bytes_.data())),
        single_(is_strict, reinterpret_cast<std::uint64_t>(bytes_.data())) {}

  /// `is_lost`: the one that looks lane by lane does not hear of it.
  void add(even_record r, bool is_lost = false) {
    r.epoch = 1 + 2 * barriers_[r.block];
    r.is_united = true;
    r.serial = ++serial_;
    if (barriers_[r.block] != 0) {
      auto clock = std::make_shared<vector_clock>();
      clock->raise_block(r.block, 2, ~0u, r.epoch - 2);
      r.known = clock;
    }
    std::vector<std::byte> written(threads * r.at.bytes());
    for (std::byte& b : written) b = static_cast<std::byte>(bits() % 3);
    const auto value = [&](std::uint32_t t, std::byte* to) { std::memcpy(to, &written[t * r.at.bytes()], r.at.bytes()); };
    const auto note = [](conflicts& to) {
      return [&to](const access_record& now, const access_record& earlier, conflict c, std::uint64_t at) {
        to.push_back({now.warp, now.lanes, now.operation, earlier.warp, earlier.lanes, earlier.operation, c, at});
      };
    };
    // One instruction of two ranges of threads: nothing of it is in memory before both are followed.
    even_record parts[] = {r, r};
    parts[0].count = static_cast<std::uint32_t>(bits() % r.count);
    parts[1].first += parts[0].count;
    parts[1].count -= parts[0].count;
    for (const even_record& part : parts) {
      if (part.count == 0) continue;
      whole_.add(part, value, note(of_whole));
      if (!is_lost) by_lanes(part, value, note(of_single));
    }
    if (r.kind == access_kind::write)
      for (std::uint32_t t = r.first; t < r.first + r.count; ++t) value(t, &bytes_[r.at.of(t)]);
  }
  void pass_barrier(std::uint32_t block) { ++barriers_[block]; }

  /// Whether both say of each byte that it was not touched, that it was read, or that it was written.
  bool have_touched_the_same() const { return touched(whole_) == touched(single_); }

  std::mt19937 bits{7};
  conflicts of_whole, of_single;

 private:
  std::vector<int> touched(const access_history& h) const {
    touched_bytes t;
    h.collect(t);
    t.settle();
    std::vector<int> out(bytes_.size());
    for (const touched_range& r : t.ranges()) std::fill(&out[r.begin], &out[r.end - 1] + 1, some_write(r.kinds) ? 2 : 1);
    return out;
  }
  template <class Value, class Note> void by_lanes(const even_record& r, Value value, Note note) {
    for (std::uint32_t t = r.first; t < r.first + r.count; ++t) {
      const std::uint32_t w = t / 32;
      std::uint32_t same = 0;
      bool is_first = true;
      for (std::uint32_t k = std::max(r.first, w * 32); k < std::min(r.first + r.count, w * 32 + 32); ++k)
        if (k == t || (r.kind == access_kind::read && r.at.of(k) == r.at.of(t))) {
          is_first = is_first && k >= t;
          same |= 1u << k % 32;
        }
      if (!is_first) continue;
      std::array<std::byte, 64> made;
      if (r.kind == access_kind::write) value(t, made.data());
      const access_record now{{r.block, w}, same, r.epoch, r.operation, 0, r.kind, scope::all};
      single_.add(r.at.of(t), r.at.bytes(), now, r.known.get(), r.kind == access_kind::write ? made.data() : nullptr,
                  [&](const access_record& earlier, conflict c, std::uint64_t at) { note(now, earlier, c, at); });
    }
  }

  std::vector<std::byte> bytes_;
  access_history whole_, single_;
  std::array<std::uint32_t, blocks> barriers_{};
  std::uint64_t serial_ = 0;
};

/// Random accesses to a few pages.
conflicts difference(std::uint32_t seed, bool is_strict, int loses = -1) {
  twins both(is_strict);
  both.bits.seed(seed);
  const auto below = [&](int n) { return static_cast<int>(both.bits() % static_cast<unsigned>(n)); };
  const tg::emulator::launch_shape::extent shapes[] = {{64}, {16, 4}, {8, 4, 2}};
  const int reads_of_ten = 4 + below(6), count = 4 + below(60);
  for (int k = 0; k < count; ++k) {
    const auto block = static_cast<std::uint32_t>(below(3));
    if (below(4) == 0) both.pass_barrier(block);
    const auto& shape = shapes[below(3)];
    const int width = 1 << (below(4) == 0 ? below(5) : 2), dx = width * (below(3) != 0 ? 1 : below(4) == 0 ? 32 : below(4));
    const std::int64_t dy = below(3) == 0 ? width * (below(2) * below(30)) : dx * std::int64_t{shape.x};
    const std::int64_t base = below(2) * 1024 + below(4) * 16 + (below(3) == 0 ? 0 : block * 1024);
    even_record r;
    r.at = even_addresses(base, dx, dy, dy * shape.y, static_cast<std::uint32_t>(width), shape);
    r.first = below(3) == 0 ? static_cast<std::uint32_t>(below(twins::threads)) : 0;
    r.count = static_cast<std::uint32_t>(
        1 + (below(2) == 0 ? twins::threads - r.first - 1 : below(static_cast<int>(twins::threads - r.first))));
    r.block = block;
    r.operation = static_cast<std::uint32_t>(below(12));
    r.kind = below(10) < reads_of_ten || !r.at.is_apart() ? access_kind::read : access_kind::write;
    both.add(r, k == loses);
  }
  if (loses < 0) CHECK(both.have_touched_the_same());
  if (both.of_whole != both.of_single) return both.of_single.empty() ? both.of_whole : both.of_single;
  return {};
}

}  // namespace

TEST_CASE("accesses seen whole and lane by lane have the same conflicts, and touch the same bytes") {
  int differ = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    CAPTURE(seed);
    CHECK(difference(seed, seed % 4 == 0).empty());
    differ += !difference(seed, seed % 4 == 0, static_cast<int>(seed % 5)).empty();  // when one access is left out
  }
  CHECK(differ > 70);
}

TEST_CASE("a page that is read without end forgets what happened before, or keeps to its words") {
  const tg::emulator::launch_shape::extent shape{64};
  for (const bool has_barriers : {true, false}) {
    CAPTURE(has_barriers);
    twins both(false);
    even_record r;
    r.at = even_addresses(0, 4, 0, 0, 4, shape);
    r.count = 64;
    for (std::uint32_t k = 0; k < access_history::most_even + 20; ++k) {
      r.block = k == 3 ? 1 : 0;
      r.operation = k;
      both.add(r);
      if (has_barriers && k % 7 == 0) both.pass_barrier(0);
    }
    r.kind = access_kind::write;
    both.add(r);
    CHECK(both.of_whole.size() == 64);  // block 1 alone
    CHECK(both.of_whole == both.of_single);
  }
}

TEST_CASE("what was accessed is collected from logs and from words") {
  access_history h;
  const auto nothing = [](const access_record&, conflict, std::uint64_t) {};
  const std::uint32_t one = 1;
  h.add(2048, 4, {{0, 0}, 1, 1, 10, 0, access_kind::read, scope::all}, nullptr, nullptr, nothing);
  h.add(2052, 4, {{0, 0}, 1, 1, 11, 0, access_kind::write, scope::all}, nullptr, reinterpret_cast<const std::byte*>(&one),
        nothing);
  h.add(3073, 1, {{0, 0}, 1, 1, 12, 0, access_kind::strong_write, scope::all}, nullptr, nullptr, nothing);
  touched_bytes t;
  h.collect(t);
  t.settle();
  CHECK(t.ranges() == tg::dynamic_array<touched_range>{{2048, 2052, bit_of(access_kind::read)},
                                                       {2052, 2056, bit_of(access_kind::write)},
                                                       {3073, 3074, bit_of(access_kind::strong_write)}});
}
