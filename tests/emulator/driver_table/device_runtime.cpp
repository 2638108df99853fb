#include <tg/emulator/driver_table/device_runtime.hpp>

#include <tg/emulator/driver_table/launch.hpp>
#include <tg/emulator/driver_table/linker.hpp>

#include <string>
#include <vector>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

namespace {

/// Each thread adds one, meets the grid, and adds what the other block's thread has. out[128] is the barrier's result.
constexpr char meets[] = R"(.version 7.0
.target sm_70
.address_size 64
.extern .func (.param .b64 r) cudaCGGetIntrinsicHandle(.param .b32 a);
.extern .func (.param .b32 r) cudaCGSynchronize(.param .b64 a, .param .b32 b);
.visible .entry meet(.param .u64 out)
{
  .reg .b32 %r<12>;
  .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, %ctaid.x;
  mad.lo.u32 %r3, %r2, 64, %r1;
  mul.wide.u32 %rd2, %r3, 4;
  add.u64 %rd2, %rd1, %rd2;
  st.global.u32 [%rd2], 1;
  mov.u32 %r4, 1;
  mov.u32 %r5, 0;
  { .param .b32 a; .param .b64 b; st.param.b32 [a], %r4; call.uni (b), cudaCGGetIntrinsicHandle, (a); ld.param.b64 %rd3, [b]; }
  { .param .b64 a; .param .b32 b; .param .b32 c; st.param.b64 [a], %rd3; st.param.b32 [b], %r5;
    call.uni (c), cudaCGSynchronize, (a, b); ld.param.b32 %r6, [c]; }
  xor.b32 %r7, %r3, 64;
  mul.wide.u32 %rd4, %r7, 4;
  add.u64 %rd4, %rd1, %rd4;
  ld.global.u32 %r8, [%rd4];
  { .param .b64 a; .param .b32 b; .param .b32 c; st.param.b64 [a], %rd3; st.param.b32 [b], %r5;
    call.uni (c), cudaCGSynchronize, (a, b); ld.param.b32 %r6, [c]; }
  add.u32 %r8, %r8, 1;
  st.global.u32 [%rd2], %r8;
  st.global.u32 [%rd1+512], %r6;
  ret;
}
)";

struct linked {
  linked() {
    REQUIRE(api().cuLinkCreate(0, nullptr, nullptr, &link) == result::success);
    std::string library = "!<arch>\n", text = meets;
    REQUIRE(cuLinkAddData(link, jit_input::library, library.data(), library.size(), "libcudadevrt.a", 0, nullptr, nullptr) ==
            result::success);
    REQUIRE(cuLinkAddData(link, jit_input::ptx, text.data(), text.size() + 1, "", 0, nullptr, nullptr) == result::success);
    void* image = nullptr;
    REQUIRE(cuLinkComplete(link, &image, nullptr) == result::success);
    REQUIRE(api().cuModuleLoadDataEx(&module, image, 0, nullptr, nullptr) == result::success);
    REQUIRE(api().cuModuleGetFunction(&meet, module, "meet") == result::success);
  }
  ~linked() {
    api().cuModuleUnload(module);
    api().cuLinkDestroy(link);
  }
  link_handle link = nullptr;
  module_handle module = nullptr;
  function_handle meet = nullptr;
};

}  // namespace

TEST_CASE("the barrier of a grid from the device runtime library is the emulator's own") {
  const driver_session::context c;
  const linked l;
  const driver_session::words w(129);
  device_address out = w.address;
  void* parameters[] = {&out};
  for (const bool checked : {false, true}) {
    tg::emulator::options how;
    if (checked) how.check = tg::emulator::check::checkers::all();
    tg::emulator::set_launch_options(how);
    CHECK(cuLaunchCooperativeKernel(l.meet, 2, 1, 1, 64, 1, 1, 0, nullptr, parameters) == result::success);
    std::vector<unsigned> all(129, 2);
    all[128] = 0;
    CHECK(w.read() == all);
  }
  tg::emulator::set_launch_options({});
}

TEST_CASE("a grid that was not launched cooperatively has no barrier") {
  const driver_session::context c;
  const linked l;
  const driver_session::words w(129);
  device_address out = w.address;
  void* parameters[] = {&out};
  CHECK(cuLaunchKernel(l.meet, 2, 1, 1, 64, 1, 1, 0, nullptr, parameters, nullptr) == result::success);
  CHECK(w.read()[128] == 1);  // cudaErrorInvalidValue
}
