#include <tg/dsl/block/look_back.hpp>

#include <cstdint>
#include <vector>

#include "../../kernels/inputs.hpp"

namespace {

/// y(part): the sum of the numbers of the parts before, as each block finds it.
template <class T>
inline constexpr auto sums_before =
    tg::kernel<"sums_before">(tg::block<64>, [](auto block, tg::in<T> x, tg::out<T> y, tg::inout<std::uint64_t> scratch) {
      const auto add = [](const auto& a, const auto& b) { return a + b; };
      const auto part = tg::let(tg::take_part(block, scratch));
      tg::if_(block.warp().index == 0u, [&] {
        const auto before = tg::look_back<T>(block, scratch, part, tg::let(x(part)), T{0}, add);
        tg::if_(block.thread.x == 0u, [&] { y(part) = before; });
      });
      block.sync();
      tg::end_part<T>(block, scratch);
    });

template <class T> void check_sums() {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned parts : {1u, 2u, 31u, 32u, 33u, 34u, 65u, 257u}) {
    INFO("seed ", random.seed, ", parts ", parts);
    std::vector<T> x(parts), wanted(parts);
    for (T& v : x) v = static_cast<T>(random.engine() % 1000);
    for (unsigned i = 1; i < parts; ++i) wanted[i] = wanted[i - 1] + x[i - 1];
    auto on_x = gpu.upload(x), y = gpu.upload(std::vector<T>(parts, inputs::poison<T>()));
    auto scratch = gpu.zeros<std::uint64_t>(tg::look_back_words<T>(parts));
    for (int launch = 0; launch < 2; ++launch) {
      y.fill(inputs::poison<T>());
      gpu.launch(sums_before<T>, tg::grid(parts), on_x, y, scratch);
      CHECK((y.to_host() == wanted));
      CHECK(scratch.to_host() == std::vector<std::uint64_t>(scratch.size()));
    }
  }
}

}  // namespace

TEST_CASE("the sum of all parts before, by one word and by three words a part") {
  check_sums<unsigned>();
  check_sums<float>();
  check_sums<double>();
  check_sums<std::int64_t>();
}

TEST_CASE("words of scratch memory") {
  CHECK(tg::look_back_words<float>(0) == 2);
  CHECK(tg::look_back_words<float>(10) == 12);
  CHECK(tg::look_back_words<double>(10) == 32);
}
