#include <tg/emulator/async/tensor_copy.hpp>

#include <doctest/doctest.h>

#include <numeric>

#include "../runner.hpp"

namespace {

using namespace runner;
using namespace tg::emulator;

/// A tensor of u32 whose element number k holds k + 1, and a map of it.
struct device_tensor {
  device_tensor(bench& b, tiled_tensor t, std::uint32_t initial_step = 1) : shape(t) {
    std::size_t count = t.extents[0];
    for (std::size_t k = 1; k < t.rank; ++k) {
      shape.strides[k - 1] = (count * 4 + 15) / 16 * 16;
      count = shape.strides[k - 1] / 4 * t.extents[k];
    }
    std::vector<std::uint32_t> values(count);
    for (std::size_t k = 0; k < count; ++k) values[k] = static_cast<std::uint32_t>(k * initial_step + 1);
    elements = count;
    shape.address = b.upload(values);
    tensor_map map;
    REQUIRE(encode(map, shape).empty());
    address = b.upload(std::vector<std::byte>(map.bytes.begin(), map.bytes.end()));
  }

  /// Element at coordinates, or `outside`.
  std::uint32_t at(const std::array<std::int64_t, 5>& c, std::uint32_t outside) const {
    std::size_t offset = 0;
    for (std::size_t k = 0; k < shape.rank; ++k) {
      if (c[k] < 0 || c[k] >= static_cast<std::int64_t>(shape.extents[k])) return outside;
      offset += static_cast<std::size_t>(c[k]) * (k == 0 ? 4 : shape.strides[k - 1]);
    }
    return static_cast<std::uint32_t>(offset / 4 + 1);
  }

  tiled_tensor shape;
  std::uint64_t address = 0;
  std::size_t elements = 0;
};

tiled_tensor tensor_of(std::initializer_list<std::uint64_t> extents, std::initializer_list<std::uint32_t> box) {
  tiled_tensor t;
  t.type = tensor_type::u32;
  t.rank = static_cast<std::uint32_t>(extents.size());
  std::copy(extents.begin(), extents.end(), t.extents.begin());
  std::copy(box.begin(), box.end(), t.box.begin());
  return t;
}

std::string braces(const std::vector<std::int32_t>& at) {
  std::string out = "{";
  for (std::size_t k = 0; k < at.size(); ++k) out += (k == 0 ? "" : ", ") + std::to_string(at[k]);
  return out + "}";
}

/// Loads the box at `at`; %rd0 is the map, %rd1 receives the tile's 1024 words.
std::string loading(const std::vector<std::int32_t>& at, std::uint32_t bytes, const std::string& more = "") {
  const std::string rank = std::to_string(at.size());
  return kernel_text(".shared .align 1024 .b32 tile[1024]; .shared .align 8 .b64 bar;\n"
                     "mov.u32 %r0, %tid.x; setp.eq.u32 %p0, %r0, 0;\n"
                     "@%p0 mbarrier.init.shared.b64 [bar], 1; fence.proxy.async; bar.sync 0; @!%p0 bra wait;\n"
                     "mbarrier.arrive.expect_tx.shared.b64 _, [bar], " +
                     std::to_string(bytes) + "; prefetch.tensormap [%rd0]; cp.async.bulk.prefetch.tensor." + rank +
                     "d.L2.global [%rd0, " + braces(at) + "];\n" + more + "cp.async.bulk.tensor." + rank +
                     "d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [tile], [%rd0, " + braces(at) +
                     "], [bar];\nwait: mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra wait;\n"
                     "copy: shl.b32 %r1, %r0, 2; mov.u32 %r2, tile; add.u32 %r2, %r2, %r1; ld.shared.u32 %r3, [%r2];"
                     "mul.wide.u32 %rd4, %r0, 4; add.u64 %rd4, %rd4, %rd1; st.global.u32 [%rd4], %r3;"
                     "add.u32 %r0, %r0, 128; setp.lt.u32 %p2, %r0, 1024; @%p2 bra copy;\n");
}

/// Fills the tile with 10000 + word number, and stores it at `at` with `operation`; %rd0 is the map.
std::string storing(const std::vector<std::int32_t>& at, const std::string& operation) {
  return kernel_text(
      ".shared .align 1024 .b32 tile[1024]; mov.u32 %r0, %tid.x; setp.ne.u32 %p0, %r0, 0; mov.u32 %r4, %r0;\n"
      "fill: shl.b32 %r1, %r4, 2; mov.u32 %r2, tile; add.u32 %r2, %r2, %r1; add.u32 %r3, %r4, 10000; st.shared.u32 "
      "[%r2], %r3;"
      "add.u32 %r4, %r4, 128; setp.lt.u32 %p2, %r4, 1024; @%p2 bra fill;\n"
      "fence.proxy.async.shared::cta; bar.sync 0; @%p0 bra end;\n" +
      operation + " [%rd0, " + braces(at) + "], [tile]; cp.async.bulk.commit_group; cp.async.bulk.wait_group 0;\nend:\n");
}

void check_load(const tiled_tensor& shape, const std::vector<std::int32_t>& at) {
  const tensor_index start = [&] {
    tensor_index out{};
    std::copy(at.begin(), at.end(), out.begin());
    return out;
  }();
  const tensor_box box(shape, start);
  bench b(loading(at, box.bytes()));
  const device_tensor t(b, shape);
  const std::uint64_t to = b.upload(std::vector<std::uint32_t>(1024));
  b.run({{1}, {128}}, {t.address, to});
  const auto got = b.download<std::uint32_t>(to, 1024);
  for (std::uint32_t k = 0; k < box.bytes() / 4; ++k) {
    std::array<std::int64_t, 5> c{};
    std::uint32_t rest = k;
    for (std::size_t d = 0; d < shape.rank; ++d) {
      const std::uint32_t step = d == 0 ? 1 : shape.steps[d], count = (shape.box[d] + step - 1) / step;
      c[d] = start[d] + std::int64_t{rest % count} * step;
      rest /= count;
    }
    REQUIRE_EQ(got[swizzled(4 * k, shape.swizzle) / 4], t.at(c, 0));
  }
}

}  // namespace

