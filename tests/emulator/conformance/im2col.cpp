// Tensor copies by im2col, against columns gathered on the host.
#include "columns.hpp"

#include <doctest/doctest.h>

#include <tg/emulator/async/tensor_map.hpp>

#include "../runner.hpp"

namespace {

using namespace conformance;
using namespace runner;

/// %rd0 the map, %rd1 the tile, %rd2 coordinates in %r10 to %r14, offsets in %h0 to %h2, bytes of the column in %r15.
std::string frame(const std::string& body) {
  std::string text =
      ".shared .align 1024 .b8 tile[8192]; .shared .align 8 .b64 bar;\nmov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;\n"
      "ld.global.u32 %r15, [%rd2+32]; mov.u32 %r2, tile; shl.b32 %r4, %r0, 2; add.u32 %r2, %r2, %r4;"
      "cvt.u64.u32 %rd4, %r4; add.u64 %rd4, %rd4, %rd1; mov.u32 %r1, %r2; add.u32 %r3, %r2, 8192;\n";
  for (int k = 0; k < 5; ++k) text += "ld.global.s32 %r1" + std::to_string(k) + ", [%rd2+" + std::to_string(4 * k) + "];";
  for (int k = 0; k < 3; ++k) text += "ld.global.u16 %h" + std::to_string(k) + ", [%rd2+" + std::to_string(20 + 4 * k) + "];";
  return kernel_text(text + "\n" + body);
}
constexpr const char* next_word = "add.u32 %r2, %r2, 256; add.u64 %rd4, %rd4, 256; setp.lt.u32 %p2, %r2, %r3;";

std::string coordinates(std::uint32_t rank) {
  std::string out = "[%rd0, {%r10";
  for (std::uint32_t k = 1; k < rank; ++k) out += ", %r1" + std::to_string(k);
  return out + "}]";
}
std::string offset_list(std::uint32_t rank) { return rank == 3 ? "{%h0}" : rank == 4 ? "{%h0, %h1}" : "{%h0, %h1, %h2}"; }

std::string loading(std::uint32_t rank) {
  const std::string prefix = "cp.async.bulk.", what = "tensor." + std::to_string(rank) + "d.";
  return frame("clear: st.shared.b32 [%r1], 0; add.u32 %r1, %r1, 256; setp.lt.u32 %p2, %r1, %r3; @%p2 bra clear;\n"
               "@%p0 mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; bar.sync 0; @!%p0 bra wait;\n"
               "mbarrier.arrive.expect_tx.shared.b64 _, [bar], %r15;\n" +
               prefix + "prefetch." + what + "L2.global.im2col " + coordinates(rank) + ", " + offset_list(rank) + ";\n" +
               prefix + what + "shared::cluster.global.im2col.mbarrier::complete_tx::bytes [tile], " + coordinates(rank) +
               ", [bar], " + offset_list(rank) +
               ";\nwait: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra wait;\n"
               "copy: ld.shared.b32 %r5, [%r2]; st.global.b32 [%rd4], %r5;" +
               next_word + "@%p2 bra copy;");
}

std::string storing(std::uint32_t rank, const std::string& operation) {
  return frame("fill: ld.global.b32 %r5, [%rd4]; st.shared.b32 [%r2], %r5;" + std::string(next_word) +
               "@%p2 bra fill;\nfence.proxy.async.shared::cta; bar.sync 0; @!%p0 bra end;\n" + operation + " " +
               coordinates(rank) + ", [tile]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nend:");
}
std::string store_of(std::uint32_t rank, const std::string& reduction = "") {
  return (reduction.empty() ? "cp." : "cp.reduce.") + ("async.bulk.tensor." + std::to_string(rank)) + "d.global.shared::cta." +
         reduction + "im2col_no_offs.bulk_group";
}

std::string replaced(std::string text, std::string_view from, std::string_view to) {
  REQUIRE(text.find(from) != text.npos);
  return text.replace(text.find(from), from.size(), to);
}

/// A copy by a cluster of two blocks, of which the first sends the column to both; block b fills tile b at %rd1.
std::string sending(std::uint32_t rank) {
  std::string text = loading(rank);
  text = replaced(text, "mov.u32 %r0, %tid.x;",
                  "mov.u32 %r0, %tid.x; mov.u32 %r8, %cluster_ctarank; setp.eq.u32 %p5, %r8, 0; mov.b16 %h3, 3;"
                  "mul.wide.u32 %rd5, %r8, 8192; add.u64 %rd1, %rd1, %rd5;");
  text = replaced(text, "bar.sync 0;", "fence.mbarrier_init.release.cluster; barrier.cluster.arrive; barrier.cluster.wait;");
  text = replaced(text, "cp.async.bulk.tensor", "@%p5 cp.async.bulk.tensor");
  text = replaced(text, "complete_tx::bytes", "complete_tx::bytes.multicast::cluster");
  return replaced(text, offset_list(rank) + ";\nwait", offset_list(rank) + ", %h3;\nwait");
}

/// Runs one copy. Returns: the tile's bytes where they were loaded, the tensor's where they were stored.
bytes run(bench& b, column_copy c, bytes tile, bool is_store, const options& how, bool is_filled = true,
          std::uint32_t blocks = 1) {
  const std::uint64_t address = is_filled ? b.upload(c.tensor) : b.memory().allocate(c.tensor.size()), to = b.upload(tile);
  c.t.address = address;
  tensor_map map;
  REQUIRE_EQ(encode(map, c.t), "");
  std::vector<std::int32_t> args;
  for (const std::int64_t k : c.at) args.push_back(static_cast<std::int32_t>(k));
  for (const std::uint32_t k : c.offsets) args.push_back(static_cast<std::int32_t>(k));
  args.push_back(static_cast<std::int32_t>(c.column_bytes()));
  const std::uint64_t at = b.upload(std::vector<std::byte>(map.bytes.begin(), map.bytes.end())), from = b.upload(args);
  launch_shape shape{{blocks}, {64}};
  shape.cluster = {blocks};
  b.run(shape, {at, to, from}, how);
  const bytes out = is_store ? b.download<std::uint8_t>(address, c.tensor.size()) : b.download<std::uint8_t>(to, tile.size());
  for (const std::uint64_t a : {address, to, at, from}) b.memory().release(a);
  return out;
}

options checked(std::uint64_t seed = 0) {
  options how;
  how.check = check::checkers::all();
  how.seed = seed;
  return how;
}

}  // namespace

