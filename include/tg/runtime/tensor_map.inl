// How tensor maps are checked and encoded.
#pragma once

#include <tg/runtime/tensor_map.hpp>

#include <string>

#include <tg/base/config.hpp>
#include <tg/runtime/context.hpp>

namespace tg::runtime::detail {

/// A rule of maps that an array breaks.
[[noreturn]] TG_COLD inline void fail_map(const launch_site* site, int number, code c, const std::string& fact,
                                          const std::string& fix, source_location where) {
  if (site != nullptr) fail(*site, c, number, fact, fix);
  throw error(c, "a tensor map of an array that " + fact, fix, where);
}

TG_LIBRARY_FUNCTION void encode(context& device, const tg::detail::map_facts& facts, const map_array& array,
                                driver::tensor_map& out, const launch_site* site, int number, source_location where) {
  const auto rank = static_cast<std::size_t>(facts.rank);
  const auto dimension = [&](std::size_t k) { return "dimension " + std::to_string(rank - 1 - k); };
  if (array.address % 16 != 0)
    fail_map(site, number, map_address, "begins at " + driver::detail::hex(array.address) + ", which is no multiple of 16",
             "begin at a multiple of 16 bytes; buffers do", where);
  for (std::size_t k = 0; k < rank; ++k) {
    if (array.extents[k] == 0 || array.extents[k] > std::uint64_t{1} << 32)
      fail_map(site, number, map_extent, "has " + std::to_string(array.extents[k]) + " elements in " + dimension(k),
               "give each dimension 1 to 2^32 elements", where);
    if (k == 0) continue;
    const std::uint64_t bytes = array.strides[k - 1];
    if (bytes % 16 != 0 || bytes >= std::uint64_t{1} << 40)
      fail_map(site, number, map_stride,
               "has a stride of " + std::to_string(bytes) + " bytes in " + dimension(k) + ": " +
                   std::to_string(bytes / static_cast<std::uint64_t>(facts.element_bytes)) + " elements",
               "make it a multiple of 16 bytes, which is " + std::to_string(16 / facts.element_bytes) +
                   " elements, below 2^40: pad the rows",
               where);
  }
  const auto& api = device.api();
  const auto address = reinterpret_cast<void*>(static_cast<std::uintptr_t>(array.address));
  const auto dimensions = static_cast<std::uint32_t>(facts.rank);
  const int fill = facts.fills_nan ? 1 : 0;
  if (facts.is_im2col) {
    for (std::size_t k = 1; k + 1 < rank; ++k)
      if (static_cast<std::int64_t>(array.extents[k]) - 1 + facts.upper[k - 1] < facts.lower[k - 1])
        fail_map(site, number, map_extent,
                 "has " + std::to_string(array.extents[k]) + " elements in " + dimension(k) +
                     ", of which the corners of the window leave none",
                 "give the map smaller corners, or the launch larger images", where);
    device.call(api.cuTensorMapEncodeIm2col, &out, facts.type, dimensions, address, array.extents.data(), array.strides.data(),
                facts.lower.data(), facts.upper.data(), facts.channels, facts.pixels, facts.steps.data(), 0, facts.swizzle,
                facts.promotion, fill);
    return;
  }
  device.call(api.cuTensorMapEncodeTiled, &out, facts.type, dimensions, address, array.extents.data(), array.strides.data(),
              facts.box.data(), facts.steps.data(), 0, facts.swizzle, facts.promotion, fill);
}

}  // namespace tg::runtime::detail
