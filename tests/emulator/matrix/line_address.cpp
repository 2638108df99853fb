#include <tg/emulator/matrix/line_address.hpp>

#include <doctest/doctest.h>

using namespace tg::emulator;

TEST_CASE("addresses of lines: base, stride and element size, below a byte too") {
  std::vector<std::uint64_t> frame(16 * 16);
  warp_view view;
  view.frame = reinterpret_cast<std::byte*>(frame.data());
  view.stride = 128;
  line_address_step step;
  step.base = {0, 8};
  step.stride = {2, 4};
  step.results = {{4, 8}};
  step.places.resize(1);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    view.values<std::uint64_t>(step.base)[lane] = 0x1000000000;
    view.words(step.stride)[lane] = 48;
    step.places[0].line[lane] = static_cast<std::uint16_t>(lane / 4);
    step.places[0].element[lane] = static_cast<std::uint16_t>(lane % 4 * 8);
  }
  for (const std::uint32_t bits : {4u, 8u, 16u, 64u}) {
    step.element_bits = bits;
    step(view);
    for (std::size_t lane = 0; lane < 32; ++lane)
      CHECK_EQ(view.values<std::uint64_t>(step.results[0])[lane], 0x1000000000 + (lane / 4 * 48 + lane % 4 * 8) * bits / 8);
  }
}
