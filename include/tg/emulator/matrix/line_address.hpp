// The addresses at which wmma.load and wmma.store find the elements of a matrix in memory.
#pragma once

#include <array>
#include <cstring>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/image/matrix_step.hpp>

namespace tg::emulator {

/// Where one access of each lane starts: how many lines (rows or columns) on, and how many elements into the line.
struct place_in_lines { std::array<std::uint16_t, 32> line{}, element{}; };

/// results[i] = base + (line × stride + element) × element size, for access i.
class line_address_step final : public matrix_step {
 public:
  slot_ref base;
  slot_ref stride;  // in elements
  std::uint32_t element_bits = 8;
  dynamic_array<place_in_lines> places;  // per access
  dynamic_array<slot_ref> results;       // of 8 bytes

  void operator()(warp_view& view) const override {
    const std::uint32_t* const steps = view.words(stride);
    const std::byte* const start = view.values<const std::byte>(base);
    for (std::size_t i = 0; i < places.size(); ++i) {
      auto* const to = view.values<std::uint64_t>(results[i]);
      for (std::size_t lane = 0; lane < 32; ++lane) {
        std::uint64_t from = 0;
        std::memcpy(&from, start + lane * base.bytes, base.bytes);
        const std::uint64_t elements = std::uint64_t{places[i].line[lane]} * steps[lane] + places[i].element[lane];
        to[lane] = from + elements * element_bits / 8;
      }
    }
  }
};

}  // namespace tg::emulator
