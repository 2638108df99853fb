// The host's time for a launch.
#include <chrono>

#include <bench/gpu/parts.hpp>
#include <bench/hypotheses/cost.hpp>
#include <tg/array.hpp>
#include <tg/runtime/prepared.hpp>

void bench::time_launches(gpu_run& run) {
  tg::device& gpu = run.gpu;
  const auto plain = time_launches(gpu, 51, 200);
  run.report.add({"host: launch", plain.ours_us, plain.raw_us, "raw call", "us"});
  constexpr unsigned n = 256;
  auto x = gpu.zeros<float>(n), y = gpu.zeros<float>(n);
  const tg::prepared step(gpu, tg::kernels::saxpy, tg::cover(n));
  const auto per_call = [&](auto call) {
    std::vector<double> all;
    for (int round = -2; round < 51; ++round) {
      const double us = time_us([&] {
        for (int k = 0; k < 200; ++k) call();
      });
      gpu.synchronize();
      if (round >= 0) all.push_back(us / 200);
    }
    return median(all);
  };
  run.report.add({"host: prepared launch", per_call([&] { step(x, y, 1.0f, n); }), plain.raw_us, "raw call", "us"});
  const tg::array<float, 1> a(gpu, {n}), b(gpu, {n});
  tg::array<float, 1> c(gpu, {n});
  const tg::array<float, 2> m(gpu, {16, 16});
  tg::array<float, 2> r(gpu, {16, 16});
  run.report.add({"host: assignment of x * a + z", per_call([&] { c = a * 0.5f + b; }), plain.raw_us, "raw call", "us"});
  run.report.add({"host: assignment of softmax", per_call([&] { r = tg::softmax<1>(m); }), plain.raw_us, "raw call", "us"});
}
