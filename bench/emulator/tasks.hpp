// The kernels of kernels.cu with random inputs, right answers in double precision, and plain loops that do the same.
#pragma once

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>

#include <bench/emulator/task.hpp>

namespace bench {

inline float* floats(task::words& w) { return reinterpret_cast<float*>(w.data()); }

inline task::words random_floats(std::size_t count, float low, float high, unsigned seed) {
  std::mt19937 bits(seed);
  std::uniform_real_distribution<float> number(low, high);
  task::words made(count);
  for (std::size_t i = 0; i < count; ++i) floats(made)[i] = number(bits);
  return made;
}

inline task vector_add() {
  constexpr std::size_t n = std::size_t{1} << 22, slice = 4096;
  task t{"vector_add", {random_floats(n, -1, 1, 1), random_floats(n, -1, 1, 2), task::words(n)}, {}, {}, true, {}, 1e-7, {},
         n / slice};
  t.arguments = {buffer_number{0}, buffer_number{1}, buffer_number{2}, static_cast<std::int32_t>(n)};
  t.shape = {{static_cast<std::uint32_t>(n / 256)}, {256}};
  for (std::size_t i = 0; i < n; ++i) t.expected.push_back(double{floats(t.buffers[0])[i]} + double{floats(t.buffers[1])[i]});
  t.loop = [](std::vector<task::words>& b, std::size_t first, std::size_t last) {
    const float *x = floats(b[0]), *y = floats(b[1]);
    float* z = floats(b[2]);
    for (std::size_t i = first * slice; i < last * slice; ++i) z[i] = x[i] + y[i];
  };
  return t;
}

inline task looped_fma() {
  constexpr std::size_t n = std::size_t{1} << 16, slice = 256;
  constexpr std::int32_t turns = 1024;
  constexpr float a = 0.999f, c = 0.25f;
  task t{"looped_fma", {random_floats(n, -1, 1, 3), task::words(n)}, {}, {}, true, {}, 1e-4, {}, n / slice};
  t.arguments = {buffer_number{0}, buffer_number{1}, a, c, turns};
  t.shape = {{static_cast<std::uint32_t>(n / 256)}, {256}};
  for (std::size_t i = 0; i < n; ++i) {
    double x = floats(t.buffers[0])[i];
    for (int k = 0; k < turns; ++k) x = x * double{a} + double{c};
    t.expected.push_back(x);
  }
  t.loop = [](std::vector<task::words>& b, std::size_t first, std::size_t last) {
    const float* in = floats(b[0]);
    float* out = floats(b[1]);
    for (std::size_t at = first * slice; at < last * slice; at += slice) {
      float x[slice];
      std::copy_n(in + at, slice, x);
      for (int k = 0; k < turns; ++k)
        for (float& one : x) one = std::fma(one, a, c);
      std::copy_n(x, slice, out + at);
    }
  };
  return t;
}

inline task tiled_sgemm() {
  constexpr std::size_t n = 256, tile = 16;
  task t{"tiled_sgemm",
         {random_floats(n * n, -1, 1, 4), random_floats(n * n, -1, 1, 5), task::words(n * n)},
         {},
         {},
         true,
         {},
         1e-5,
         {},
         n / tile};
  t.arguments = {buffer_number{0}, buffer_number{1}, buffer_number{2}, static_cast<std::int32_t>(n)};
  t.shape = {{n / tile, n / tile}, {tile, tile}};
  t.expected.assign(n * n, 0);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t k = 0; k < n; ++k)
      for (std::size_t j = 0; j < n; ++j)
        t.expected[i * n + j] += double{floats(t.buffers[0])[i * n + k]} * double{floats(t.buffers[1])[k * n + j]};
  t.loop = [](std::vector<task::words>& b, std::size_t first, std::size_t last) {
    const float *x = floats(b[0]), *y = floats(b[1]);
    float* z = floats(b[2]);
    for (std::size_t i = first * tile; i < last * tile; ++i) {
      std::fill_n(z + i * n, n, 0.0f);
      for (std::size_t k = 0; k < n; ++k)
        for (std::size_t j = 0; j < n; ++j) z[i * n + j] = std::fma(x[i * n + k], y[k * n + j], z[i * n + j]);
    }
  };
  return t;
}

