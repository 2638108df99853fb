// What a device says of itself, and its limits.
#pragma once

#include <tg/runtime/device.hpp>

#include <tg/base/config.hpp>

namespace tg {

TG_LIBRARY_FUNCTION memory_info device::memory_info() const {
  tg::memory_info out;
  context_->call(context_->api().cuMemGetInfo, &out.free_bytes, &out.total_bytes);
  return out;
}

TG_LIBRARY_FUNCTION std::string device::uuid() const {
  driver::uuid id{};
  context_->call(context_->api().cuDeviceGetUuid, &id, context_->device());
  std::string out = "GPU-";
  for (std::size_t i = 0; i < sizeof id.bytes; ++i) {
    if (i == 4 || i == 6 || i == 8 || i == 10) out += '-';
    out += "0123456789abcdef"[id.bytes[i] >> 4];
    out += "0123456789abcdef"[id.bytes[i] & 15];
  }
  return out;
}

TG_LIBRARY_FUNCTION std::string device::bus_id() const {
  char out[32] = {};
  context_->call(context_->api().cuDeviceGetPCIBusId, static_cast<char*>(out), static_cast<int>(sizeof out),
                 context_->device());
  return out;
}

TG_LIBRARY_FUNCTION int device::attribute(driver::device_attribute what) const {
  int out = 0;
  context_->call(context_->api().cuDeviceGetAttribute, &out, what, context_->device());
  return out;
}

TG_LIBRARY_FUNCTION void device::reset() {
  const runtime::machine here{&context_->api(), context_->ordinal(), context_->is_kept()};
  context_->reset();
  context_ = runtime::context::open(here);
}

TG_LIBRARY_FUNCTION std::size_t device::limit(driver::limit which) const {
  std::size_t out = 0;
  context_->call(context_->api().cuCtxGetLimit, &out, which);
  return out;
}

TG_LIBRARY_FUNCTION void device::set_limit(driver::limit which, std::size_t value) {
  context_->call(context_->api().cuCtxSetLimit, which, value);
}

}  // namespace tg
