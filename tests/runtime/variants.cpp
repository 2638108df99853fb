#include <tg/runtime/variants.hpp>

#include <doctest/doctest.h>

#include <vector>

namespace {

template <int Mark>
constexpr auto marks = tg::kernel<"marks">(tg::block<32>, [](auto block, tg::out<int> y) { y(block.thread.x) = Mark; });

template <class Variants> int marked_by(const Variants& kernel) {
  tg::device gpu;
  auto y = gpu.upload(std::vector<int>(32));
  kernel.launch(gpu, tg::grid(1), y);
  return y.to_host()[5];
}

}  // namespace

TEST_CASE("the first variant that the device can run is launched, else the last") {
  CHECK(marked_by(tg::variants(tg::requires_sm<50>(marks<1>), marks<2>)) == 1);
  CHECK(marked_by(tg::variants(tg::requires_sm<5000>(marks<1>), marks<2>)) == 2);
  CHECK(marked_by(tg::variants(tg::requires_sm<5000>(marks<1>), tg::requires_sm<60>(marks<2>), marks<3>)) == 2);
  CHECK(marked_by(tg::variants(tg::requires_sm<5000>(marks<1>), tg::requires_sm<5000>(marks<2>))) == 2);
  CHECK(marked_by(tg::variants(marks<7>)) == 7);
}

TEST_CASE("a variant for one architecture is launched there only") {
  const auto marked = [](const auto& kernel) {
    tg::device gpu("emulator");  // of compute capability 9.0
    auto y = gpu.upload(std::vector<int>(32));
    kernel.launch(gpu, tg::grid(1), y);
    return y.to_host()[5];
  };
  CHECK(marked(tg::variants(tg::requires_exactly_sm<90>(marks<1>), marks<2>)) == 1);
  CHECK(marked(tg::variants(tg::requires_exactly_sm<80>(marks<1>), marks<2>)) == 2);
  CHECK(marked(tg::variants(tg::requires_exactly_sm<100>(marks<1>), tg::requires_sm<80>(marks<2>), marks<3>)) == 2);
}

TEST_CASE("one text for several architectures is launched as the device wants it") {
  constexpr auto chosen = tg::choose_arch<90, 80>([](auto sm) {
    return tg::kernel<"own">(tg::block<32> | sm, [](auto block, tg::out<int> y) { y(block.thread.x) = decltype(sm)::sm; });
  });
  tg::device gpu("emulator");  // of compute capability 9.0
  auto y = gpu.upload(std::vector<int>(32));
  chosen.launch(gpu, tg::grid(1), y);
  CHECK(y.to_host()[5] == 90);
  CHECK(marked_by(tg::choose_arch<5000, 50>([](auto sm) { return marks<decltype(sm)::sm>; })) == 50);
}
