#include <tg/runtime/shared_sizes.hpp>

#include <doctest/doctest.h>

#include <numeric>
#include <string>
#include <vector>

#include <tg/dsl.hpp>
#include <tg/dsl/memory/sized_tile.hpp>
#include <tg/emulator/launch/finding.hpp>
#include <tg/emulator/launch/launch_shape.hpp>
#include <tg/runtime/executable_graph.hpp>
#include <tg/runtime/function.hpp>
#include <tg/runtime/graph.hpp>
#include <tg/runtime/package.hpp>
#include <tg/runtime/prepared.hpp>
#include <tg/runtime/stream.hpp>

#include "hand_written.hpp"

using namespace tg::literals;
using hand_written::error_of;

namespace {

/// Turns 16384 floats round through two tiles of 64 KB.
inline constexpr auto two_tiles = tg::kernel<"two_tiles">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y) {
  auto a = tg::shared<float>(tg::shape<16384>);
  auto b = tg::shared<float>(tg::shape<16384>);
  tg::for_(tg::range(block.thread.x, 16384_c, 256_c), [&](auto i) {
    a(i) = x(i);
    b(16383_c - i) = x(i);
  });
  block.sync();
  tg::for_(tg::range(block.thread.x, 16384_c, 256_c), [&](auto i) { y(i) = a(16383_c - i) + b(i); });
});

/// Turns n floats round through tiles of n and n + 1.
inline constexpr auto of_n =
    tg::kernel<"of_n">(tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
      auto a = tg::shared<float>(n);
      auto one = tg::shared<float>(tg::shape<256>);
      auto b = tg::shared<float>(n + 1u);
      one(block.thread.x) = 1.0f;
      tg::for_(tg::range(block.thread.x, n, 256_c), [&](auto i) {
        a(i) = x(i);
        b(i + 1_c) = 2.0f * x(i);
      });
      block.sync();
      tg::for_(tg::range(block.thread.x, n, 256_c), [&](auto i) { y(i) = a(n - 1u - i) + b(n - i) + one(block.thread.x); });
    });

/// A transposition through a tile of rows with an odd number of words.
inline constexpr auto turned = tg::kernel<"turned">(
    tg::block<32>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<int> rows, tg::scalar<unsigned> pitch) {
      auto tile = tg::shared<float, tg::remainder<32, 1>>(rows, pitch);
      const auto t = block.thread.x;
      tg::for_(tg::range(32_c), [&](auto r) { tile(r, t) = x(r * 32_c + t); });
      block.sync();
      tg::for_(tg::range(32_c), [&](auto r) { y(r * 32_c + t) = tile(t, r); });
    });

std::vector<float> numbers(std::size_t n) {
  std::vector<float> out(n);
  std::iota(out.begin(), out.end(), 1.0f);
  return out;
}

bool is_turned_round(const std::vector<float>& out, std::size_t n, float factor, float more) {
  for (std::size_t i = 0; i < n; ++i)
    if (out[i] != factor * static_cast<float>(n - i) + more) return false;
  return true;
}

}  // namespace

TEST_CASE("a kernel with 128 KB of tiles is launched like any other") {
  tg::device gpu("emulator");
  const auto x = gpu.upload(numbers(16384));
  auto y = gpu.zeros<float>(16384);
  gpu.launch(two_tiles, tg::grid(2), x, y);
  CHECK(is_turned_round(y.to_host(), 16384, 2, 0));
  const auto& made = gpu.compile(two_tiles);
  CHECK(made.static_shared_bytes == 0);
  CHECK(made.shared.fixed_bytes == 131072);

  y.zero();
  const tg::prepared again(gpu, two_tiles, tg::grid(1));
  again(x, y);
  CHECK(is_turned_round(y.to_host(), 16384, 2, 0));
  y.zero();
  gpu.launch(two_tiles, tg::grid(1).shared(1024), x, y);
  CHECK(is_turned_round(y.to_host(), 16384, 2, 0));
  CHECK(error_of([&] { gpu.launch(two_tiles, tg::grid(1).shared(120000), x, y); }).number == 567);
}

TEST_CASE("tiles whose size is an argument get what they need") {
  tg::device gpu("emulator");
  const auto x = gpu.upload(numbers(20000));
  auto y = gpu.zeros<float>(20000);
  const tg::prepared prepared(gpu, of_n, tg::grid(1));
  for (const unsigned n : {1u, 255u, 256u, 257u, 6007u, 12288u, 20000u}) {
    gpu.launch(of_n, tg::grid(1), x, y, n);
    CHECK(is_turned_round(y.to_host(), n, 3, 1));
    y.zero();
    prepared(x, y, n);
    CHECK(is_turned_round(y.to_host(), n, 3, 1));
    y.zero();
    gpu.launch(of_n, tg::grid(1).priority(0), x, y, n);
    CHECK(is_turned_round(y.to_host(), n, 3, 1));
  }
}

