// H4, H8, H10, H11, H12: what launches, allocations and streams cost.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <random>
#include <utility>
#include <vector>

#include <kernels/saxpy.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/launch/launch_shape.hpp>
#include <tg/runtime/pool.hpp>
#include <tg/runtime/stream.hpp>

namespace bench {

inline double median(std::vector<double> all) {
  std::nth_element(all.begin(), all.begin() + static_cast<long>(all.size() / 2), all.end());
  return all[all.size() / 2];
}

template <class F> double time_us(F work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count();
}

/// Microseconds of a launch: ours, and the driver's own call with the same packed buffer, in turns.
struct launch_times { double ours_us, raw_us; };

inline launch_times time_launches(tg::device& gpu, int rounds, int batch) {
  constexpr unsigned n = 256;
  auto x = gpu.zeros<float>(n), y = gpu.zeros<float>(n);
  const auto& made = gpu.compile(tg::kernels::saxpy);
  const auto& api = gpu.context()->api();
  struct {
    tg::driver::device_address x, y;
    float a;
    unsigned n;
  } packed{x.native(), y.native(), 1.0f, n};
  std::size_t bytes = sizeof packed;
  const auto key = [](tg::driver::launch_extra e) { return reinterpret_cast<void*>(e); };
  void* extra[] = {key(tg::driver::launch_extra::buffer_pointer), &packed, key(tg::driver::launch_extra::buffer_size), &bytes,
                   key(tg::driver::launch_extra::end)};
  const auto ours = [&] {
    for (int i = 0; i < batch; ++i) gpu.launch(tg::kernels::saxpy, tg::cover(n), x, y, 1.0f, n);
  };
  const auto raw = [&] {
    for (int i = 0; i < batch; ++i) {
      api.cuCtxSetCurrent(gpu.native());
      api.cuLaunchKernel(made.function, 1, 1, 1, 256, 1, 1, 0, nullptr, nullptr, extra);
    }
  };
  std::vector<double> our_times, raw_times;
  for (int i = -2; i < rounds; ++i) {
    const double a = time_us(ours);
    gpu.synchronize();
    const double b = time_us(raw);
    gpu.synchronize();
    if (i < 0) continue;
    our_times.push_back(a / batch);
    raw_times.push_back(b / batch);
  }
  return {median(our_times), median(raw_times)};
}

inline double driver_allocations(const tg::device& gpu) {
  const auto& api = gpu.context()->api();
  const auto& counts = gpu.context()->counts();
  return static_cast<double>(counts.of(api, api.cuMemAlloc).calls + counts.of(api, api.cuMemCreate).calls);
}

/// Allocations of the driver for 100 operations that each take two temporary vectors of random length.
template <class Allocate> double allocations_of_100(tg::device& gpu, Allocate allocate) {
  std::mt19937 random(8);
  const double before = driver_allocations(gpu);
  for (int i = 0; i < 100; ++i) {
    const unsigned n = 1 + static_cast<unsigned>(random() % 100000);
    auto x = allocate(n), y = allocate(n);
    gpu.launch(tg::kernels::saxpy, tg::cover(n), x, y, 1.0f, n);
  }
  gpu.synchronize();
  return driver_allocations(gpu) - before;
}

/// Reserved bytes over the most bytes asked for at once, after 10,000 allocations of 1 KB to 10 MB in random order.
template <class IsFull> double reserved_over_live(tg::device& gpu, IsFull is_full) {
  tg::pool pool(gpu);
  std::mt19937_64 random(12);
  std::uniform_int_distribution<std::size_t> sizes(1 << 10, 10 << 20);
  std::vector<tg::pooled<char>> live;
  std::size_t live_bytes = 0, peak_bytes = 0;
  for (int i = 0; i < 10000; ++i) {
    const std::size_t bytes = sizes(random);
    while (is_full(live.size() + 1, live_bytes + bytes)) {
      auto& victim = live[random() % live.size()];
      live_bytes -= victim.size();
      victim = std::move(live.back());
      live.pop_back();
    }
    live.push_back(pool.allocate<char>(bytes));
    live_bytes += bytes;
    peak_bytes = std::max(peak_bytes, live_bytes);
  }
  return static_cast<double>(pool.statistics().peak_reserved_bytes) / static_cast<double>(peak_bytes);
}

/// One block that works long, so that several fill a device only together.
inline constexpr auto spin =
    tg::kernel<"bench_spin">(tg::block<256>, [](auto block, tg::inout<float> x, tg::scalar<unsigned> turns) {
      tg::var<float> v = x(block.global_index());
      tg::for_(tg::range(turns), [&](auto) { v = v * 1.0001f + 0.5f; });
      x(block.global_index()) = v;
    });

/// How much faster independent work is beside each other than one after the other: kernels on streams of a GPU; blocks
/// of one launch on the emulator, whose streams share one queue, on all its host threads against one.
inline double independent_speedup(tg::device& gpu) {
  const unsigned turns = gpu.is_emulated() ? 20000 : 400000;
  const unsigned pieces = gpu.is_emulated() ? 64 : 8;
  auto x = gpu.zeros<float>(std::size_t{256} * pieces);
  std::vector<tg::recording_stream> streams;
  for (unsigned i = 0; i < pieces; ++i) streams.push_back(tg::stream(gpu).begin());
  const auto blocks_on = [&](unsigned threads) {
    tg::emulator::options how;
    how.threads = threads;
    tg::emulator::set_launch_options(how);
    gpu.launch(spin, tg::grid(pieces), x, turns);
    gpu.synchronize();
  };
  const auto in_order = [&] {
    if (gpu.is_emulated()) return blocks_on(1);
    for (unsigned i = 0; i < pieces; ++i) gpu.launch(spin, tg::grid(1), x.part(256 * i, 256), turns);
    gpu.synchronize();
  };
  const auto beside = [&] {
    if (gpu.is_emulated()) return blocks_on(0);
    for (unsigned i = 0; i < pieces; ++i) streams[i].launch(spin, tg::grid(1), x.part(256 * i, 256), turns);
    gpu.synchronize();
  };
  std::vector<double> one, other;
  for (int i = 0; i < 11; ++i) {
    one.push_back(time_us(in_order));
    other.push_back(time_us(beside));
  }
  return median(one) / median(other);
}

}  // namespace bench
