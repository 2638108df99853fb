// Catching tg::error
//
// Everything that goes wrong at run time is a `tg::error`. It has a stable number to decide by, a text for people, and the C++
// line it is about. Errors of a launch are thrown before anything runs; errors of a kernel by the call that waits for it.
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

using namespace tg::literals;

inline constexpr auto scale =
    tg::kernel<"scale">(tg::block<256>, [](auto block, tg::inout<float> x, tg::scalar<unsigned, tg::multiple_of<4>> n) {
      const auto i = tg::let(block.global_index());
      tg::if_(i < n / 4u, [&] { x.vec<4>(i * 4_c) = tg::map([](auto v) { return v * 2.0f; }, x.vec<4>(i * 4_c)); });
    });

template <class F> int number_of(const char* what, F f) {
  try {
    f();
  } catch (const tg::error& e) {
    std::printf("%s: TG%d on line %d\n", what, e.number(), e.where().line);
    return e.number();
  }
  return 0;
}

int main() {
  tg::device gpu;
  auto x = gpu.upload(std::vector<float>(1000, 1.0f));
  bool is_right = number_of("contract", [&] { gpu.launch(scale, tg::cover(1000), x, 1001u); }) == 526;
  is_right &= number_of("empty grid", [&] { gpu.launch(scale, tg::cover(0), x, 1000u); }) == 521;
  tg::buffer<float> empty;
  is_right &= number_of("empty buffer", [&] { gpu.launch(scale, tg::cover(1000), empty, 1000u); }) == 523;
  is_right &= number_of("copy", [&] { x.copy_from(std::vector<float>(10), 995); }) == 528;

  // The device is as it was: what was refused did not run.
  gpu.launch(scale, tg::cover(250), x, 1000u);
  is_right &= x.to_host() == std::vector<float>(1000, 2.0f);
  std::printf("four errors, then a launch: %s\n", is_right ? "right" : "wrong");
  return is_right ? 0 : 1;
}
