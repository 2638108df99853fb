// Medians of the neighbours of each pixel of a grey picture. Outside the picture its edge goes on.
//
// A thread makes the medians of two pixels, one above the other, of which all rows of neighbours but two are the same. It
// removes the smallest and the largest of just so many numbers that neither can be the median, adds one, and goes on until
// one is left:
//
//   rows 1 to Size - 1, once for both pixels, leave Size + 1 numbers
//   and row 0, for the upper pixel       and row Size, for the lower pixel
//
// Bytes are compared two at a time, those of two pixels 32 columns apart: as bits of f16, small integers are subnormal numbers
// in the order of the integers, and min and max leave their bits alone.
#pragma once

#include <cstdint>
#include <type_traits>

#include <tg/dsl.hpp>
#include <tg/dsl/value/bit_cast.hpp>
#include <tg/dsl/vector/packed.hpp>
#include <tg/runtime/grid.hpp>

namespace tg::kernels {

using literals::operator""_c;

namespace detail {

/// A compare-exchange of two registers: the smaller number goes into `low`, the larger one into `high`.
struct exchange { int low, high; };

/// Compare-exchanges in their order, and the registers that may hold the median after them.
struct selection_network {
  tg::fixed_array<exchange, 128> steps{};
  int count = 0;
  tg::fixed_array<int, 32> left{};
  int left_count = 0;

