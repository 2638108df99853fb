#include <kernels/block_parts.hpp>

#include "blocks.hpp"

using namespace tg::kernels;

namespace {

/// What a warp has in its tiles: y begins with the heads of a part, then it has the quants.
template <class Format>
constexpr auto both_tiles =
    tg::kernel<"both_tiles">(tg::block<256>, [](auto block, tg::in<std::uint16_t> x, tg::out<std::uint16_t> y) {
      using parts = detail::block_parts<Format>;
      const auto warp = block.warp();
      const auto heads = parts::heads();
      const auto quants = parts::quants();
      const auto own_heads = tg::row(heads, warp.index);
      const auto own_quants = tg::row(quants, warp.index);
      constexpr tg::constant<int(parts::unit)> unit;
      const auto read = parts::read(warp.lane, [&](const auto& at) {
        return tg::vec_at<parts::unit>(x, (warp.index * tg::constant<int(parts::units)>{} + at) * unit).get();
      });
      parts::write(read, warp.lane, own_heads, own_quants);
      warp.sync();
      constexpr unsigned blocks = 256 / Format::values, in_heads = blocks * Format::head, in_quants = blocks * Format::rest;
      const auto first = tg::let(warp.index * tg::constant<int(in_heads + in_quants)>{});
      tg::for_(tg::range(warp.lane, in_heads, 32u), [&](auto i) { y(first + i) = own_heads(i); });
      tg::for_(tg::range(warp.lane, in_quants, 32u), [&](auto i) { y(first + in_heads + i) = own_quants(i); });
    });

}  // namespace

TEST_CASE("heads and quants of blocks lie in tiles of their own") {
  inputs::generator random;
  INFO("seed ", random.seed);
  blocks::each_format([&]<class Format>(Format, std::string_view) {
    constexpr unsigned count = 256 / Format::values, numbers = Format::bytes / 2;
    const auto x = blocks::numbers(random.bytes(8 * count * Format::bytes));
    std::vector<std::uint16_t> wanted;
    for (unsigned w = 0; w < 8; ++w) {
      const auto* const part = &x[std::size_t{w} * count * numbers];
      for (unsigned b = 0; b < count; ++b)
        for (unsigned k = 0; k < Format::head; ++k) wanted.push_back(part[b * numbers + k]);
      for (unsigned b = 0; b < count; ++b)
        for (unsigned k = Format::head; k < numbers; ++k) wanted.push_back(part[b * numbers + k]);
    }
    tg::device gpu;
    const auto on_x = gpu.upload(x);
    auto y = gpu.zeros<std::uint16_t>(wanted.size());
    gpu.launch(both_tiles<Format>, tg::grid(1), on_x, y);
    CHECK(y.to_host() == wanted);
  });
}

TEST_CASE("units are the largest that divide a block") {
  CHECK(block_unit<q4_0> == 1);
  CHECK(block_unit<q4_1> == 2);
  CHECK(block_unit<q5_1> == 4);
  CHECK(block_unit<q4_k> == 8);
  CHECK(block_unit<q6_k> == 1);
  CHECK(block_numbers<q6_k>(512) == 210);
}