TEST_CASE("conformance: im2col brings columns of images of 1 to 3 dimensions to shared memory") {
  std::mt19937 bits(11);
  for (const std::uint32_t rank : {3u, 4u, 5u}) {
    bench b(loading(rank));
    std::size_t moved_seen = 0, inside = 0;
    for (int k = 0; k < 80; ++k) {
      const column_copy c = random_copy(bits, rank, false);
      CAPTURE(sentence(c));
      const bytes want = loaded(c, c.offsets);
      REQUIRE(run(b, c, bytes(tile_bytes), false, checked(static_cast<std::uint64_t>(k % 2))) == want);
      each_byte(c, c.offsets, [&](std::uint32_t, std::int64_t from, std::uint32_t) { inside += from >= 0; });
      im2col_offsets moved = c.offsets;
      ++moved[static_cast<std::size_t>(k) % (rank - 2)];
      moved_seen += loaded(c, moved) != want;
    }
    CHECK_GT(inside, 10000);
    CHECK_GT(moved_seen, 50);  // another offset is another column
  }
}

TEST_CASE("conformance: im2col sends a column to several blocks") {
  std::mt19937 bits(15);
  for (const std::uint32_t rank : {3u, 5u}) {
    bench b(sending(rank));
    for (int k = 0; k < 5; ++k) {
      const column_copy c = random_copy(bits, rank, false);
      CAPTURE(sentence(c));
      bytes want = loaded(c, c.offsets);
      want.insert(want.end(), want.begin(), want.begin() + tile_bytes);
      REQUIRE(run(b, c, bytes(2 * tile_bytes), false, checked(), true, 2) == want);
    }
  }
}

