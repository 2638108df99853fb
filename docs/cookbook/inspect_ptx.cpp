// Looking at the PTX of a kernel
//
// `tg::to_ptx` needs no device. Here a test makes sure that a kernel still loads 16 bytes at a time and multiplies and adds in
// one instruction. `tg::kernel_of` gives the kernel that an assignment of arrays becomes, for the same questions.
#include <cstdio>
#include <string>
#include <vector>

#include <tg/array.hpp>
#include <tg/tg.hpp>

using namespace tg::literals;

inline constexpr auto saxpy4 = tg::kernel<"saxpy4">(
    tg::block<256>,
    [](auto block, tg::in<float> x, tg::inout<float> y, tg::scalar<float> a, tg::scalar<unsigned, tg::multiple_of<4>> n) {
      const auto i = tg::let(block.global_index() * 4_c);
      tg::if_(i < n, [&] { y.vec<4>(i) = tg::map([&](auto u, auto v) { return a * u + v; }, x.vec<4>(i), y.vec<4>(i)); });
    });

int count(const std::string& text, const std::string& word) {
  int out = 0;
  for (auto at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++out;
  return out;
}

int main() {
  const std::string text = tg::to_ptx(saxpy4);
  const int loads = count(text, "ld.global.nc.v4.f32") + count(text, "ld.global.v4.f32"), fmas = count(text, "fma.rn.f32");

  tg::device gpu;
  const tg::array<float, 1> x(gpu, std::vector<float>(4096, 1.0f));
  tg::array<float, 1> y(gpu, {4096});
  const std::string of_array = tg::to_ptx(tg::kernel_of(tg::into(y) = x * 2.0f + 1.0f));

  std::printf("saxpy4: %d loads of 16 bytes, %d fma; the array's kernel has %d fma\n", loads, fmas,
              count(of_array, "fma.rn.f32"));
  return loads == 2 && fmas == 4 && count(of_array, "v4.f32") >= 2 ? 0 : 1;
}