  constexpr void add(int low, int high) { steps[static_cast<std::size_t>(count++)] = {low, high}; }
  constexpr int at(int i) const { return left[static_cast<std::size_t>(i)]; }
  /// Moves the smallest number to the first of the registers left, the largest one to the last.
  constexpr void part_extremes() {
    const int half = left_count / 2, last = left_count - 1;
    for (int i = 0; i < half; ++i) add(at(i), at(last - i));
    if (left_count % 2 != 0) {
      add(at(0), at(half));
      add(at(half), at(last));
    }
    for (int i = 1; i < half; ++i) {
      add(at(0), at(i));
      add(at(last - i), at(last));
    }
  }
  /// Forgets the first and the last of the registers left.
  constexpr void drop_ends() {
    left_count -= 2;
    for (std::size_t i = 0; i < static_cast<std::size_t>(left_count); ++i) left[i] = left[i + 1];
  }
};

/// Removes the smallest and the largest of registers 0 to first - 1, then of those left and register `first`, and so on up to
/// register registers - 1.
constexpr selection_network make_selection(int first, int registers) {
  selection_network out;
  out.left_count = first;
  for (int i = 0; i < first; ++i) out.left[static_cast<std::size_t>(i)] = i;
  for (int next = first;; ++next) {
    out.part_extremes();
    out.drop_ends();
    if (next == registers) return out;
    out.left[static_cast<std::size_t>(out.left_count++)] = next;
  }
}
/// For the rows that both pixels have. Half of all neighbours and one more have an extreme that is not the median.
template <int Size> inline constexpr auto median_of_shared_rows = make_selection(Size * Size / 2 + 2, Size*(Size - 1));
/// For the numbers that the shared rows leave, and one row more.
template <int Size> inline constexpr auto median_of_rest = make_selection(Size + 2, 2 * Size + 1);

template <class Registers> void apply_network(const selection_network& network, Registers& r) {
  for (int i = 0; i < network.count; ++i) {
    const exchange& e = network.steps[static_cast<std::size_t>(i)];
    const auto low = tg::let(tg::min(r(e.low).get(), r(e.high).get()));
    r(e.high) = tg::max(r(e.low).get(), r(e.high).get());
    r(e.low) = low;
  }
}

/// Pixels of a row that a thread of `median` takes.
template <class T> inline constexpr int median_pixels = sizeof(T) == 1 ? 2 : 1;

}  // namespace detail

/// filtered(r, c): the median of the Size x Size pixels around (r, c). T: float, std::uint8_t. Size: 3 or 5. Launch with
/// `median_grid<T>(width, height)`.
/// Requires: width and height leave 64 below 2^31. A NaN counts as one of the numbers that it is compared with.
/// Cost: 17 or 81 compare-exchanges a pixel, half of them for bytes; each byte of the picture is read from memory about once.
template <class T, int Size>
inline constexpr auto median = tg::kernel<"median">(
    tg::block<32, 8>, [](auto block, tg::in2<T> picture, tg::out2<T> filtered, tg::scalar<int> width, tg::scalar<int> height) {
      static_assert(std::is_same_v<T, float> || std::is_same_v<T, std::uint8_t>, "median<T, Size> requires floats or bytes");
      static_assert(Size == 3 || Size == 5, "median<T, Size> requires a size of 3 or 5");
      constexpr bool is_packed = detail::median_pixels<T> == 2;
      using word = std::conditional_t<is_packed, unsigned, T>;
      using number = std::conditional_t<is_packed, tg::f16x2, T>;
      constexpr int rows = 16 + Size - 1, columns = 32 + Size - 1;
      const auto tile = tg::shared<word>(tg::shape<rows, columns>);
      const auto lane = tg::let(tg::cast<int>(block.thread.x));
      const auto first = tg::let(tg::cast<int>(block.thread.y));
      const auto top = tg::let(tg::cast<int>(block.index.y) * 16_c);
      const auto left = tg::let(tg::cast<int>(block.index.x) * constant<32 * detail::median_pixels<T>>{});

      const auto fill = [&](const auto& line, const auto& column) {
        const auto row = tg::let(tg::clamp(top + line - constant<Size / 2>{}, 0_c, height - 1_c));
        const auto pixel = [&](auto d) { return picture(row, tg::clamp(left + column + d, 0_c, width - 1_c)); };
        constexpr auto before = constant<-(Size / 2)>{};
        if constexpr (is_packed)
          tile(line, column) = tg::cast<unsigned>(pixel(before)) | tg::cast<unsigned>(pixel(before + 32_c)) << 16u;
        else tile(line, column) = pixel(before);
      };
      tg::for_(tg::range(first, constant<rows>{}, 8_c), [&](auto line) {
        fill(line, lane);
        tg::if_(lane < constant<Size - 1>{}, [&] { fill(line, lane + 32_c); });
      });
      block.sync();

      const auto neighbour = [&](auto line, auto k) {
        const auto found = tg::let(tile(first * 2_c + line, lane + k));
        if constexpr (is_packed) return tg::bit_cast<tg::f16x2>(found);
        else return found;
      };
      tg::regs<number, Size*(Size - 1)> both = neighbour(1_c, 0_c);
      tg::unroll<Size - 1>(
          [&](auto i) { tg::unroll<Size>([&](auto k) { both(i * constant<Size>{} + k) = neighbour(i + 1_c, k); }); });
      detail::apply_network(detail::median_of_shared_rows<Size>, both);
      tg::unroll<2>([&](auto own) {
        tg::regs<number, 2 * Size + 1> r = both(detail::median_of_shared_rows<Size>.at(0)).get();
        for (int i = 1; i <= Size; ++i) r(i) = both(detail::median_of_shared_rows<Size>.at(i)).get();
        tg::unroll<Size>([&](auto k) { r(k + constant<Size + 1>{}) = neighbour(own * constant<Size>{}, k); });
        detail::apply_network(detail::median_of_rest<Size>, r);
        const auto found = tg::let(r(detail::median_of_rest<Size>.at(0)));
        const auto row = tg::let(top + first * 2_c + own);
        const auto column = tg::let(left + lane);
        const auto store = [&](auto d, const auto& x) {
          tg::if_(row < height && column + d < width, [&] { filtered(row, column + d) = x; });
        };
        if constexpr (is_packed) {
          const auto bits = tg::let(tg::bit_cast<unsigned>(found));
          store(0_c, tg::cast<std::uint8_t>(bits));
          store(32_c, tg::cast<std::uint8_t>(bits >> 16u));
        } else {
          store(0_c, found);
        }
      });
    });

/// Blocks for `median<T, Size>`.
template <class T>
constexpr auto median_grid(unsigned width, unsigned height, source_location where = source_location::current()) {
  constexpr unsigned columns = 32 * detail::median_pixels<T>;
  return tg::grid((width + columns - 1) / columns, (height + 15) / 16, where);
}

}  // namespace tg::kernels
