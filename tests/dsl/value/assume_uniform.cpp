#include <tg/dsl/value/assume_uniform.hpp>

#include <tg/dsl/value/gather.hpp>
#include <tg/dsl/value/var.hpp>

#include "../recording.hpp"
#include "../word.hpp"

TEST_CASE("an index that is assumed uniform is judged, and costs nothing") {
  using tg::literals::operator""_c;
  const auto kernel = tg::lower(
      tg::kernel<"segments">(tg::block<64>, [](auto block, tg::in<unsigned> starts, tg::in<float> x, tg::out<float> y) {
        const auto start = tg::assume_uniform<4>(starts(block.index.x));
        const auto v = x.template vec<4>(start + block.thread.x * 4_c);
        y(block.global_index()) = v(0) + v(3);
      }));
  REQUIRE(kernel.accesses.size() == 3);
  CHECK(kernel.accesses[1].verdict == tg::verdict::proved);
  CHECK(kernel.accesses[1].global.sectors <= 17);
  std::vector<unsigned> starts{256, 0};
  std::vector<float> x(512), y(128);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  word::launch(kernel.ptx, 2, starts, x, y);
  for (std::size_t i = 0; i < y.size(); ++i) CHECK(y[i] == static_cast<float>(2 * (starts[i / 64] + i % 64 * 4) + 3));
}

TEST_CASE("what a warp is said to share is known to the type and to the recorder") {
  using tg::literals::operator""_c;
  const auto r = recording::of([](auto block, recording::parameters p) {
    const auto first = tg::assume_warp_uniform<8>(p.u(block.thread.x / 32_c));
    (void)p.x(first + block.thread.x % 32_c);
    tg::var<unsigned> at = first;
    tg::if_(p.n > 3, [&] { at += 32u; });
    (void)p.x(at + block.thread.x % 32_c);
  });
  REQUIRE(r.accesses.size() == 3);
  CHECK(r.accesses[1].verdict == tg::verdict::proved);
  CHECK(r.accesses[1].global.sectors == 5);
  CHECK(r.accesses[2].verdict == tg::verdict::traced);
  CHECK(r.accesses[2].global.sectors == 5);
}

TEST_CASE("each warp may share another number; the emulator is told to look") {
  using tg::literals::operator""_c;
  const auto kernel = tg::lower(
      tg::kernel<"shared_number">(tg::block<64>, [](auto block, tg::in<unsigned> starts, tg::in<float> x, tg::out<float> y) {
        const auto start = tg::assume_warp_uniform(starts(tg::gather(block.thread.x / 32_c)));
        y(block.global_index()) = x(start + block.warp().lane);
      }));
  std::vector<unsigned> starts{64, 3};
  std::vector<float> x(128), y(64);
  word::launch(kernel.ptx, 1, starts, x, y);
  CHECK(kernel.ptx.find("//tg:assume.warp.b32") != std::string::npos);
}
