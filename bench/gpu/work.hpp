// What the GPU is timed with: operands filled with random numbers on the GPU, and the twins that nvcc makes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <future>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <bench/gpu/timer.hpp>
#include <bench/toolkit.hpp>
#include <tg/runtime/function.hpp>
#include <tg/runtime/module.hpp>
#include <tg/tg.hpp>

namespace bench {

/// Numbers between -1 and 1, or all bit patterns where T has only whole numbers.
template <class T> tg::buffer<T> random_buffer(tg::device& gpu, std::size_t count, unsigned seed) {
  std::vector<T> block(std::min<std::size_t>(count, std::size_t{1} << 22));
  std::uint64_t state = seed * 0x9e3779b97f4a7c15u + 1;
  for (T& x : block) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    const auto high = static_cast<std::uint32_t>(state >> 32);
    if constexpr (std::is_integral_v<T>) x = static_cast<T>(high);
    else x = static_cast<T>(static_cast<float>(static_cast<std::int32_t>(high)) * 0x1p-31f);
  }
  tg::buffer<T> out = gpu.allocate<T>(count);
  for (std::size_t at = 0; at < count; at += block.size()) {
    const std::size_t some = std::min(block.size(), count - at);
    out.copy_from(std::span<const T>(block.data(), some), at);
  }
  return out;
}

/// Kernels of bench/cuda, compiled beforehand, all at once.
class twins {
 public:
  explicit twins(tg::device& gpu, const std::vector<std::string>& files) : gpu_(gpu) {
    if (!toolkit::find()) return;
    std::map<std::string, std::future<std::string>> made;
    for (const std::string& file : files)
      made[file] = std::async(std::launch::async, [file] { return toolkit::find()->to_ptx("bench/cuda/" + file + ".cu", 90); });
    for (auto& [file, text] : made) texts_[file] = text.get();
  }

  /// The kernel of that name in the file; nothing where there is no nvcc.
  std::optional<tg::function> find(const std::string& file, const std::string& entry) const {
    const auto found = texts_.find(file);
    if (found == texts_.end()) return std::nullopt;
    return tg::module(gpu_, found->second).function(entry);
  }

 private:
  tg::device& gpu_;
  std::map<std::string, std::string> texts_;
};

/// What a figure is held against: the device's own limits, measured in the same run, or peaks of its data sheet.
struct limits {
  double bytes_per_ms;        // of a copy from device memory to device memory, read and written bytes
  double half_flops_per_ms;   // of 16-bit products on tensor cores
  double float_flops_per_ms;  // of fused multiply-adds
};

}  // namespace bench
