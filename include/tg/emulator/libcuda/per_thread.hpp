// The variants of calls for which stream 0 is the calling thread's own stream (_ptsz, _ptds).
#pragma once

#include <cstdint>

#include <tg/driver/api.hpp>

namespace tg::emulator::libcuda {

/// The handle 2 names the per-thread default stream.
inline driver::stream_handle own_stream(driver::stream_handle s) {
  return s ? s : reinterpret_cast<driver::stream_handle>(std::uintptr_t{2});
}
template <class T> T own_stream(T other) { return other; }

template <auto F> struct per_thread;

/// `call` is F with the thread's own stream in place of stream 0.
template <class... P, driver::result (*F)(P...)> struct per_thread<F> {
  static driver::result call(P... p) { return F(own_stream(p)...); }
};

}  // namespace tg::emulator::libcuda
