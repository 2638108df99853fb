#include <tg/emulator/driver_table/function.hpp>

#include <string>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

TEST_CASE("a kernel tells its name, module and parameters") {
  const driver_session::context c;
  const driver_session::module m;
  const function_handle put = m.find("put");
  CHECK(put == m.find("put"));
  const char* name = nullptr;
  CHECK(cuFuncGetName(&name, put) == result::success);
  CHECK(std::string(name) == "put");
  module_handle home = nullptr;
  CHECK(cuFuncGetModule(&home, put) == result::success);
  CHECK(home == m.handle);
  std::size_t offset = 0, bytes = 0;
  CHECK(cuFuncGetParamInfo(put, 2, &offset, &bytes) == result::success);
  CHECK(offset == 12);
  CHECK(bytes == 4);
  CHECK(cuFuncGetParamInfo(put, 3, &offset, &bytes) == result::invalid_value);
  int is_loaded = 0;
  CHECK(cuFuncIsLoaded(&is_loaded, put) == result::success);
  CHECK(is_loaded == 1);
  CHECK(cuFuncSetCacheConfig(put, 2) == result::success);
  CHECK(cuFuncSetCacheConfig(put, 4) == result::invalid_value);
  CHECK(api().cuFuncSetAttribute(put, function_attribute::non_portable_cluster_size_allowed, 1) == result::success);
  int value = 0;
  CHECK(api().cuFuncGetAttribute(&value, function_attribute::non_portable_cluster_size_allowed, put) == result::success);
  CHECK(value == 1);
  CHECK(api().cuFuncSetAttribute(put, function_attribute::required_cluster_width, 2) == result::invalid_value);
}

TEST_CASE("a kernel tells how much constant memory its module has") {
  const driver_session::context c;
  const std::string text = R"(.version 7.0
.target sm_70
.address_size 64
.visible .const .align 1 .b8 flag[1];
.visible .const .align 16 .f32 table[100];
.visible .global .f32 other[7];
.visible .entry run() { ret; }
)";
  module_handle m = nullptr;
  function_handle run = nullptr;
  REQUIRE(api().cuModuleLoadDataEx(&m, text.c_str(), 0, nullptr, nullptr) == result::success);
  REQUIRE(api().cuModuleGetFunction(&run, m, "run") == result::success);
  int bytes = 0;
  CHECK(api().cuFuncGetAttribute(&bytes, function_attribute::const_size_bytes, run) == result::success);
  CHECK(bytes == 416);
  CHECK(api().cuModuleUnload(m) == result::success);
}
