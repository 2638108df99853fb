#include <tg/dsl/assume_uniform.hpp>

#include "word.hpp"

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
