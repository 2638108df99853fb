// The emulated driver's tensor maps. Im2col maps are not there.
#pragma once

#include <algorithm>

#include <tg/emulator/async/tensor_map.hpp>
#include <tg/emulator/driver_table/machine.hpp>

namespace tg::emulator::entry {

/// Works before cuInit, as it asks nothing of a device. Errors: invalid_value, with the broken rule on standard error
/// where the machine is the driver.
inline result cuTensorMapEncodeTiled(driver::tensor_map* out, int type, std::uint32_t rank, void* address,
                                     const std::uint64_t* extents, const std::uint64_t* strides,
                                     const std::uint32_t* box, const std::uint32_t* steps, int interleave, int swizzle,
                                     int, int fill) {
  if (!out || !extents || !box || !steps || rank < 1 || rank > 5 || (!strides && rank > 1))
    return result::invalid_value;
  if (type < 0 || type > 12 || interleave < 0 || interleave > 2 || swizzle < 0 || swizzle > 3 || fill < 0 || fill > 1)
    return result::invalid_value;
  tiled_tensor t;
  t.type = static_cast<tensor_type>(type);
  t.rank = rank;
  t.address = reinterpret_cast<std::uint64_t>(address);
  std::copy_n(extents, rank, t.extents.begin());
  std::copy_n(strides, rank - 1, t.strides.begin());
  std::copy_n(box, rank, t.box.begin());
  std::copy_n(steps, rank, t.steps.begin());
  t.interleave = static_cast<tensor_interleave>(interleave);
  t.swizzle = static_cast<tensor_swizzle>(swizzle);
  t.fill = static_cast<tensor_fill>(fill);
  emulator::tensor_map made;
  const std::string_view broken = encode_tiled(made, t);
  if (!broken.empty() && the_machine().is_driver)
    std::fprintf(stderr, "tg emulator: cuTensorMapEncodeTiled: %.*s\n", static_cast<int>(broken.size()), broken.data());
  if (!broken.empty()) return result::invalid_value;
  std::memcpy(out, &made, sizeof made);
  return result::success;
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