TEST_CASE("a graph's kernel has the shared memory of its arguments") {
  tg::device gpu("emulator");
  const auto x = gpu.upload(numbers(20000));
  auto y = gpu.zeros<float>(20000);
  tg::graph g(gpu);
  g.after().launch(of_n, tg::grid(1), x, y, 20000u);
  const auto ready = g.instantiate();
  tg::stream_view(gpu, nullptr).replay(ready);
  CHECK(is_turned_round(y.to_host(), 20000, 3, 1));
}

TEST_CASE("a packaged kernel and one of a module know their tiles from the text") {
  tg::device gpu("emulator");
  const auto x = gpu.upload(numbers(20000));
  auto y = gpu.zeros<float>(20000);
  const tg::packaged_kernel<std::remove_const_t<decltype(of_n)>> packaged(tg::to_package(tg::to_bytes(tg::package_of(of_n))));
  gpu.launch(packaged, tg::grid(1), x, y, 20000u);
  CHECK(is_turned_round(y.to_host(), 20000, 3, 1));
  y.zero();
  const tg::module m(gpu, tg::package_of(of_n).source.ptx);
  m.function("of_n").launch(tg::grid(1), {256, 1, 1}, x, y, 20000u);
  CHECK(is_turned_round(y.to_host(), 20000, 3, 1));
}

TEST_CASE("what does not fit is refused with the tiles") {
  tg::device gpu("emulator");
  const auto x = gpu.upload(numbers(1024));
  auto y = gpu.zeros<float>(1024);
  const auto large = error_of([&] { gpu.launch(of_n, tg::grid(1), x, y, 40000u); });
  CHECK(large.number == 567);
  CHECK(large.says("tiles of 320016 bytes"));
  CHECK(large.says("160000 bytes of"));
  CHECK(large.says("at most 231424"));
  CHECK(error_of([&] { gpu.launch(of_n, tg::grid(1), x, y, 0xffffffffu); }).number == 567);
  CHECK(error_of([&] { gpu.launch(turned, tg::grid(1), x, y, 1 << 20, (1u << 20) + 1); }).says("tiles of 4398050705408 bytes"));
  const auto negative = error_of([&] { gpu.launch(turned, tg::grid(1), x, y, -1, 33u); });
  CHECK(negative.number == 567);
  CHECK(negative.says("extent of -1"));
}

TEST_CASE("the contract of the rows is kept or refused") {
  tg::device gpu("emulator");
  const auto x = gpu.upload(numbers(1024));
  auto y = gpu.zeros<float>(1024);
  gpu.launch(turned, tg::grid(1), x, y, 32, 33u);
  const auto out = y.to_host();
  bool is_right = true;
  for (std::size_t i = 0; i < 1024; ++i) is_right = is_right && out[i] == static_cast<float>(i % 32 * 32 + i / 32 + 1);
  CHECK(is_right);
  const auto broken = error_of([&] { gpu.launch(turned, tg::grid(1), x, y, 32, 32u); });
  CHECK(broken.number == 526);
  CHECK(broken.says("rows of 32 elements"));
}

namespace {

inline constexpr auto reads_nothing = tg::kernel<"reads_nothing">(tg::block<32>, [](auto block, tg::out<float> y) {
  auto a = tg::shared<float>(tg::shape<8192>);
  auto b = tg::shared<float>(tg::shape<8192>);
  a(block.thread.x) = 1.0f;
  y(block.thread.x) = a(block.thread.x) + b(block.thread.x + 4_c);
});

}  // namespace

TEST_CASE("a finding of the emulator names the tile") {
  tg::device gpu("emulator");
  auto y = gpu.zeros<float>(32);
  const auto before = tg::emulator::launch_options();
  auto how = before;
  how.check = tg::emulator::check::checkers::all();
  tg::emulator::set_launch_options(how);
  const auto found = error_of([&] {
    gpu.launch(reads_nothing, tg::grid(1), y);
    gpu.synchronize();
  });
  tg::emulator::set_launch_options(before);
  tg::emulator::take_findings();
  CHECK(found.number == 413);
  CHECK(found.says("16 bytes inside 'tile1'"));
}
