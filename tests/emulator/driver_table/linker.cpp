#include <tg/emulator/driver_table/linker.hpp>

#include <string>

#include "session.hpp"

using session::api;
using session::result;
using namespace tg::emulator::entry;

namespace {

constexpr char uses[] = R"(.version 7.0
.target sm_70
.address_size 64
.extern .global .u32 shared_number;
.extern .func (.param .b32 out) plus(.param .b32 in);
.visible .entry run(.param .u64 to) {
  .reg .b32 %r<3>;
  .reg .b64 %rd<2>;
  ld.param.u64 %rd1, [to];
  ld.global.u32 %r1, [shared_number];
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r1; call.uni (b), plus, (a); ld.param.b32 %r2, [b]; }
  st.global.u32 [%rd1], %r2;
  ret;
}
)";
constexpr char defines[] = R"(.version 7.0
.target sm_70
.address_size 64
.visible .global .u32 shared_number = 40;
.visible .func (.param .b32 out) plus(.param .b32 in) {
  .reg .b32 %r<3>;
  ld.param.u32 %r1, [in];
  add.u32 %r2, %r1, 2;
  st.param.b32 [out], %r2;
  ret;
}
)";

result add(link_handle link, std::string text) {
  return api().cuLinkAddData(link, jit_input::ptx, text.data(), text.size() + 1, "", 0, nullptr, nullptr);
}

}  // namespace

TEST_CASE("what one text declares external another defines, in either order") {
  const session::context c;
  for (const bool is_definition_first : {false, true}) {
    link_handle link = nullptr;
    REQUIRE(api().cuLinkCreate(0, nullptr, nullptr, &link) == result::success);
    CHECK(add(link, is_definition_first ? defines : uses) == result::success);
    CHECK(add(link, is_definition_first ? uses : defines) == result::success);
    void* image = nullptr;
    module_handle m = nullptr;
    function_handle run = nullptr;
    REQUIRE(api().cuLinkComplete(link, &image, nullptr) == result::success);
    REQUIRE(api().cuModuleLoadDataEx(&m, image, 0, nullptr, nullptr) == result::success);
    REQUIRE(api().cuModuleGetFunction(&run, m, "run") == result::success);
    const session::words w(1);
    device_address to = w.address;
    void* parameters[] = {&to};
    CHECK(api().cuLaunchKernel(run, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr) == result::success);
    CHECK(w.read()[0] == 42);
    CHECK(api().cuModuleUnload(m) == result::success);
    CHECK(api().cuLinkDestroy(link) == result::success);
  }
}

TEST_CASE("a name without or with two definitions is told") {
  const session::context c;
  link_handle link = nullptr;
  REQUIRE(api().cuLinkCreate(0, nullptr, nullptr, &link) == result::success);
  void* image = nullptr;
  CHECK(api().cuLinkComplete(link, &image, nullptr) == result::invalid_image);
  CHECK(add(link, uses) == result::success);
  CHECK(api().cuLinkComplete(link, &image, nullptr) == result::invalid_ptx);
  CHECK(add(link, defines) == result::success);
  CHECK(add(link, defines) == result::invalid_ptx);
  REQUIRE(tg::emulator::last_report());
  CHECK(std::string(tg::emulator::last_report()->what()).find("TG470") == 0);
  CHECK(api().cuLinkDestroy(link) == result::success);
  CHECK(cuLinkAddFile(nullptr, jit_input::ptx, "", 0, nullptr, nullptr) == result::invalid_handle);
}