inline task tree_reduction() {
  constexpr std::size_t n = std::size_t{1} << 20, block = 256;
  task t{"tree_reduction", {random_floats(n, 0, 1, 6), task::words(n / block)}, {}, {}, true, {}, 1e-6, {}, n / block};
  t.arguments = {buffer_number{0}, buffer_number{1}};
  t.shape = {{n / block}, {block}};
  for (std::size_t i = 0; i < n; i += block) {
    double sum = 0;
    for (std::size_t k = 0; k < block; ++k) sum += floats(t.buffers[0])[i + k];
    t.expected.push_back(sum);
  }
  t.loop = [](std::vector<task::words>& b, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i) {
      float part[block];
      std::copy_n(floats(b[0]) + i * block, block, part);
      for (std::size_t step = block / 2; step > 0; step /= 2)
        for (std::size_t k = 0; k < step; ++k) part[k] += part[k + step];
      floats(b[1])[i] = part[0];
    }
  };
  return t;
}

inline task softmax() {
  constexpr std::size_t rows = 512, columns = 1024;
  task t{"softmax", {random_floats(rows * columns, -8, 8, 7), task::words(rows * columns)}, {}, {}, true, {}, 1e-5, {}, rows};
  t.arguments = {buffer_number{0}, buffer_number{1}, static_cast<std::int32_t>(columns)};
  t.shape = {{rows}, {256}};
  for (std::size_t r = 0; r < rows; ++r) {
    const float* in = floats(t.buffers[0]) + r * columns;
    const double most = *std::max_element(in, in + columns);
    double sum = 0;
    for (std::size_t c = 0; c < columns; ++c) sum += std::exp(in[c] - most);
    for (std::size_t c = 0; c < columns; ++c) t.expected.push_back(std::exp(in[c] - most) / sum);
  }
  t.loop = [](std::vector<task::words>& b, std::size_t first, std::size_t last) {
    for (std::size_t r = first; r < last; ++r) {
      const float* in = floats(b[0]) + r * columns;
      float* out = floats(b[1]) + r * columns;
      float most = -std::numeric_limits<float>::infinity(), sum = 0;
      for (std::size_t c = 0; c < columns; ++c) most = std::max(most, in[c]);
      for (std::size_t c = 0; c < columns; ++c) sum += out[c] = std::exp(in[c] - most);
      for (std::size_t c = 0; c < columns; ++c) out[c] *= 1 / sum;
    }
  };
  return t;
}

inline task histogram() {
  constexpr std::size_t n = std::size_t{1} << 20, bins = 256;
  task t{"histogram", {task::words(n), task::words(bins)}, {}, {}, false, std::vector<double>(bins), 0, {}, 64};
  t.arguments = {buffer_number{0}, buffer_number{1}, static_cast<std::int32_t>(n)};
  t.shape = {{64}, {bins}};
  std::mt19937 bits(8);
  for (std::uint32_t& word : t.buffers[0]) ++t.expected[(word = static_cast<std::uint32_t>(bits())) % bins];
  t.loop = [](std::vector<task::words>& b, std::size_t first, std::size_t last) {
    std::uint32_t counts[bins] = {};
    for (std::size_t i = first * (n / 64); i < last * (n / 64); ++i) ++counts[b[0][i] % bins];
    for (std::size_t k = 0; k < bins; ++k) __atomic_fetch_add(&b[1][k], counts[k], __ATOMIC_RELAXED);
  };
  return t;
}

inline std::vector<task> all_tasks() {
  return {vector_add(), looped_fma(), tiled_sgemm(), tree_reduction(), softmax(), histogram()};
}

}  // namespace bench
