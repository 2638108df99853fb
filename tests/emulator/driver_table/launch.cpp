#include <tg/emulator/driver_table/launch.hpp>

#include <cstring>
#include <vector>

#include <tg/emulator/driver_table/function.hpp>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using tg::driver::launch_extra;

namespace {

void* key(launch_extra e) { return reinterpret_cast<void*>(e); }

}  // namespace

TEST_CASE("a kernel gets its parameters by pointers or in one packed buffer") {
  const driver_session::context c;
  const driver_session::module m;
  const driver_session::words w(100);
  CHECK(driver_session::launch(m.find("put"), w, 7) == result::success);
  CHECK(w.read() == std::vector<unsigned>(100, 7));

  struct {
    tg::driver::device_address out;
    unsigned value, n;
  } packed{w.address, 5, 50};
  std::size_t bytes = sizeof packed;
  void* extra[] = {key(launch_extra::buffer_pointer), &packed, key(launch_extra::buffer_size), &bytes, nullptr};
  CHECK(api().cuLaunchKernel(m.find("add"), 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra) == result::success);
  const auto out = w.read();
  CHECK(out[49] == 12);
  CHECK(out[50] == 7);

  bytes = 12;
  CHECK(api().cuLaunchKernel(m.find("add"), 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, extra) == result::invalid_value);
  CHECK(api().cuLaunchKernel(m.find("add"), 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, nullptr) == result::invalid_value);
  void* unknown[] = {reinterpret_cast<void*>(9), &packed, nullptr};
  CHECK(api().cuLaunchKernel(m.find("add"), 1, 1, 1, 64, 1, 1, 0, nullptr, nullptr, unknown) == result::invalid_value);
}

TEST_CASE("a packed buffer has parameters where code for sm_90 has them, not where a buffer that begins at 0 would") {
  const driver_session::context c;
  const driver_session::module m(R"(
.version 8.0
.target sm_90
.address_size 64
.visible .entry sums(.param .u32 first, .param .align 64 .b8 far[64], .param .u64 out) {
  .reg .b32 %r<4>;
  .reg .b64 %rd<2>;
  ld.param.u32 %r1, [first];
  ld.param.u32 %r2, [far+4];
  ld.param.u64 %rd1, [out];
  add.u32 %r3, %r1, %r2;
  st.global.u32 [%rd1], %r3;
  ret;
}
)");
  const auto sums = m.find("sums");
  const driver_session::words w(1);
  const std::size_t wanted[][2] = {{0, 4}, {48, 64}, {112, 8}};  // 0x210 + 48 and 0x210 + 112 are multiples of 64
  for (std::size_t i = 0; i < 3; ++i) {
    std::size_t offset = 0, bytes = 0;
    CHECK(tg::emulator::entry::cuFuncGetParamInfo(sums, i, &offset, &bytes) == result::success);
    CHECK(offset == wanted[i][0]);
    CHECK(bytes == wanted[i][1]);
  }
  const auto launch = [&](const std::size_t (&places)[3], std::size_t bytes) {
    std::vector<std::byte> packed(bytes);
    const unsigned first = 5, second = 7;
    std::memcpy(packed.data() + places[0], &first, 4);
    std::memcpy(packed.data() + places[1] + 4, &second, 4);
    std::memcpy(packed.data() + places[2], &w.address, 8);
    void* extra[] = {key(launch_extra::buffer_pointer), packed.data(), key(launch_extra::buffer_size), &bytes, nullptr};
    return api().cuLaunchKernel(sums, 1, 1, 1, 1, 1, 1, 0, nullptr, nullptr, extra);
  };
  CHECK(launch({0, 48, 112}, 120) == result::success);
  CHECK(w.read()[0] == 12);
  CHECK(launch({0, 64, 128}, 136) == result::launch_out_of_resources);
  CHECK(launch({0, 48, 104}, 119) == result::invalid_value);
}

