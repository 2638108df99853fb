// A thread that uses the emulated driver as any program would: cuInit, the primary context, modules and memory.
#pragma once

#include <doctest/doctest.h>

#include <string>
#include <vector>

#include <tg/emulator/counters/counters.hpp>
#include <tg/emulator/driver_table/driver_table.hpp>

namespace driver_session {

using tg::driver::result;

inline const tg::driver::table& api() { return tg::emulator::driver_table(); }

/// The primary context made current, released at the end.
struct context {
  context() {
    REQUIRE(api().cuInit(0) == result::success);
    REQUIRE(api().cuDevicePrimaryCtxRetain(&handle, 0) == result::success);
    REQUIRE(api().cuCtxSetCurrent(handle) == result::success);
  }
  ~context() {
    api().cuDevicePrimaryCtxRelease(0);
    api().cuCtxSetCurrent(nullptr);
  }
  tg::driver::context_handle handle = nullptr;
};

/// A second device, with its primary context, which is not made current.
struct second_device {
  second_device() {
    tg::emulator::show_devices(2);
    REQUIRE(api().cuDevicePrimaryCtxRetain(&handle, 1) == result::success);
  }
  ~second_device() {
    api().cuDevicePrimaryCtxRelease(1);
    tg::emulator::show_devices(1);
  }
  tg::driver::context_handle handle = nullptr;
};

/// Another context than before is current while it lives.
struct currently {
  explicit currently(tg::driver::context_handle c) {
    REQUIRE(api().cuCtxGetCurrent(&before) == result::success);
    REQUIRE(api().cuCtxSetCurrent(c) == result::success);
  }
  ~currently() { api().cuCtxSetCurrent(before); }
  tg::driver::context_handle before = nullptr;
};

/// A kernel of (u64 out, u32 value, u32 n) whose first n threads run `body`, with out[thread] at %rd3 and value in %r1.
inline std::string entry(const std::string& name, const std::string& bounds, const std::string& body) {
  return "\n.visible .entry " + name + "(.param .u64 out, .param .u32 value, .param .u32 n)\n" + bounds + R"({
  .reg .pred %p<2>;
  .reg .b32 %r<8>;
  .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.param.u32 %r1, [value];
  ld.param.u32 %r2, [n];
  mov.u32 %r3, %ctaid.x;
  mov.u32 %r4, %ntid.x;
  mov.u32 %r5, %tid.x;
  mad.lo.u32 %r6, %r3, %r4, %r5;
  setp.ge.u32 %p1, %r6, %r2;
  @%p1 bra done;
  mul.wide.u32 %rd2, %r6, 4;
  add.s64 %rd3, %rd1, %rd2;
)" + body +
         R"(done:
  ret;
}
)";
}

/// `put` writes the value to out[0, n), `add` adds it. One of (u64 out) writes past any buffer, one between two words.
inline const std::string kernels = R"(
.version 7.0
.target sm_70
.address_size 64

.visible .global .align 4 .u32 counter;
)" + entry("put", ".maxntid 256, 1, 1\n", "  st.global.u32 [%rd3], %r1;\n") +
                                   entry("add", "", R"(  ld.global.u32 %r7, [%rd3];
  add.u32 %r7, %r7, %r1;
  st.global.u32 [%rd3], %r7;
)") + R"(
.visible .entry stray(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, 1;
  st.global.u32 [%rd1+1048576], %r1;
  ret;
}

.visible .entry crooked(.param .u64 out)
{
  .reg .b32 %r<2>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, 1;
  st.global.u32 [%rd1+2], %r1;
  ret;
}
)";

/// The kernels above, loaded.
struct module {
  explicit module(const std::string& text = kernels) {
    REQUIRE(api().cuModuleLoadDataEx(&handle, text.c_str(), 0, nullptr, nullptr) == result::success);
  }
  ~module() { api().cuModuleUnload(handle); }

  tg::driver::function_handle find(const char* name) const {
    tg::driver::function_handle out = nullptr;
    REQUIRE(api().cuModuleGetFunction(&out, handle, name) == result::success);
    return out;
  }
  tg::driver::module_handle handle = nullptr;
};

/// Words of device memory, zero at first.
struct words {
  explicit words(std::size_t n) : count(n) {
    REQUIRE(api().cuMemAlloc(&address, 4 * n) == result::success);
    REQUIRE(api().cuMemsetD32(address, 0, n) == result::success);
  }
  ~words() { api().cuMemFree(address); }

  std::vector<unsigned> read() const {
    std::vector<unsigned> out(count);
    REQUIRE(api().cuMemcpyDtoH(out.data(), address, 4 * count) == result::success);
    return out;
  }
  std::size_t count;
  tg::driver::device_address address = 0;
};

/// Launches `put` or `add` over all words.
inline result launch(tg::driver::function_handle f, const words& w, unsigned value,
                     tg::driver::stream_handle stream = nullptr) {
  tg::driver::device_address address = w.address;
  unsigned n = static_cast<unsigned>(w.count);
  void* parameters[] = {&address, &value, &n};
  return api().cuLaunchKernel(f, (n + 63) / 64, 1, 1, 64, 1, 1, 0, stream, parameters, nullptr);
}

}  // namespace driver_session
