// One kernel of the benchmark with its data, its launch and its right answer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <variant>
#include <vector>

#include <tg/emulator/launch/launch_shape.hpp>

namespace bench {

struct buffer_number { std::size_t at = 0; };

/// Buffers hold 4-byte elements; the last one is the result.
struct task {
  using words = std::vector<std::uint32_t>;
  using argument = std::variant<buffer_number, std::int32_t, float>;

  std::string name;
  std::vector<words> buffers;
  std::vector<argument> arguments;
  tg::emulator::launch_shape shape;
  bool is_float = true;
  std::vector<double> expected;
  double tolerance = 0;  // of the largest expected value
  /// The task as a plain C++ loop: block `first` up to `last` of `blocks` equal parts of the work.
  std::function<void(std::vector<words>& buffers, std::size_t first, std::size_t last)> loop;
  std::size_t parts = 1;

  bool is_right(const words& result) const {
    double most = 0;
    for (const double e : expected) most = e > most ? e : -e > most ? -e : most;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      float as_float = 0;
      std::memcpy(&as_float, &result[i], 4);
      const double off = (is_float ? static_cast<double>(as_float) : static_cast<double>(result[i])) - expected[i];
      if (!(off <= tolerance * most && -off <= tolerance * most)) return false;
    }
    return true;
  }
};

}  // namespace bench