TEST_CASE("a launch beyond the limits is refused") {
  const driver_session::context c;
  const driver_session::module m;
  const driver_session::words w(1);
  const auto put = m.find("put"), add = m.find("add");
  const auto launch = [&](tg::driver::function_handle f, unsigned gx, unsigned gy, unsigned bx, unsigned bz, unsigned shared) {
    tg::driver::device_address address = w.address;
    unsigned value = 1, n = 1;
    void* parameters[] = {&address, &value, &n};
    return api().cuLaunchKernel(f, gx, gy, 1, bx, 1, bz, shared, nullptr, parameters, nullptr);
  };
  CHECK(launch(add, 1, 1, 1024, 1, 0) == result::success);
  CHECK(launch(add, 1, 1, 1025, 1, 0) == result::invalid_value);
  CHECK(launch(add, 1, 1, 32, 64, 0) == result::invalid_value);
  CHECK(launch(add, 1, 1, 1, 65, 0) == result::invalid_value);
  CHECK(launch(add, 0, 1, 32, 1, 0) == result::invalid_value);
  CHECK(launch(add, 1, 65536, 32, 1, 0) == result::invalid_value);
  CHECK(launch(add, 0x80000000u, 1, 32, 1, 0) == result::invalid_value);
  CHECK(launch(add, 1, 1, 0, 1, 0) == result::invalid_value);
  CHECK(launch(add, 1, 1, 32, 1, 49153) == result::invalid_value);
  CHECK(launch(put, 1, 1, 257, 1, 0) == result::launch_out_of_resources);
  CHECK(launch(nullptr, 1, 1, 32, 1, 0) == result::invalid_handle);
}

TEST_CASE("a kernel that goes astray gives the driver's result and the emulator's report, and the device lives on") {
  const driver_session::context c;
  const driver_session::module m;
  const driver_session::words w(4);
  tg::driver::device_address address = w.address;
  void* parameters[] = {&address};
  CHECK(api().cuLaunchKernel(m.find("stray"), 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr) == result::illegal_address);
  REQUIRE(tg::emulator::last_report());
  CHECK(std::string(tg::emulator::last_report()->what()).find("stray") != std::string::npos);
  CHECK(api().cuLaunchKernel(m.find("crooked"), 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr) ==
        result::misaligned_address);
  const auto report = api().take_report();
  REQUIRE(report);
  CHECK_FALSE(api().take_report());
  CHECK(driver_session::launch(m.find("put"), w, 3) == result::success);
  CHECK(w.read() == std::vector<unsigned>(4, 3));
}

TEST_CASE("attributes of a launch ask for clusters and for blocks that are resident together") {
  const driver_session::context c;
  const driver_session::module m;
  const driver_session::words w(256);
  tg::driver::device_address address = w.address;
  unsigned value = 3, n = 256;
  void* parameters[] = {&address, &value, &n};
  tg::driver::launch_attribute attribute{tg::driver::launch_attribute_id::priority, {}, {}};
  tg::driver::launch_config config{4, 1, 1, 64, 1, 1, 0, nullptr, &attribute, 1};
  using tg::emulator::entry::cuLaunchKernelEx;
  CHECK(cuLaunchKernelEx(&config, m.find("put"), parameters, nullptr) == result::success);
  CHECK(w.read()[255] == 3);
  attribute.id = tg::driver::launch_attribute_id::cluster_dimension;
  attribute.value.extent = {3, 1, 1};  // does not divide 4
  CHECK(cuLaunchKernelEx(&config, m.find("put"), parameters, nullptr) == result::invalid_cluster_size);
  attribute.value.extent = {0, 1, 1};
  CHECK(cuLaunchKernelEx(&config, m.find("put"), parameters, nullptr) == result::invalid_cluster_size);
  CHECK(cuLaunchKernelEx(nullptr, m.find("put"), parameters, nullptr) == result::invalid_value);
  value = 5;
  CHECK(tg::emulator::entry::cuLaunchCooperativeKernel(m.find("put"), 4, 1, 1, 64, 1, 1, 0, nullptr, parameters) ==
        result::success);
  CHECK(w.read()[0] == 5);
}

