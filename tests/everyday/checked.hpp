// Runs kernels on the emulator with every checker, and the numbers that the programs of this folder start from.
#pragma once

#include <doctest/doctest.h>

#include <cstdint>
#include <random>
#include <vector>

#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/launch/finding.hpp>
#include <tg/emulator/launch/launch_shape.hpp>
#include <tg/tg.hpp>

namespace everyday {

/// The emulator; while it lives, every launch is watched by all checkers, in the order of `seed`.
class checked_device {
 public:
  explicit checked_device(unsigned seed = 0) {
    tg::emulator::set_launch_options({.check = tg::emulator::check::checkers::all(), .seed = seed});
  }
  checked_device(const checked_device&) = delete;
  checked_device& operator=(const checked_device&) = delete;
  ~checked_device() {
    gpu.synchronize();
    tg::emulator::set_launch_options({});
    CHECK(tg::emulator::take_findings().empty());
  }

  tg::device gpu{"emulator"};
};

template <class T = float> std::vector<T> random_numbers(std::size_t n, double low, double high, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::uniform_real_distribution<double> uniform(low, high);
  std::vector<T> out(n);
  for (T& x : out) x = T(static_cast<float>(uniform(random)));
  return out;
}

inline std::vector<std::uint32_t> random_words(std::size_t n, std::uint32_t below, unsigned seed = 1) {
  std::mt19937 random(seed);
  std::vector<std::uint32_t> out(n);
  for (std::uint32_t& x : out)
    x = below == 0 ? static_cast<std::uint32_t>(random()) : static_cast<std::uint32_t>(random() % below);
  return out;
}

}  // namespace everyday
