// Counts of the elements of arrays by their values: `auto counts = tg::histogram(x, 100, 0.0f, 0.01f);`. For sums by indices
// that are known see `tg::add_at` of <tg/array/scatter.hpp>.
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include <kernels/arrays/operands.hpp>
#include <kernels/histogram.hpp>

namespace tg {

namespace detail {

/// Counts that are 0.
inline array<int, 1> no_counts(const device& gpu, std::int64_t bins, source_location where) {
  array<int, 1> out(gpu, {bins}, where);
  if (bins > 0) out = 0;
  return out;
}
/// Blocks that fill a machine for n elements.
inline unsigned histogram_blocks(unsigned n, unsigned each) { return std::clamp((n + each - 1) / each, 1u, 1024u); }

template <class T>
inline constexpr bool is_counted =
    sizeof(T) == 4 && (std::is_same_v<T, float> || (std::is_integral_v<T> && !std::is_same_v<T, bool>));

}  // namespace detail

/// How many of the elements are in [low + b * width, low + (b + 1) * width), for `bins` numbers b; elements outside are counted
/// nowhere, and so is NaN. Elements: integers of 32 bits, float, in an array of any rank. Returns: an int for each bin.
/// Errors: TG705 for a width that is not above 0, bins below 0 or too many for shared memory, 2^31 elements or more, TG722.
/// Requires: low + bins * width - 1 of integers is one.
/// Cost: a read of x, an atomic in shared memory for each element. A block has 4 bytes of shared memory for each bin.
template <array_like X>
array<int, 1> histogram(const X& x, int bins, detail::element_of_expression<X> low, detail::element_of_expression<X> width,
                        source_location where = source_location::current()) {
  using T = detail::element_of_expression<X>;
  constexpr bool fits = detail::is_counted<T>;
  static_assert(fits, "TG722: tg::histogram counts integers of 32 bits or floats; convert others with tg::cast<int>(x)");
  if constexpr (!fits) {
    return {};
  } else {
    const auto own = detail::dense_operand(x, where);
    device gpu = detail::device_of_operand(own, where);
    const auto most = static_cast<std::int64_t>(gpu.limits().shared_bytes_opt_in) / 4;
    if (!(width > T{0}) || bins < 0 || bins > most)
      detail::refuse_shape(
          "tg::histogram of " + std::to_string(bins) + " bins of a width of " + std::to_string(width),
          "the width is above 0; this device counts up to " + std::to_string(most) + " bins, tg::add_at any number", where);
    const unsigned n =
        detail::extent_below(static_cast<std::int64_t>(own.size()), std::int64_t{1} << 31, "elements of tg::histogram", where);
    auto counts = detail::no_counts(gpu, bins, where);
    if (n > 0 && bins > 0)
      gpu.launch(kernels::range_histogram<T>, tg::grid(detail::histogram_blocks(n, 4096), where), detail::part_of_operand(own),
                 detail::written_as<unsigned>(counts), low, width, static_cast<unsigned>(bins), n);
    return counts;
  }
}

/// How many of the bytes have each of the 256 values. Errors: TG705 for 2^31 bytes or more, TG722.
/// Cost: a read of x, 16 bytes a load, an atomic in shared memory for each byte.
template <array_like X> array<int, 1> histogram(const X& x, source_location where = source_location::current()) {
  constexpr bool fits = std::is_same_v<detail::element_of_expression<X>, std::uint8_t>;
  static_assert(
      fits, "TG722: tg::histogram(x) counts an array of std::uint8_t; others need bins: tg::histogram(x, 100, 0.0f, 0.01f)");
  if constexpr (!fits) {
    return {};
  } else {
    const auto own = detail::dense_operand(x, where);
    device gpu = detail::device_of_operand(own, where);
    const unsigned n =
        detail::extent_below(static_cast<std::int64_t>(own.size()), std::int64_t{1} << 31, "bytes of tg::histogram", where);
    auto counts = detail::no_counts(gpu, 256, where);
    if (n > 0)
      gpu.launch(kernels::byte_histogram, tg::grid(detail::histogram_blocks(n, 16384), where), detail::part_of_operand(own),
                 detail::written_as<unsigned>(counts), n);
    return counts;
  }
}

}  // namespace tg