TEST_CASE("boxes of 1 to 5 dimensions come to shared memory") {
  check_load(tensor_of({100}, {64}), {12});
  check_load(tensor_of({40, 30}, {16, 8}), {4, 5});
  check_load(tensor_of({20, 10, 6}, {8, 4, 2}), {4, 5, 1});
  check_load(tensor_of({12, 5, 4, 3}, {4, 2, 2, 2}), {4, 2, 1, 1});
  check_load(tensor_of({12, 5, 4, 3, 3}, {4, 2, 2, 2, 2}), {4, 2, 1, 1, 0});
}

TEST_CASE("what is outside the tensor is read as zero") {
  check_load(tensor_of({40, 30}, {16, 8}), {-4, -2});
  check_load(tensor_of({40, 30}, {16, 8}), {32, 27});
  check_load(tensor_of({40, 30}, {16, 8}), {100, 100});
  check_load(tensor_of({20, 10, 6}, {8, 4, 2}), {16, -1, 5});
}

TEST_CASE("or as NaN") {
  tiled_tensor shape = tensor_of({40, 30}, {16, 8});
  shape.type = tensor_type::f32;
  shape.fill = tensor_fill::nan;
  bench b(loading({32, 0}, 512));
  const device_tensor t(b, shape);
  const std::uint64_t to = b.upload(std::vector<std::uint32_t>(1024));
  b.run({{1}, {128}}, {t.address, to});
  const auto got = b.download<std::uint32_t>(to, 16);
  CHECK_EQ(got[7], 40);
  CHECK_EQ(got[8], 0x7ff77ff7);
}

TEST_CASE("swizzled and stepping boxes") {
  for (const tensor_swizzle how : {tensor_swizzle::bytes_32, tensor_swizzle::bytes_64, tensor_swizzle::bytes_128}) {
    tiled_tensor shape = tensor_of({64, 40}, {4u << static_cast<unsigned>(how), 16});
    shape.swizzle = how;
    check_load(shape, {8, 3});
  }
  tiled_tensor stepping = tensor_of({64, 40}, {16, 9});
  stepping.steps = {1, 2, 1, 1, 1};
  check_load(stepping, {0, 1});
}

TEST_CASE("a box is stored, and cut at the edges") {
  bench b(storing({36, 28}, "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group"));
  const device_tensor t(b, tensor_of({40, 30}, {16, 8}));
  b.run({{1}, {128}}, {t.address});
  const auto got = b.download<std::uint32_t>(t.shape.address, t.elements);
  for (std::uint32_t k = 0; k < got.size(); ++k) {
    const std::uint32_t x = k % 40, y = k / 40;
    REQUIRE_EQ(got[k], x >= 36 && y >= 28 ? 10000 + (y - 28) * 16 + (x - 36) : k + 1);
  }
}

TEST_CASE("a box is added to the tensor") {
  bench b(storing({8, 1}, "cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group"));
  const device_tensor t(b, tensor_of({40, 30}, {16, 8}));
  b.run({{1}, {128}}, {t.address});
  const auto got = b.download<std::uint32_t>(t.shape.address, t.elements);
  CHECK_EQ(got[40 + 8], 49 + 10000);
  CHECK_EQ(got[8 * 40 + 23], 8 * 40 + 24 + 10000 + 7 * 16 + 15);
  CHECK_EQ(got[9 * 40 + 23], 9 * 40 + 24);
  CHECK_EQ(got[40 + 7], 48);
}