TEST_CASE("the limits of a context are those of its launches") {
  const driver_session::context c;
  using tg::driver::limit;
  const std::string text = R"(.version 8.0
.target sm_80
.address_size 64
.extern .func (.param .b64 p) malloc (.param .b64 n);
.func (.param .b32 r) sum (.param .b32 n)
{
  .reg .pred %p; .reg .b32 %r<3>;
  ld.param.u32 %r0, [n]; mov.u32 %r1, 0; setp.eq.u32 %p, %r0, 0; @%p bra done;
  sub.u32 %r2, %r0, 1;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r2; call (b), sum, (a); ld.param.b32 %r1, [b]; }
  add.u32 %r1, %r1, %r0;
done: st.param.b32 [r], %r1; ret;
}
.visible .entry deep(.param .u64 out, .param .u32 n)
{
  .reg .b32 %r<2>; .reg .b64 %rd;
  ld.param.u64 %rd, [out]; ld.param.u32 %r0, [n];
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r0; call (b), sum, (a); ld.param.b32 %r1, [b]; }
  st.global.u32 [%rd], %r1; ret;
}
.visible .entry grab(.param .u64 out, .param .u64 n)
{
  .reg .pred %p; .reg .b32 %r; .reg .b64 %rd<3>;
  ld.param.u64 %rd0, [out]; ld.param.u64 %rd1, [n];
  { .param .b64 a; .param .b64 b; st.param.b64 [a], %rd1; call (b), malloc, (a); ld.param.b64 %rd2, [b]; }
  setp.ne.u64 %p, %rd2, 0; selp.u32 %r, 1, 0, %p; st.global.u32 [%rd0], %r; ret;
}
)";
  tg::driver::module_handle loaded = nullptr;
  REQUIRE(api().cuModuleLoadDataEx(&loaded, text.c_str(), 0, nullptr, nullptr) == result::success);
  const auto run = [&](const char* name, const driver_session::words& out, unsigned long long n) {
    tg::driver::function_handle f = nullptr;
    REQUIRE(api().cuModuleGetFunction(&f, loaded, name) == result::success);
    tg::driver::device_address address = out.address;
    void* parameters[] = {&address, &n};
    return api().cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr);
  };
  const driver_session::words out(1);
  using tg::emulator::entry::cuCtxSetLimit;
  CHECK(run("deep", out, 100) == result::success);
  CHECK(out.read()[0] == 5050);
  REQUIRE(cuCtxSetLimit(limit::stack_size, 1024) == result::success);
  CHECK(run("deep", out, 5) == result::success);
  CHECK(run("deep", out, 100) == result::hardware_stack_error);
  REQUIRE(cuCtxSetLimit(limit::stack_size, 1 << 16) == result::success);
  CHECK(run("deep", out, 100) == result::success);

  const bool has_heap = tg::emulator::entry::the_machine().memory.heap() != nullptr;
  const result asked = cuCtxSetLimit(limit::malloc_heap_size, 1 << 20);
  CHECK(asked == (has_heap ? result::invalid_value : result::success));
  if (has_heap) return;
  CHECK(run("grab", out, 1 << 19) == result::success);
  CHECK(out.read()[0] == 1);
  CHECK(run("grab", out, 1 << 20) == result::success);
  CHECK(out.read()[0] == 0);
  CHECK(cuCtxSetLimit(limit::malloc_heap_size, 2 << 20) == result::invalid_value);
}

TEST_CASE("a kernel runs on streams of the current device, whose memory fills and copies of others may use") {
  const driver_session::context c;
  const driver_session::second_device second;
  const driver_session::module m;
  driver_session::words w(64);
  tg::driver::stream_handle here = nullptr, there = nullptr;
  REQUIRE(api().cuStreamCreate(&here, tg::driver::stream_flag::non_blocking) == result::success);
  {
    const driver_session::currently other(second.handle);
    REQUIRE(api().cuStreamCreate(&there, tg::driver::stream_flag::non_blocking) == result::success);
  }
  CHECK(driver_session::launch(m.find("put"), w, 3, here) == result::success);
  CHECK(driver_session::launch(m.find("put"), w, 4, there) == result::invalid_handle);
  CHECK(w.read()[0] == 3);
  CHECK(api().cuMemcpyDtoDAsync(w.address, w.address + 128, 128, there) == result::success);
  for (const auto s : {here, there}) CHECK(api().cuStreamDestroy(s) == result::success);
}
