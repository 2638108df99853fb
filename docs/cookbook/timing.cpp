// Timing a kernel
//
// Never time the call that launches: it returns when the kernel is under way. Two events around a batch of launches measure
// time on the device. The result is checked in the same run, and the speed is printed beside a copy of the same bytes, which
// is the most that memory can do. On the emulator the numbers say nothing about a GPU.
#include <cstdio>
#include <vector>

#include <tg/tg.hpp>

inline constexpr auto scale = tg::kernel<"scale">(
    tg::block<256>, [](auto block, tg::in<float> x, tg::out<float> y, tg::scalar<float> a, tg::scalar<unsigned> n) {
      const auto i = tg::let(block.global_index());
      tg::if_(i < n, [&] { y(i) = a * x(i); });
    });

int main() {
  tg::device gpu;
  const unsigned n = gpu.is_emulated() ? 100'000 : 1 << 26;
  const auto x = gpu.upload(std::vector<float>(n, 1.5f));
  auto y = gpu.zeros<float>(n);
  tg::stream_view stream(gpu, nullptr);
  const tg::prepared step(gpu, scale, tg::cover(n));  // compiled and checked here, so that it is not measured

  const auto milliseconds = [&](int times, const auto& work) {
    work();  // warm up
    tg::event start(gpu), end(gpu);
    stream.record(start);
    for (int k = 0; k < times; ++k) work();
    stream.record(end);
    end.synchronize();
    return tg::milliseconds_between(start, end) / times;
  };
  const double copy = milliseconds(20, [&] { stream.copy(y, x); });
  const double own = milliseconds(20, [&] { step(x, y, 2.0f, n); });

  const auto out = y.to_host();
  unsigned wrong = 0;
  for (const float v : out) wrong += v != 3.0f;
  std::printf("%.3f ms, a copy of as many bytes %.3f ms; %u wrong\n", own, copy, wrong);
  return wrong == 0 && own > 0 ? 0 : 1;
}