TEST_CASE("fields of a map are replaced on the device") {
  const std::string replace =
      "tensormap.replace.tile.global_dim.global.b1024.b32 [%rd0], 1, 12; mov.u32 %r9, 20; "
      "tensormap.replace.tile.global_dim.global.b1024.b32 [%rd0], 0, %r9; "
      "tensormap.replace.tile.global_stride.global.b1024.b64 [%rd0], 0, 80;"
      "tensormap.replace.tile.swizzle_mode.global.b1024.b32 [%rd0], 2; tensormap.replace.tile.rank.global.b1024.b32 "
      "[%rd0], 1;"
      "tensormap.replace.tile.box_dim.global.b1024.b32 [%rd0], 1, 4; fence.proxy.tensormap::generic.acquire.gpu "
      "[%rd0], 128;\n";
  bench b(retargeted(loading({4, 10}, 256, replace), "8.3", "sm_90a"));
  const device_tensor t(b, tensor_of({40, 30}, {16, 8}));
  const std::uint64_t to = b.upload(std::vector<std::uint32_t>(1024));
  b.run({{1}, {128}}, {t.address, to});
  const auto got = b.download<std::uint32_t>(to, 1024);
  CHECK_EQ(got[0], 10 * 20 + 4 + 1);
  CHECK_EQ(got[16], 11 * 20 + 4 + 1);
  CHECK_EQ(got[32 + 4], 0);
}

TEST_CASE("tensor copies are checked when they begin") {
  const auto run = [](std::uint32_t offset, std::uint64_t extent, const std::string& more = "") {
    return failure([&] {
      bench b(loading({0, 0}, 512, more));
      const device_tensor t(b, tensor_of({40, 30}, {16, 8}));
      tiled_tensor longer = t.shape;
      longer.extents[1] = extent;
      tensor_map map;
      REQUIRE(encode(map, longer).empty());
      std::vector<std::byte> bytes(map.bytes.begin(), map.bytes.end());
      if (extent == 77) bytes.assign(256, std::byte{3});
      const std::uint64_t at = b.upload(bytes);
      b.run({{1}, {128}}, {at + offset, b.upload(std::vector<std::uint32_t>(1024))});
    });
  };
  CHECK(run(0, 30).empty());
  CHECK(has(run(0, 77), "TG455"));
  CHECK(has(run(8, 30), "TG403"));
  const std::string other_rank = failure([&] {
    bench b(loading({0, 0}, 512));
    const device_tensor t(b, tensor_of({40, 30, 2}, {16, 8, 1}));
    b.run({{1}, {128}}, {t.address, t.address});
  });
  CHECK(has(other_rank, "TG455"));
  for (const std::int32_t first : {3, -2, 4}) {
    const std::string unaligned = failure([&] {
      bench b(loading({first, 0}, 512));
      const device_tensor t(b, tensor_of({40, 30}, {16, 8}));
      b.run({{1}, {128}}, {t.address, b.upload(std::vector<std::uint32_t>(1024))});
    });
    CHECK(has(unaligned, "TG455") == (first != 4));
    CHECK(has(unaligned, "bytes from its beginning") == (first != 4));
  }
  const std::string past_the_end = failure([&] {
    bench b(loading({0, 28}, 512));
    device_tensor t(b, tensor_of({40, 30}, {16, 8}));
    t.shape.extents[1] = 40;
    tensor_map map;
    REQUIRE(encode(map, t.shape).empty());
    b.run({{1}, {128}}, {b.upload(std::vector<std::byte>(map.bytes.begin(), map.bytes.end())), t.address});
  });
  CHECK(has(past_the_end, "TG402"));
}

TEST_CASE("a tile of a tensor that is touched too early is a race, the clean twins are silent") {
  const auto failing = [](std::string text, const char* what, const char* instead, std::uint64_t seed) {
    if (*what != '\0') {
      REQUIRE(text.find(what) != std::string::npos);
      text.replace(text.find(what), std::strlen(what), instead);
    }
    bench b(text);
    const device_tensor tensor(b, tensor_of({32, 32}, {16, 8}));
    const std::uint64_t to = b.upload(std::vector<std::uint32_t>(1024));
    options how;
    how.seed = seed;
    how.check = check::checkers::none();
    how.check.memory = how.check.race = true;
    return failure([&] { b.run({{1}, {128}}, {tensor.address, to}, how); });
  };
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    const std::string load = loading({4, 4}, 512),
                      store = storing({4, 4}, "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group");
    CHECK_EQ(failing(load, "", "", seed), "");
    CHECK_EQ(failing(store, "", "", seed), "");
    const std::string early =
        failing(load, "mbarrier.try_wait.parity.shared::cta.b64 %p1, [bar], 0; @!%p1 bra wait;", "", seed);
    CHECK(has(early, "TG416"));
    CHECK(has(early, "Async Write access"));
    const std::string unfenced = failing(store, "fence.proxy.async.shared::cta;", "", seed);
    CHECK(has(unfenced, "TG416"));
    CHECK(has(unfenced, "async proxy"));
    const std::string changed =
        failing(store, "cp.async.bulk.wait_group 0;", "st.shared.u32 [tile], %r3; cp.async.bulk.wait_group 0;", seed);
    CHECK(has(changed, "TG416"));
    CHECK(has(changed, "Async Read access"));
  }
}