TEST_CASE("conformance: im2col_no_offs stores columns, but what is outside the tensor") {
  std::mt19937 bits(12);
  for (const std::uint32_t rank : {3u, 4u, 5u}) {
    bench b(storing(rank, store_of(rank)));
    std::size_t stored = 0;
    for (int k = 0; k < 50; ++k) {
      const column_copy c = random_copy(bits, rank, true);
      CAPTURE(sentence(c));
      bytes tile(tile_bytes), want = c.tensor;
      for (std::uint8_t& v : tile) v = static_cast<std::uint8_t>(bits() >> 24);
      each_byte(c, {}, [&](std::uint32_t from, std::int64_t to, std::uint32_t) {
        if (to >= 0) want[static_cast<std::size_t>(to)] = tile[from], ++stored;
      });
      REQUIRE(run(b, c, tile, true, checked(static_cast<std::uint64_t>(k % 2))) == want);
    }
    CHECK_GT(stored, 2000);
  }
}

TEST_CASE("conformance: and combines them with what is there") {
  std::mt19937 bits(13);
  for (const bool is_sum : {true, false}) {
    bench b(storing(4, store_of(4, is_sum ? "add." : "max.")));
    for (int k = 0; k < 20; ++k) {
      column_copy c = random_copy(bits, 4, true);
      while (c.t.type != tensor_type::u32) c = random_copy(bits, 4, true);
      bytes tile(tile_bytes), want = c.tensor;
      for (std::uint8_t& v : tile) v = static_cast<std::uint8_t>(bits() >> 24);
      each_byte(c, {}, [&](std::uint32_t from, std::int64_t to, std::uint32_t byte) {
        if (to < 0 || byte != 0) return;
        std::uint32_t old = 0, value = 0;
        std::memcpy(&old, &want[static_cast<std::size_t>(to)], 4);
        std::memcpy(&value, &tile[from], 4);
        old = is_sum ? old + value : std::max(old, value);
        std::memcpy(&want[static_cast<std::size_t>(to)], &old, 4);
      });
      REQUIRE(run(b, c, tile, true, checked()) == want);
    }
  }
}

TEST_CASE("im2col copies that cannot be done are refused when they begin, and checkers see what they touch") {
  column_copy good;
  good.t.type = tensor_type::u32;
  good.t.rank = 4;
  good.t.extents = {8, 5, 4, 2, 1};
  good.t.strides = {32, 160, 640, 0};
  good.t.channels = 8;
  good.t.pixels = 30;
  good.tensor.resize(1280);
  const auto failing = [&](const std::string& text, auto change, bool is_filled = true) {
    return failure([&] {
      bench b(text);
      column_copy c = good;
      change(c);
      run(b, c, bytes(tile_bytes), text.find("bulk_group") != text.npos, checked(), is_filled);
    });
  };
  const auto unchanged = [](column_copy&) {};
  const std::string load = loading(4), store = storing(4, store_of(4));
  CHECK_EQ(failing(load, unchanged), "");
  CHECK_EQ(failing(store, unchanged), "");
  const std::string before = failing(load, [](column_copy& c) { c.at[1] = -1; });
  CHECK(has(before, "TG455"));
  CHECK(has(before, "in the bounding box"));
  CHECK(has(failing(load, [](column_copy& c) { c.offsets[1] = 256; }), "TG455"));
  CHECK(has(failing(store, [](column_copy& c) { c.t.lower[0] = -1; }), "TG455"));
  CHECK(has(failing(store, [](column_copy& c) { c.at[3] = -1; }), "TG455"));
  CHECK(has(failing(loading(5), [](column_copy&) {}), "TG455"));
  const std::string tiled = failing(replaced(store, ".im2col_no_offs", ".tile"), unchanged);
  CHECK(has(tiled, "TG455"));
  CHECK(has(tiled, "no tensor map of tiles"));
  CHECK(has(failing(load, [](column_copy& c) { c.tensor.resize(c.tensor.size() / 2); }), "TG402"));
  CHECK(has(failing(load, unchanged, false), "TG413"));
  const std::string early =
      failing(replaced(load, "mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra wait;", ""), unchanged);
  CHECK(has(early, "TG416"));
  CHECK(has(early, "Async Write access"));
  CHECK(has(failing(replaced(store, "fence.proxy.async.shared::cta;", ""), unchanged), "TG416"));
}
