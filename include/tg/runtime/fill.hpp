// Sets elements on a device to one value, whatever their size, without host memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include <tg/runtime/context.hpp>

namespace tg::runtime {

/// The widest unit, of 4, 2 or 1 bytes, that elements of a size are made of.
constexpr std::size_t fill_unit_bytes(std::size_t element_bytes) {
  return element_bytes % 4 == 0 ? 4 : element_bytes % 2 == 0 ? 2 : 1;
}

/// The units of a value, first byte first.
template <class T> struct fill_units {
  static constexpr std::size_t bytes = fill_unit_bytes(sizeof(T));
  static constexpr std::size_t count = sizeof(T) / bytes;

  explicit fill_units(const T& value) {
    for (std::size_t i = 0; i < count; ++i)
      std::memcpy(&values[i], reinterpret_cast<const std::byte*>(&value) + i * bytes, bytes);
  }

  /// Whether one plain fill does it.
  bool is_uniform() const {
    for (std::size_t i = 1; i < count; ++i)
      if (values[i] != values[0]) return false;
    return true;
  }

  std::uint32_t values[count] = {};
};

/// Enqueues setting `count` elements from `to` on to `value`. Cost: one call of the driver where all units of the element are
/// equal, as in 0.0, else one per unit, each of which touches every element.
/// Errors: those of the driver.
template <class T>
void fill_on(context& c, driver::stream_handle stream, driver::device_address to, std::size_t count, const T& value) {
  static_assert(std::is_trivially_copyable_v<T>, "elements on a device are plain values");
  using units = fill_units<T>;
  const units u(value);
  const auto& api = c.api();
  const bool is_whole = u.is_uniform();
  if (is_whole) count *= units::count;
  for (std::size_t i = 0; i < (is_whole ? 1 : units::count); ++i) {
    const driver::device_address at = to + i * units::bytes;
    if constexpr (units::bytes == 4) {
      if (is_whole) c.call(api.cuMemsetD32Async, at, u.values[i], count, stream);
      else c.call(api.cuMemsetD2D32Async, at, sizeof(T), u.values[i], std::size_t{1}, count, stream);
    } else if constexpr (units::bytes == 2) {
      const auto unit = static_cast<unsigned short>(u.values[i]);
      if (is_whole) c.call(api.cuMemsetD16Async, at, unit, count, stream);
      else c.call(api.cuMemsetD2D16Async, at, sizeof(T), unit, std::size_t{1}, count, stream);
    } else {
      const auto unit = static_cast<unsigned char>(u.values[i]);
      if (is_whole) c.call(api.cuMemsetD8Async, at, unit, count, stream);
      else c.call(api.cuMemsetD2D8Async, at, sizeof(T), unit, std::size_t{1}, count, stream);
    }
  }
}

}  // namespace tg::runtime
