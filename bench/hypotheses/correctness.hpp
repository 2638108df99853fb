// H1, H2, H3, H5, H9, H13: does it load, does it keep every byte, does it compute, does it survive.
#pragma once

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <thread>
#include <vector>

#include <kernels/blur_sobel.hpp>
#include <kernels/reduction.hpp>
#include <kernels/reduction_steps.hpp>
#include <kernels/saxpy.hpp>
#include <kernels/saxpy4.hpp>
#include <kernels/softmax.hpp>
#include <kernels/softmax_online.hpp>
#include <kernels/transpose.hpp>
#include <kernels/transpose_steps.hpp>
#include <tg/runtime/pinned.hpp>
#include <tg/runtime/pool.hpp>
#include <tg/runtime/stream.hpp>

namespace bench {

inline constexpr std::size_t copy_sizes[] = {1, 3, 4, 127, 4099, 65537, 1 << 20, (1 << 22) + 1};

inline std::vector<std::uint8_t> random_bytes(std::size_t n, unsigned seed) {
  std::mt19937 random(seed);
  std::vector<std::uint8_t> out(n);
  for (auto& b : out) b = static_cast<std::uint8_t>(random());
  return out;
}

inline double count_differences(const std::vector<std::uint8_t>& a, const std::vector<std::uint8_t>& b) {
  double out = static_cast<double>(std::max(a.size(), b.size()) - std::min(a.size(), b.size()));
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) out += a[i] != b[i];
  return out;
}

/// Shipped kernels that do not load.
inline double failed_loads(tg::device& gpu) {
  double failed = 0;
  const auto load = [&](const auto&... kernels) {
    const auto one = [&](const auto& kernel) {
      try {
        gpu.compile(kernel);
      } catch (const tg::error&) { ++failed; }
    };
    (one(kernels), ...);
  };
  namespace k = tg::kernels;
  load(k::saxpy, k::saxpy4, k::transpose_naive, k::transpose_tiled, k::transpose_padded, k::transpose_swizzled,
       k::sum_interleaved, k::sum_sequential, k::sum_first_add, k::sum_shuffled, k::sum, k::softmax, k::softmax_online,
       k::blur_sobel<3, std::uint8_t>, k::blur_sobel<3, float>);
  return failed;
}

/// Bytes that differ after writing and reading back.
inline double wrong_round_trips(tg::device& gpu) {
  double wrong = 0;
  for (const std::size_t n : copy_sizes) {
    const auto host = random_bytes(n, static_cast<unsigned>(n));
    wrong += count_differences(gpu.upload(host).to_host(), host);
  }
  return wrong;
}

/// Bytes that differ after copies on the device, of parts, and through pinned memory on a stream.
inline double wrong_copies(tg::device& gpu) {
  double wrong = 0;
  for (const std::size_t n : copy_sizes) {
    const auto host = random_bytes(n, static_cast<unsigned>(n) + 1);
    const auto a = gpu.upload(host);
    auto b = gpu.zeros<std::uint8_t>(n + 7);
    b.copy_from(a, 5);
    std::vector<std::uint8_t> back(n);
    b.copy_to(back, 5);
    wrong += count_differences(back, host);
    tg::pinned<std::uint8_t> through(gpu, n);
    auto c = gpu.zeros<std::uint8_t>(n);
    auto work = tg::stream(gpu).begin();
    work.copy(through, a);
    work.copy(c, through);
    const tg::stream done = std::move(work).submit().wait();
    wrong += count_differences(c.to_host(), host);
  }
  return wrong;
}

/// c = a * b, one element per thread: what a plain kernel gets right.
inline constexpr auto gemm =
    tg::kernel<"bench_gemm">(tg::block<32, 8>, [](auto block, tg::in2<float> a, tg::in2<float> b, tg::out2<float> c,
                                                  tg::scalar<unsigned> m, tg::scalar<unsigned> n, tg::scalar<unsigned> k) {
      const auto row = tg::let(block.global.y);
      const auto column = tg::let(block.global.x);
      tg::if_(row < m && column < n, [&] {
        tg::var<float> sum = 0.0f;
        tg::for_(tg::range(k), [&](auto i) { sum += a(row, i) * b(i, column); });
        c(row, column) = sum;
      });
    });

/// The largest error of a product, relative to the sum of the magnitudes that make up the element.
inline double gemm_error(tg::device& gpu) {
  constexpr unsigned m = 67, n = 129, k = 251;
  std::mt19937 random(5);
  std::normal_distribution<float> normal;
  std::vector<float> a(m * k), b(k * n);
  for (float& x : a) x = normal(random);
  for (float& x : b) x = normal(random);
  auto da = gpu.upload(a), db = gpu.upload(b), dc = gpu.upload(std::vector<float>(m * n, NAN));
  gpu.launch(gemm, tg::cover(n, m), tg::matrix(da, m, k), tg::matrix(db, k, n), tg::matrix(dc, m, n), m, n, k);
  const auto c = dc.to_host();
  double worst = 0;
  for (unsigned row = 0; row < m; ++row)
    for (unsigned column = 0; column < n; ++column) {
      double sum = 0, magnitude = 0;
      for (unsigned i = 0; i < k; ++i) {
        const double product = double{a[row * k + i]} * double{b[i * n + column]};
        sum += product;
        magnitude += std::abs(product);
      }
      const double error = std::abs(double{c[row * n + column]} - sum) / magnitude;
      worst = error <= worst ? worst : error;  // a NaN stays
    }
  return worst;
}

/// How many of three ways to ask for more memory than there is do not end in an error after which the device works.
inline double bad_ends_of_memory(tg::device& gpu) {
  const std::size_t total = gpu.memory_info().total_bytes;
  const auto survives = [&](int code, auto ask) {
    try {
      ask();
      return false;
    } catch (const tg::error& e) {
      if (e.number() != code) return false;
    }
    const auto host = random_bytes(1000, 9);
    return gpu.upload(host).to_host() == host;
  };
  tg::pool pool(gpu);
  double bad = 0;
  bad += !survives(504, [&] { gpu.allocate<char>(total + 1); });
  bad += !survives(565, [&] { pool.allocate<char>(total + 1); });
  bad += !survives(504, [&] {
    std::vector<tg::buffer<char>> held;
    for (;;) held.push_back(gpu.allocate<char>(total / 3));
  });
  return bad;
}

/// Elements that are wrong after threads launched at the same time, each on a stream and buffers of its own.
inline double wrong_after_threads(tg::device& gpu, int threads, int launches) {
  constexpr unsigned n = 64;
  std::atomic<int> wrong = 0;
  std::vector<std::thread> all;
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&] {
      try {
        const auto x = gpu.upload(std::vector<float>(n, 1.0f));
        auto y = gpu.zeros<float>(n);
        auto work = tg::stream(gpu).begin();
        for (int i = 0; i < launches; ++i) work.launch(tg::kernels::saxpy, tg::cover(n), x, y, 1.0f, n);
        const tg::stream done = std::move(work).submit().wait();
        for (const float v : y.to_host()) wrong += v != static_cast<float>(launches);
      } catch (const tg::error&) { ++wrong; }
    });
  for (auto& t : all) t.join();
  return wrong;
}

}  // namespace bench
