// The emulator as a GPU without wgmma: kernels that ask for the GPU's kind are those of sm_80.
#pragma once

#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/runtime/device.hpp>

namespace bench {

inline tg::device ampere() {
  static tg::driver::table own = tg::emulator::driver_table();
  own.cuDeviceGetAttribute = [](int* value, tg::driver::device_attribute what, tg::driver::device_id id) {
    const auto result = tg::emulator::driver_table().cuDeviceGetAttribute(value, what, id);
    if (what == tg::driver::device_attribute::compute_capability_major) *value = 8;
    if (what == tg::driver::device_attribute::compute_capability_minor) *value = 0;
    return result;
  };
  return tg::device(tg::runtime::machine{&own, 0});
}

}  // namespace bench
