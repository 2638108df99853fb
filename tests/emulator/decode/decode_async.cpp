#include <tg/emulator/decode/decode_async.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <iterator>
#include <numeric>

#include <tg/emulator/async/tensor_map.hpp>

#include "../runner.hpp"

namespace {

using namespace runner;

/// PTX that nvcc wrote for the .cu file beside it.
std::string text_of(const std::string& name) {
  std::ifstream in("tests/emulator/async/" + name + ".ptx");
  REQUIRE(in);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// `text` with every `from` replaced, of which there is one at least.
std::string changed(std::string text, std::string_view from, std::string_view to) {
  std::size_t at = text.find(from);
  REQUIRE(at != text.npos);
  for (; at != text.npos; at = text.find(from, at + to.size())) text.replace(at, from.size(), to);
  return text;
}

std::vector<float> random_floats(std::size_t count, std::uint32_t seed) {
  std::vector<float> out(count);
  for (float& v : out) v = static_cast<float>((seed = seed * 1664525u + 1013904223u) >> 24);
  return out;
}

bool multiplies(const std::string& text, std::uint32_t n, std::uint64_t seed) {
  bench b(text);
  const auto x = random_floats(n * n, 1), y = random_floats(n * n, 2);
  const std::uint64_t px = b.upload(x), py = b.upload(y), pz = b.upload(std::vector<float>(n * n));
  options how;
  how.seed = seed;
  const std::uint32_t tiles = (n + 15) / 16;
  b.run({{tiles, tiles}, {16, 16}}, {px, py, pz, n}, how);
  const auto z = b.download<float>(pz, n * n);
  for (std::uint32_t r = 0; r < n; ++r)
    for (std::uint32_t c = 0; c < n; ++c) {
      float want = 0;
      for (std::uint32_t k = 0; k < n; ++k) want += x[r * n + k] * y[k * n + c];
      if (z[r * n + c] != want) return false;
    }
  return true;
}

bool sums_chunks(const std::string& text, std::uint32_t chunks, std::uint64_t seed) {
  bench b(text);
  std::vector<std::uint32_t> in(3 * chunks * 256);
  std::iota(in.begin(), in.end(), 0u);
  const std::uint64_t from = b.upload(in), to = b.upload(std::vector<std::uint32_t>(3 * 128));
  options how;
  how.seed = seed;
  b.run({{3}, {128}}, {from, to, chunks}, how);
  const auto got = b.download<std::uint32_t>(to, 3 * 128);
  for (std::uint32_t k = 0; k < got.size(); ++k) {
    std::uint32_t want = 0;
    for (std::uint32_t i = k % 128; i < chunks * 256; i += 128) want += in[k / 128 * chunks * 256 + i];
    if (got[k] != want) return false;
  }
  return true;
}

/// Adds up the columns of a matrix of `rows` by `width` through a tensor map.
bool sums_columns(const std::string& text, std::uint32_t rows, std::uint32_t width, std::uint64_t seed = 0) {
  using namespace tg::emulator;
  bench b(text);
  const std::uint32_t pitch = (width + 3) / 4 * 4;
  const auto in = random_floats(std::size_t{rows} * pitch, 3);
  tiled_tensor t;
  t.type = tensor_type::f32;
  t.rank = 2;
  t.address = b.upload(in);
  t.extents = {width, rows, 1, 1, 1};
  t.strides = {pitch * 4u, 0, 0, 0};
  t.box = {32, 16, 1, 1, 1};
  t.swizzle = tensor_swizzle::bytes_128;
  tensor_map map;
  REQUIRE(encode(map, t).empty());
  const std::uint64_t out = b.upload(std::vector<float>(width));
  std::vector<std::byte> params(144);
  std::memcpy(params.data(), map.bytes.data(), 128);
  std::memcpy(params.data() + 128, &out, 8);
  std::memcpy(params.data() + 136, &rows, 4);
  std::memcpy(params.data() + 140, &width, 4);
  options how;
  how.seed = seed;
  tg::emulator::run(b.memory(), b.program(), 0, {{(width + 31) / 32}, {384}}, params, how);
  const auto got = b.download<float>(out, width);
  for (std::uint32_t c = 0; c < width; ++c) {
    float want = 0;
    for (std::uint32_t r = 0; r < rows; ++r) want += in[std::size_t{r} * pitch + c];
    if (got[c] != want) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("nvcc's PTX for a tile pipeline of cp.async") {
  for (const std::uint32_t n : {1u, 15u, 16u, 17u, 64u, 71u})
    for (const std::uint64_t seed : {0, 1}) CHECK(multiplies(text_of("tile_pipeline"), n, seed));
}

TEST_CASE("the same without its waits reads stale tiles") {
  CHECK_FALSE(multiplies(changed(text_of("tile_pipeline"), "cp.async.wait_group", "cp.async.commit_group; //"), 64, 0));
  CHECK_FALSE(multiplies(changed(text_of("tile_pipeline"), "cp.async.wait_group 1", "cp.async.wait_group 2"), 64, 0));
}

TEST_CASE("nvcc's PTX for memcpy_async on a cuda::barrier") {
  for (const std::uint32_t chunks : {1u, 2u, 5u})
    for (const std::uint64_t seed : {0, 1, 2}) CHECK(sums_chunks(text_of("barrier_copy"), chunks, seed));
}

TEST_CASE("nvcc's PTX for producer and consumer warps around a tensor map") {
  for (const std::uint32_t rows : {1u, 16u, 50u, 161u})
    for (const std::uint32_t width : {32u, 33u, 100u})
      for (const std::uint64_t seed : {0, 1}) CHECK(sums_columns(text_of("producer_consumer"), rows, width, seed));
}

TEST_CASE("what is wrong with its mbarriers is reported") {
  const auto fails = [](std::string_view from, std::string_view to) {
    return failure([&] { sums_columns(changed(text_of("producer_consumer"), from, to), 161, 64); });
  };
  const std::string bytes = fails("%r92, 2048;", "%r92, 2064;");
  CHECK(has(bytes, "TG421"));
  CHECK(has(bytes, "16 bytes are missing"));
  const std::string more = fails("], 256;", "], 257;");
  CHECK(has(more, "TG421"));
  CHECK(has(more, "1 of 257 arrivals"));
  CHECK(has(more, "warps 0 to 7"));
}

TEST_CASE("nvcc's PTX for a histogram in the shared memory of a cluster") {
  for (const std::uint32_t size : {1u, 2u, 4u, 8u})
    for (const std::uint64_t seed : {0, 1}) {
      bench b(text_of("cluster_histogram"));
      const std::uint32_t per_block = 64 / size;
      std::vector<std::uint32_t> in(5000);
      std::uint32_t state = 7;
      for (std::uint32_t& v : in) v = (state = state * 1664525u + 1013904223u) >> 26;
      const std::uint64_t bins = b.upload(std::vector<std::uint32_t>(64)), from = b.upload(in);
      launch_shape shape{{8}, {128}, per_block * 4};
      shape.cluster = {size};
      options how;
      how.seed = seed;
      b.run(shape, {bins, per_block, from, in.size()}, how);
      std::vector<std::uint32_t> want(64);
      for (const std::uint32_t v : in) ++want[v];
      CHECK(b.download<std::uint32_t>(bins, 64) == want);
    }
}

TEST_CASE("nvcc's PTX for steps of a cooperative grid") {
  bench b(text_of("grid_steps"));
  const std::uint32_t n = 1000, steps = 5;
  std::vector<std::uint32_t> want(n);
  std::iota(want.begin(), want.end(), 0u);
  const std::uint64_t from = b.upload(want), to = b.upload(std::vector<std::uint32_t>(n));
  launch_shape shape{{9}, {64}};
  shape.cooperative = true;
  b.run(shape, {from, to, n | std::uint64_t{steps} << 32});
  for (std::uint32_t s = 0; s < steps; ++s) {
    const std::vector<std::uint32_t> old = want;
    for (std::uint32_t i = 0; i < n; ++i) want[i] = old[(i + n - 1) % n] + old[(i + 1) % n];
  }
  CHECK(b.download<std::uint32_t>(to, n) == want);
}

TEST_CASE("a dimension past the fifth is refused when it is loaded") {
  const auto loads = [](const std::string& dimension) {
    return failure([&] {
      bench b(retargeted(kernel_text("tensormap.replace.tile.box_dim.global.b1024.b32 [%rd0], " + dimension + ", %r0;"), "8.3",
                         "sm_90a"));
    });
  };
  CHECK(loads("4").empty());
  CHECK(has(loads("5"), "TG400"));
}

TEST_CASE("waits for earlier kernels and prefetches do nothing") {
  const std::string text =
      kernel_text("griddepcontrol.wait; griddepcontrol.launch_dependents; prefetch.tensormap [%rd0];"
                  "fence.proxy.async.global; fence.proxy.tensormap::generic.release.gpu; fence.proxy.alias;"
                  "cp.async.bulk.prefetch.L2.global [%rd0], 64;");
  CHECK(failure_of(retargeted(text, "8.3", "sm_90"), {{1}, {32}}).empty());
}
