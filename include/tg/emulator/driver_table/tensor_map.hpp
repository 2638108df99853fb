// The emulated driver's tensor maps, of tiles and of im2col.
#pragma once

#include <algorithm>

#include <tg/emulator/async/tensor_map.hpp>
#include <tg/emulator/driver_table/machine.hpp>

namespace tg::emulator::entry {

/// Reads what the calls for both kinds of maps are given. Returns: false where it cannot even be read.
inline bool read_shape(tensor_shape& t, int type, std::uint32_t rank, void* address, const std::uint64_t* extents,
                       const std::uint64_t* strides, const std::uint32_t* steps, int interleave, int swizzle, int promotion,
                       int fill) {
  if (!extents || !steps || rank < 1 || rank > 5 || (!strides && rank > 1)) return false;
  if (type < 0 || type > 12 || interleave < 0 || interleave > 2 || swizzle < 0 || swizzle > 3) return false;
  if (promotion < 0 || promotion > 3 || fill < 0 || fill > 1) return false;
  t.type = static_cast<tensor_type>(type);
  t.rank = rank;
  t.address = reinterpret_cast<std::uint64_t>(address);
  std::copy_n(extents, rank, t.extents.begin());
  std::copy_n(strides, rank - 1, t.strides.begin());
  std::copy_n(steps, rank, t.steps.begin());
  t.interleave = static_cast<tensor_interleave>(interleave);
  t.swizzle = static_cast<tensor_swizzle>(swizzle);
  t.fill = static_cast<tensor_fill>(fill);
  return true;
}

template <class Tensor> result encode_for(const char* call, driver::tensor_map* out, const Tensor& t) {
  emulator::tensor_map made;
  const std::string_view broken = encode(made, t);
  if (!broken.empty() && the_machine().is_driver)
    std::fprintf(stderr, "tg emulator: %s: %.*s\n", call, static_cast<int>(broken.size()), broken.data());
  if (!broken.empty()) return result::invalid_value;
  std::memcpy(out, &made, sizeof made);
  return result::success;
}

/// Works before cuInit, as it asks nothing of a device. Errors: invalid_value, with the broken rule on standard error
/// where the machine is the driver.
inline result cuTensorMapEncodeTiled(driver::tensor_map* out, int type, std::uint32_t rank, void* address,
                                     const std::uint64_t* extents, const std::uint64_t* strides, const std::uint32_t* box,
                                     const std::uint32_t* steps, int interleave, int swizzle, int promotion, int fill) {
  tiled_tensor t;
  if (!out || !box || !read_shape(t, type, rank, address, extents, strides, steps, interleave, swizzle, promotion, fill))
    return result::invalid_value;
  std::copy_n(box, rank, t.box.begin());
  return encode_for("cuTensorMapEncodeTiled", out, t);
}

/// As cuTensorMapEncodeTiled; corners are those of W, then H, then D.
inline result cuTensorMapEncodeIm2col(driver::tensor_map* out, int type, std::uint32_t rank, void* address,
                                      const std::uint64_t* extents, const std::uint64_t* strides, const int* lower,
                                      const int* upper, std::uint32_t channels, std::uint32_t pixels,
                                      const std::uint32_t* steps, int interleave, int swizzle, int promotion, int fill) {
  im2col_tensor t;
  if (!out || !lower || !upper || rank < 3 ||
      !read_shape(t, type, rank, address, extents, strides, steps, interleave, swizzle, promotion, fill))
    return result::invalid_value;
  std::copy_n(lower, rank - 2, t.lower.begin());
  std::copy_n(upper, rank - 2, t.upper.begin());
  t.channels = channels;
  t.pixels = pixels;
  return encode_for("cuTensorMapEncodeIm2col", out, t);
}

inline result cuTensorMapReplaceAddress(driver::tensor_map* map, void* address) {
  if (map == nullptr) return result::invalid_value;
  emulator::tensor_map changed;
  std::memcpy(changed.bytes.data(), map, sizeof changed);
  if (!replace_address(changed, reinterpret_cast<std::uint64_t>(address))) return result::invalid_value;
  std::memcpy(map, &changed, sizeof changed);
  return result::success;
}

}  // namespace tg::emulator::entry
