// The seed of tests with random numbers: new in each run, printed once, and repeated with TG_TEST_SEED.
#pragma once

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>

/// A seed for one generator; those of one run follow from what the run prints.
inline std::uint32_t random_seed() {
  static std::uint32_t next = [] {
    const char* const wanted = std::getenv("TG_TEST_SEED");
    const std::uint32_t seed =
        wanted != nullptr ? static_cast<std::uint32_t>(std::strtoul(wanted, nullptr, 10)) : std::random_device{}();
    std::printf("random numbers: TG_TEST_SEED=%u repeats them\n", seed);
    return seed;
  }();
  return next++;
}
