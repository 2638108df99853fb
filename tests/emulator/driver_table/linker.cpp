#include <tg/emulator/driver_table/linker.hpp>

#include <string>

#include "../libcuda/standard_error.hpp"
#include "session.hpp"

using driver_session::api;
using driver_session::result;
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
  const driver_session::context c;
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
    const driver_session::words w(1);
    device_address to = w.address;
    void* parameters[] = {&to};
    CHECK(api().cuLaunchKernel(run, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr) == result::success);
    CHECK(w.read()[0] == 42);
    CHECK(api().cuModuleUnload(m) == result::success);
    CHECK(api().cuLinkDestroy(link) == result::success);
  }
}

TEST_CASE("a name without or with two definitions is told") {
  const driver_session::context c;
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

TEST_CASE("a static library is accepted, and named where what it defines is missing") {
  const driver_session::context c;
  link_handle link = nullptr;
  REQUIRE(api().cuLinkCreate(0, nullptr, nullptr, &link) == result::success);
  std::string archive = "!<arch>\n", no_archive = "ELF";
  CHECK(cuLinkAddData(link, jit_input::library, archive.data(), archive.size(), "libplus.a", 0, nullptr, nullptr) ==
        result::success);
  CHECK(cuLinkAddData(link, jit_input::library, no_archive.data(), no_archive.size(), "x", 0, nullptr, nullptr) ==
        result::invalid_image);
  CHECK(cuLinkAddFile(link, jit_input::library, "no such file", 0, nullptr, nullptr) == result::file_not_found);
  CHECK(add(link, uses) == result::success);
  void* image = nullptr;
  CHECK(api().cuLinkComplete(link, &image, nullptr) == result::invalid_ptx);
  REQUIRE(tg::emulator::last_report());
  const std::string said = tg::emulator::last_report()->what();
  CHECK(said.find("TG401: ") == 0);
  CHECK(said.find("libplus.a") != said.npos);
  CHECK(add(link, defines) == result::success);
  CHECK(api().cuLinkComplete(link, &image, nullptr) == result::success);
  CHECK(api().cuLinkDestroy(link) == result::success);
}

TEST_CASE("machine code is refused with a line that says what to do") {
  const driver_session::context c;
  link_handle link = nullptr;
  REQUIRE(api().cuLinkCreate(0, nullptr, nullptr, &link) == result::success);
  const standard_error heard;
  std::string code = "\x7f"
                     "ELF";
  CHECK(cuLinkAddData(link, jit_input::cubin, code.data(), code.size(), "a.cubin", 0, nullptr, nullptr) ==
        result::no_binary_for_gpu);
  CHECK(heard.text() ==
        "tg emulator: the linker was given the cubin 'a.cubin', which is machine code; give it PTX (nvcc -ptx, or -fatbin "
        "with code=compute_80)\n");
  CHECK(api().cuLinkDestroy(link) == result::success);
}

TEST_CASE("a limit of registers given to the linker or the loader is kept") {
  const driver_session::context c;
  std::string text = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry wide() {\n  .reg .b32 %r<100>;\n";
  for (int k = 0; k < 100; ++k) text += "  mov.u32 %r" + std::to_string(k) + ", 1;\n";
  text += "  ret;\n}\n";
  const auto registers_of = [](module_handle m) {
    function_handle f = nullptr;
    int count = 0;
    REQUIRE(api().cuModuleGetFunction(&f, m, "wide") == result::success);
    REQUIRE(api().cuFuncGetAttribute(&count, tg::driver::function_attribute::num_regs, f) == result::success);
    CHECK(api().cuModuleUnload(m) == result::success);
    return count;
  };
  jit_option keys[] = {jit_option::max_registers};
  void* values[] = {reinterpret_cast<void*>(std::uintptr_t{24})};
  module_handle m = nullptr;
  for (const unsigned options : {0u, 1u}) {
    link_handle link = nullptr;
    void* image = nullptr;
    REQUIRE(api().cuLinkCreate(options, keys, values, &link) == result::success);
    REQUIRE(add(link, text) == result::success);
    REQUIRE(api().cuLinkComplete(link, &image, nullptr) == result::success);
    REQUIRE(api().cuModuleLoadDataEx(&m, image, 0, nullptr, nullptr) == result::success);
    CHECK(registers_of(m) == (options == 0 ? 100 : 24));
    CHECK(api().cuLinkDestroy(link) == result::success);
    REQUIRE(api().cuModuleLoadDataEx(&m, text.c_str(), options, keys, values) == result::success);
    CHECK(registers_of(m) == (options == 0 ? 100 : 24));
  }
}
