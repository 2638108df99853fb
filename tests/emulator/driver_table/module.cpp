#include <tg/emulator/driver_table/module.hpp>

#include <cstdio>
#include <cstring>
#include <fstream>
#include <string>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using tg::driver::function_attribute;
using tg::driver::jit_option;
using tg::driver::module_handle;

TEST_CASE("a module gives its kernels and variables by name") {
  const driver_session::context c;
  const driver_session::module m;
  CHECK(m.find("put") != nullptr);
  tg::driver::function_handle f = nullptr;
  CHECK(api().cuModuleGetFunction(&f, m.handle, "output") == result::not_found);
  tg::driver::device_address address = 0;
  std::size_t bytes = 0;
  CHECK(api().cuModuleGetGlobal(&address, &bytes, m.handle, "counter") == result::success);
  CHECK(bytes == 4);
  unsigned value = 9;
  CHECK(api().cuMemcpyDtoH(&value, address, 4) == result::success);
  CHECK(value == 0);
  CHECK(api().cuMemFree(address) == result::invalid_value);
  CHECK(api().cuModuleGetGlobal(&address, &bytes, m.handle, "counters") == result::not_found);
}

TEST_CASE("kernels say what they need, and how many blocks fit") {
  const driver_session::context c;
  const driver_session::module m;
  const auto put = m.find("put"), add = m.find("add");
  const auto value = [](tg::driver::function_handle f, function_attribute a) {
    int out = -1;
    CHECK(api().cuFuncGetAttribute(&out, a, f) == result::success);
    return out;
  };
  CHECK(value(put, function_attribute::max_threads_per_block) == 256);
  CHECK(value(add, function_attribute::max_threads_per_block) == 1024);
  CHECK(value(put, function_attribute::shared_size_bytes) == 0);
  CHECK(value(put, function_attribute::num_regs) > 0);
  CHECK(value(put, function_attribute::ptx_version) == 70);
  CHECK(value(put, function_attribute::max_dynamic_shared_size_bytes) == 49152);
  CHECK(api().cuFuncSetAttribute(put, function_attribute::max_dynamic_shared_size_bytes, 100000) == result::success);
  CHECK(value(put, function_attribute::max_dynamic_shared_size_bytes) == 100000);
  CHECK(api().cuFuncSetAttribute(put, function_attribute::max_dynamic_shared_size_bytes, 300000) == result::invalid_value);
  CHECK(api().cuFuncSetAttribute(put, function_attribute::num_regs, 3) == result::invalid_value);
  int blocks = -1;
  CHECK(api().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, put, 256, 0) == result::success);
  CHECK(blocks == 8);  // 2048 threads
  CHECK(api().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, put, 32, 0) == result::success);
  CHECK(blocks == 32);
  CHECK(api().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, put, 32, 100000) == result::success);
  CHECK(blocks == 2);
  CHECK(api().cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, put, 512, 0) == result::success);
  CHECK(blocks == 0);
}

TEST_CASE("what cannot be loaded is refused, with a log") {
  const driver_session::context c;
  module_handle m = nullptr;
  char log[256];
  std::memset(log, '#', sizeof log);
  jit_option keys[] = {jit_option::error_log_buffer, jit_option::error_log_buffer_size_bytes, jit_option::wall_time};
  void* values[] = {log, reinterpret_cast<void*>(sizeof log), nullptr};
  const char bad[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry f() { fly.u32 %r1; }\n";
  CHECK(api().cuModuleLoadDataEx(&m, bad, 3, keys, values) == result::invalid_ptx);
  CHECK(std::string(log).find("TG") != std::string::npos);
  CHECK(reinterpret_cast<std::size_t>(values[1]) == std::strlen(log));
  CHECK(tg::emulator::last_report());

  char small[8];
  values[0] = small;
  values[1] = reinterpret_cast<void*>(sizeof small);
  CHECK(api().cuModuleLoadDataEx(&m, bad, 2, keys, values) == result::invalid_ptx);
  CHECK(std::strlen(small) == 7);

  CHECK(api().cuModuleLoadDataEx(&m, "", 0, nullptr, nullptr) == result::invalid_ptx);
  CHECK(api().cuModuleLoadDataEx(&m,
                                 "\x7f"
                                 "ELF\2\1\1",
                                 0, nullptr, nullptr) == result::no_binary_for_gpu);
  CHECK(api().cuModuleLoadDataEx(&m, nullptr, 0, nullptr, nullptr) == result::invalid_value);
  CHECK(api().cuModuleLoadDataEx(&m, bad, 1, nullptr, nullptr) == result::invalid_value);
  CHECK(m == nullptr);
}

TEST_CASE("an unloaded module's handles are stale") {
  const driver_session::context c;
  module_handle m = nullptr;
  tg::driver::function_handle f = nullptr;
  REQUIRE(api().cuModuleLoadDataEx(&m, driver_session::kernels.c_str(), 0, nullptr, nullptr) == result::success);
  REQUIRE(api().cuModuleGetFunction(&f, m, "put") == result::success);
  CHECK(api().cuModuleUnload(m) == result::success);
  CHECK(api().cuModuleUnload(m) == result::invalid_handle);
  CHECK(api().cuModuleGetFunction(&f, m, "put") == result::invalid_handle);
  int value = 0;
  CHECK(api().cuFuncGetAttribute(&value, function_attribute::num_regs, f) == result::invalid_handle);
}

TEST_CASE("a module is loaded from a file, and lists its kernels") {
  const driver_session::context c;
  const std::string path = "module_of_test.ptx";
  std::ofstream(path) << driver_session::kernels;
  module_handle m = nullptr;
  CHECK(tg::emulator::entry::cuModuleLoad(&m, path.c_str()) == result::success);
  std::remove(path.c_str());
  unsigned count = 0;
  CHECK(tg::emulator::entry::cuModuleGetFunctionCount(&count, m) == result::success);
  CHECK(count == 4);
  tg::driver::function_handle all[4] = {}, put = nullptr;
  CHECK(tg::emulator::entry::cuModuleEnumerateFunctions(all, 4, m) == result::success);
  CHECK(api().cuModuleGetFunction(&put, m, "put") == result::success);
  CHECK(all[0] == put);
  int mode = 0;
  CHECK(tg::emulator::entry::cuModuleGetLoadingMode(&mode) == result::success);
  CHECK(mode == 1);
  CHECK(api().cuModuleUnload(m) == result::success);
  CHECK(tg::emulator::entry::cuModuleLoad(&m, path.c_str()) == result::file_not_found);
}
