// What types of parameters and a launch promise: planes that do not overlap, numbers that are not larger than they say.
#include "planted.hpp"

#include <doctest/doctest.h>

using namespace tg::literals;
using tg::question;

namespace {

constexpr auto rows_of_planes = tg::kernel<"rows_of_planes">(
    tg::block<64>, [](auto block, tg::out3<unsigned> y) { y(block.index.y, block.index.x, block.thread.x) = 1u; });
constexpr auto planes = tg::kernel<"planes">(tg::block<32, 8>, [](auto block, tg::out3<float> y) {
  y(block.index.z, block.index.y * 8_c + block.thread.y, block.index.x * 32_c + block.thread.x) = 1.0f;
});
constexpr auto first_planes = tg::kernel<"first_planes">(tg::block<64>, [](auto block, tg::inout3<unsigned> y) {
  y(0_c, block.index.x, block.thread.x) = y(1_c, block.index.x, block.thread.x) + 1u;
});
constexpr auto padded = tg::kernel<"padded">(tg::block<64>, [](auto block, tg::out3<unsigned, tg::multiple_of<64>> y) {
  y(block.index.y, block.index.x, block.thread.x) = 1u;
});
constexpr auto boxes = tg::kernel<"boxes">(tg::block<64>, [](auto block, tg::out4<unsigned> y) {
  y(block.index.z, block.index.y, block.index.x, block.thread.x) = 1u;
});

// All blocks of a row write one column; all threads write one element of a plane.
constexpr auto one_row = tg::kernel<"one_row">(tg::block<64>, [](auto block, tg::out3<unsigned> y) {
  y(block.index.y, 0u, block.thread.x + 0u * block.index.x) = block.index.x;
});
constexpr auto one_element = tg::kernel<"one_element">(tg::block<64>, [](auto block, tg::out4<unsigned> y) {
  y(1u, 2u, 0u, 0u, tg::allow<tg::TG201>("planted")) = block.thread.x;
});

template <unsigned Most, class Use> auto with_at_most(Use use) {
  return tg::kernel<"with_at_most">(tg::block<64>,
                                    [use](auto block, tg::out<float> y, tg::scalar<unsigned, tg::at_most<Most>> n) {
                                      const auto t = tg::shared<float>(tg::shape<64>);
                                      t(block.thread.x) = 1.0f;
                                      block.sync();
                                      use(block, y, n, t);
                                    });
}

}  // namespace

TEST_CASE("planes are not taken to overlap, as no launch lets them; whether they meet is left open") {
  for (const auto& a :
       {tg::analyze(rows_of_planes), tg::analyze(planes), tg::analyze(first_planes), tg::analyze(padded), tg::analyze(boxes)}) {
    INFO(a.text());
    CHECK(a.refuted().empty());
  }
}

TEST_CASE("what meets in one plane is refuted, whatever its stride") {
  for (const auto& a : {tg::analyze(one_row), tg::analyze(one_element)}) {
    INFO(a.text());
    CHECK_FALSE(a.refuted().empty());
  }
}

TEST_CASE("a number is at most what its contract says") {
  const auto read_one = [](auto block, auto y, auto n, const auto& t) { y(block.global_index()) = t(n); };
  const auto inside = tg::analyze(with_at_most<63>(read_one)), outside = tg::analyze(with_at_most<64>(read_one));
  INFO(inside.text(), outside.text());
  CHECK(inside.unknown().empty());
  CHECK(inside.refuted().empty());
  REQUIRE(outside.refuted().size() == 1);
  CHECK(outside.refuted()[0].question == question::extents);
  CHECK(outside.refuted()[0].byte == 259);  // the last of element 64
  const auto read_some = [](auto block, auto y, auto n, const auto& t) {
    tg::var<float> sum = 0.0f;
    tg::for_(tg::range(0u, n), [&](auto k) { sum += t(k); });
    y(block.global_index()) = sum;
  };
  const auto loop = tg::analyze(with_at_most<64>(read_some)), longer = tg::analyze(with_at_most<65>(read_some));
  INFO(loop.text(), longer.text());
  CHECK(loop.unknown().empty());
  CHECK(loop.refuted().empty());
  CHECK_FALSE(longer.is_proved(question::extents));
}
