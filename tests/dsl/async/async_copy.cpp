#include <tg/dsl/async/async_copy.hpp>

#include <tg/dsl/async/async_groups.hpp>

#include "../accuracy.hpp"
#include "../recording.hpp"

using namespace tg::literals;

namespace {

/// 128 numbers through shared memory, `Width` at a time, those from `n` on as zeros.
template <int Width> std::vector<float> copied(unsigned n) {
  const auto kernel =
      tg::kernel<"copies">(tg::block<32>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<unsigned> n) {
        const auto lane = block.thread.x;
        auto tile = tg::shared<float>(tg::shape<128>);
        for (unsigned i = 0; i < 4 / Width; ++i) {
          const auto at = tg::let(lane * tg::constant<Width>{} + 32u * Width * i);
          if constexpr (Width == 1) tg::async_copy_or_zero(tile(at), x(at), at < n);
          else tg::async_copy_or_zero(tile.template vec<Width>(at), x.template vec<Width>(at), at < n);
        }
        tg::async_groups start;
        auto one = start.commit();
        (void)one.wait();
        block.sync();
        for (unsigned i = 0; i < 4; ++i) y(lane + 32u * i) = tile(lane + 32u * i);
      });
  std::vector<float> x(128), y(128);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i + 1);
  const auto lowered = tg::lower(kernel);
  CHECK(lowered.module.sm == 80);
  accuracy::run(lowered.ptx, x.data(), 512, y.data(), 512, n);
  return y;
}

template <class Copy> std::string text_of(Copy copy) {
  const std::string all = recording::of<tg::block_t<32>>([copy](auto block, recording::parameters p) {
                            auto tile = tg::shared<float>(tg::shape<256>);
                            copy(block, p, tile);
                          }).text;
  return all.substr(all.rfind(' ') + 1);
}

}  // namespace

TEST_CASE("what is copied arrives, and zeros where the condition does not hold") {
  for (const auto& y : {copied<1>(32), copied<2>(32), copied<4>(32)})
    for (std::size_t i = 0; i < y.size(); ++i) CHECK(y[i] == (i < 32 ? static_cast<float>(i + 1) : 0.0f));
}

TEST_CASE("16 bytes pass by the first cache, fewer go through it") {
  CHECK(text_of([](auto block, auto p, auto& tile) { tg::async_copy(tile(block.thread.x), p.x(block.thread.x)); }) ==
        "cp.async.ca.shared.global");
  CHECK(text_of([](auto block, auto p, auto& tile) {
          tg::async_copy(tile.template vec<2>(block.thread.x * 2_c), p.x.template vec<2>(block.thread.x * 2_c));
        }) == "cp.async.ca.shared.global");
  CHECK(text_of([](auto block, auto p, auto& tile) {
          tg::async_copy(tile.template vec<4>(block.thread.x * 4_c), p.x.template vec<4>(block.thread.x * 4_c));
        }) == "cp.async.cg.shared.global");
}

TEST_CASE("one entry tells what a copy costs on both sides") {
  const auto r = recording::of<tg::block_t<32>>([](auto block, recording::parameters p) {
    auto tile = tg::shared<float>(tg::shape<32, 32>);
    tg::async_copy(tile(block.thread.x, 0_c, tg::allow<tg::TG201>("counted")), p.x(block.thread.x));
  });
  const tg::access& entry = r.accesses.back();
  CHECK(!entry.is_shared);
  CHECK(!entry.is_write);
  CHECK(entry.global.sectors_best == 4);
  CHECK(entry.shared.ways == 32);
  CHECK(entry.verdict == tg::verdict::allowed);
  CHECK(entry.reason == "counted");
}

TEST_CASE("a copy goes from global to shared memory") {
  const auto back = [](auto block, recording::parameters p) {
    auto tile = tg::shared<float>(tg::shape<32>);
    tg::async_copy(p.y(block.thread.x), tile(block.thread.x));
  };
  CHECK(recording::error_of<tg::block_t<32>>(back) == recording::at(142, __LINE__ - 2));
}
