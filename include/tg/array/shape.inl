// Checks of shapes, and their text.
#pragma once

#include <tg/array/shape.hpp>

#include <string>

#include <tg/base/config.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION std::string shape_text(const std::int64_t* extents, int rank) {
  std::string out = "(";
  for (int k = 0; k < rank; ++k) out += (k == 0 ? "" : ", ") + std::to_string(extents[k]);
  return out + (rank == 1 ? ",)" : ")");
}

TG_LIBRARY_FUNCTION std::int64_t checked_count(const std::int64_t* extents, int rank, int element_bytes,
                                               source_location where) {
  std::int64_t out = 1;
  bool fits = true, is_empty = false;
  for (int k = 0; k < rank; ++k) {
    if (extents[k] < 0)
      throw error(shape_impossible, "an array of shape " + shape_text(extents, rank) + " has an extent below 0",
                  "check how the shape was computed", where);
    is_empty = is_empty || extents[k] == 0;
    fits = fits && !__builtin_mul_overflow(out, extents[k], &out);
  }
  std::int64_t bytes = 0;
  if (is_empty) return 0;
  if (!fits || __builtin_mul_overflow(out, std::int64_t{element_bytes}, &bytes))
    throw error(shape_impossible, "an array of shape " + shape_text(extents, rank) + " has more elements than any memory",
                "check how the shape was computed", where);
  return out;
}

TG_LIBRARY_FUNCTION void require_elements(std::size_t given, const std::int64_t* extents, int rank, source_location where) {
  const std::int64_t wanted = checked_count(extents, rank, 1, where);
  if (given != static_cast<std::size_t>(wanted))
    throw error(shape_impossible,
                std::to_string(given) + " elements for an array of shape " + shape_text(extents, rank) + ", which has " +
                    std::to_string(wanted),
                "give one for each", where);
}

TG_LIBRARY_FUNCTION void refuse_foreign(const std::string& fact, const std::string& fix, source_location where) {
  throw error(foreign_array, fact, fix, where);
}

TG_LIBRARY_FUNCTION void require_aligned(std::uint64_t address, int element_bytes, source_location where) {
  if (address % static_cast<std::uint64_t>(element_bytes) != 0)
    refuse_foreign(
        "address " + std::to_string(address) + " is no multiple of an element's " + std::to_string(element_bytes) + " bytes",
        "copy the elements to an array of this device", where);
}

TG_LIBRARY_FUNCTION void require_allocated(bool is_allocated, source_location where) {
  if (!is_allocated)
    throw error(memory_missing, "an array has no memory: it was never assigned, or was moved from",
                "make it with a device and a shape", where);
}

}  // namespace tg::detail
