#include <kernels/block_dots.hpp>

#include <array>
#include <string>

#include "blocks.hpp"
#include "q8_1_groups.hpp"

using namespace tg::kernels;

namespace {

/// The sum of eight weights of each lane: those of low, those of high, and where low begins.
template <class Format>
constexpr auto sums_of_lanes = tg::kernel<"sums_of_lanes">(tg::block<32>, [](auto block, tg::in<std::uint16_t> x,
                                                                             tg::out<float> y) {
  using parts = detail::block_parts<Format, 512>;
  using dots = detail::block_dots<Format>;
  const auto warp = block.warp();
  const auto heads = parts::heads();
  const auto quants = parts::quants();
  const auto own_heads = tg::row(heads, 0_c);
  const auto own_quants = tg::row(quants, 0_c);
  constexpr tg::constant<int(parts::unit)> unit;
  const auto read = parts::read(warp.lane, [&](const auto& at) { return tg::vec_at<parts::unit>(x, at * unit).get(); });
  parts::write(read, warp.lane, own_heads, own_quants);
  warp.sync();
  const auto weights = dots::read(own_heads, own_quants, warp.lane);
  const auto sum = [&](const detail::two_words& words) {
    const auto number = [](const auto& word) {
      if constexpr (dots::is_signed) return tg::bit_cast<int>(word);
      else return word;
    };
    return tg::cast<float>(tg::cast<int>(tg::dp4a(number(words[1]), 0x01010101, tg::dp4a(number(words[0]), 0x01010101, 0))));
  };
  const auto write = [&](const auto& at, const auto& total, std::size_t k) {
    const auto factor = [&]() -> tg::value<float> {
      if constexpr (dots::has_one_scale) return weights.d;
      else return weights.d * tg::cast<float>(weights.scale[k]);
    }();
    const auto least = [&]() -> tg::value<float> {
      if constexpr (!dots::has_least) return weights.d * 0.0f;
      else if constexpr (dots::has_one_scale) return weights.least;
      else return weights.least * weights.minimum[k] * (dots::lanes_of_group < 0 ? -1.0f : 1.0f);
    }();
    y(at) = factor * total + least * 8.0f;
  };
  write(warp.lane, sum(weights.low), 0);
  write(warp.lane + 32_c, sum(weights.high), 1);
  y(warp.lane + 64_c) = tg::cast<float>(dots::low_at(warp.lane));
});

}  // namespace

TEST_CASE("lanes take each weight of 512 once, as the format says") {
  blocks::each_format([]<class Format>(Format, std::string_view name) {
    if constexpr (!std::is_same_v<Format, nf4> && !std::is_same_v<Format, q8_1>) {
      using dots = detail::block_dots<Format>;
      CAPTURE(std::string(name));
      inputs::generator random;
      INFO("seed ", random.seed);
      tg::device gpu;
      const auto bytes = blocks::any<Format>(name, 512, random);
      auto y = gpu.zeros<float>(96);
      gpu.launch(sums_of_lanes<Format>, tg::grid(1), gpu.upload(blocks::numbers(bytes)), y);
      const auto found = y.to_host();
      std::array<int, 512> taken{};
      for (unsigned lane = 0; lane < 32; ++lane)
        for (unsigned k = 0; k < 2; ++k) {
          const auto first = static_cast<std::size_t>(found[64 + lane]) + k * dots::distance;
          double sum = 0, size = 0;
          for (std::size_t i = first; i < first + 8; ++i) {
            const auto w = blocks::weight<Format>(name, bytes, i);
            sum += w.value;
            size += w.size + 2 * blocks::distance_of_zero<Format>(name, bytes, i);
            ++taken[i];
          }
          CHECK(std::abs(found[k * 32 + lane] - sum) <= 4 * inputs::unit_roundoff * size);
        }
      for (const int times : taken) CHECK(times == 1);
    }
  });
}
