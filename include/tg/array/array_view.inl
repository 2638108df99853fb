// Slices and other orders of arrays, and what is copied to the host.
#pragma once

#include <tg/array/array_view.hpp>

#include <cstring>
#include <string>
#include <vector>

#include <tg/base/config.hpp>
#include <tg/base/fixed_array.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void cut_dimension(array_cut cut, int axis, std::int64_t& extent, std::int64_t& stride,
                                       driver::device_address& address, int element_bytes) {
  if (cut.is_all) return;
  const auto refuse = [&](const std::string& what) {
    throw error(slice_outside,
                what + " of dimension " + std::to_string(axis) + ", which has " + std::to_string(extent) + " elements",
                "an index is 0 to extent - 1; a range ends at the extent at most, and steps upward");
  };
  if (cut.is_index && (cut.first < 0 || cut.first >= extent)) refuse("index " + std::to_string(cut.first));
  if (cut.step <= 0 || cut.first < 0 || cut.count < 0 || cut.first + cut.count > extent)
    refuse("the range from " + std::to_string(cut.first) + " to " + std::to_string(cut.first + cut.count) + " in steps of " +
           std::to_string(cut.step));
  address += static_cast<driver::device_address>(cut.first * stride * element_bytes);
  extent = (cut.count + cut.step - 1) / cut.step;
  stride *= cut.step;
}

TG_LIBRARY_FUNCTION bool is_dense(const array_place& place) {
  std::int64_t own = 1;
  for (int k = place.rank - 1; k >= 0; --k) {
    if (place.extents[k] == 0) return true;
    if (place.extents[k] != 1 && place.strides[k] != own) return false;
    own *= place.extents[k];
  }
  return true;
}

TG_LIBRARY_FUNCTION void reshape_dense(const array_place& from, const std::int64_t* extents, int rank, std::int64_t* strides) {
  std::int64_t own = 1;
  for (int k = 0; k < from.rank; ++k) own *= from.extents[k];
  if (checked_count(extents, rank, 1, {}) != own)
    throw error(
        shape_impossible,
        "shape " + shape_text(from.extents, from.rank) + " as " + shape_text(extents, rank) + ": another number of elements",
        "check the new shape");
  if (!is_dense(from))
    throw error(shape_impossible,
                "a view of shape " + shape_text(from.extents, from.rank) + " with gaps or another order as " +
                    shape_text(extents, rank),
                "make it dense first: tg::eval(x).reshape(...)");
  dense_strides(extents, rank, strides);
}

TG_LIBRARY_FUNCTION void broadcast_to(const array_place& from, const std::int64_t* extents, int rank, std::int64_t* strides) {
  bool fits = from.rank <= rank;
  for (int k = 0; k < rank && fits; ++k) {
    const int own = k - (rank - from.rank);
    strides[k] = 0;
    if (own < 0 || from.extents[own] == 1) continue;
    fits = from.extents[own] == extents[k];
    strides[k] = from.strides[own];
  }
  if (!fits)
    throw error(shapes_differ,
                "shape " + shape_text(from.extents, from.rank) + " cannot be seen as " + shape_text(extents, rank),
                "an extent stays, or was 1");
}

TG_LIBRARY_FUNCTION void copy_to_host(const array_place& from, int element_bytes, void* to) {
  require_allocated(from.context != nullptr);
  std::int64_t count = 1;
  for (int k = 0; k < from.rank; ++k) count *= from.extents[k];
  if (count == 0) return;
  runtime::context& c = *from.context;
  if (is_dense(from)) {
    c.call_plain(c.api().cuMemcpyDtoH, to, from.address, static_cast<std::size_t>(count * element_bytes));
    return;
  }
  // The bytes from the lowest to the highest element, of which the elements are picked.
  std::int64_t low = 0, high = 0;
  for (int k = 0; k < from.rank; ++k) {
    const std::int64_t far = from.strides[k] * (from.extents[k] - 1);
    (far < 0 ? low : high) += far;
  }
  std::vector<std::byte> all(static_cast<std::size_t>((high - low + 1) * element_bytes));
  c.call_plain(c.api().cuMemcpyDtoH, static_cast<void*>(all.data()),
               from.address + static_cast<driver::device_address>(low * element_bytes), all.size());
  auto* next = static_cast<std::byte*>(to);
  fixed_array<std::int64_t, most_array_rank> at{};
  for (std::int64_t n = 0; n < count; ++n) {
    std::int64_t place = -low;
    for (int k = 0; k < from.rank; ++k) place += at[static_cast<std::size_t>(k)] * from.strides[k];
    std::memcpy(next, all.data() + place * element_bytes, static_cast<std::size_t>(element_bytes));
    next += element_bytes;
    for (int k = from.rank - 1; k >= 0 && ++at[static_cast<std::size_t>(k)] == from.extents[k]; --k)
      at[static_cast<std::size_t>(k)] = 0;
  }
}

}  // namespace tg::detail
