#include <tg/runtime/compile.hpp>

#include <cstring>

#include "hand_written.hpp"

using hand_written::any;
using hand_written::error_of;
using tg::driver::result;
using tg::runtime::newest_ptx;

TEST_CASE("each CUDA version reads PTX up to a version of its own") {
  CHECK(newest_ptx(11000) == tg::ptx::isa_version{7, 0});
  CHECK(newest_ptx(11080) == tg::ptx::isa_version{7, 8});
  CHECK(newest_ptx(12000) == tg::ptx::isa_version{8, 0});
  CHECK(newest_ptx(12050) == tg::ptx::isa_version{8, 5});
  CHECK(newest_ptx(12060) == tg::ptx::isa_version{8, 5});
  CHECK(newest_ptx(12080) == tg::ptx::isa_version{8, 7});
  CHECK(newest_ptx(12090) == tg::ptx::isa_version{8, 8});
  CHECK(newest_ptx(13000) == tg::ptx::isa_version{9, 0});
  CHECK(newest_ptx(10020) == tg::ptx::isa_version{6, 5});
}

TEST_CASE("a loaded kernel says what the driver made of it") {
  tg::device gpu("emulator");
  const auto k = tg::runtime::load(*gpu.context(), "saxpy", source_of(hand_written::saxpy{}), {});
  CHECK(k.function != nullptr);
  CHECK(k.registers > 0);
  CHECK(k.max_threads == 256);
  CHECK(k.static_shared_bytes == 0);
  CHECK(k.load_us > 0);
  CHECK(k.ptx.find("saxpy") != std::string::npos);
  gpu.context()->call(gpu.context()->api().cuModuleUnload, k.module);
}

TEST_CASE("a kernel that is too new is refused before the driver sees it") {
  auto api = hand_written::emulator_table();
  api.cuDriverGetVersion = [](int* version) { return *version = 11040, result::success; };
  api.cuModuleLoadDataEx = [](tg::driver::module_handle*, const void*, unsigned, tg::driver::jit_option*, void**) {
    FAIL("loaded");
    return result::success;
  };
  tg::device gpu(tg::runtime::machine{&api});
  const auto version = error_of([&] { gpu.compile(any{.body = "", .version = {8, 0}, .where = {"k.cpp", 3}}); });
  CHECK(version.number == 506);
  CHECK(version.says("kernel 'any' needs PTX 8.0, the driver of 'tg emulator' reads up to 7.4"));
  CHECK(version.says("(k.cpp:3)"));
  const auto sm = error_of([&] { gpu.compile(any{.body = "", .sm = 100}); });
  CHECK(sm.number == 506);
  CHECK(sm.says("needs sm_100, 'tg emulator' is sm_90"));
}

TEST_CASE("PTX that does not compile gives the log") {
  tg::device gpu("emulator");
  const auto wrong = error_of([&] { gpu.compile(any{.body = ".visible .entry any() { fly.u32 %r1; }\n"}); });
  CHECK(wrong.number == 505);
  CHECK(wrong.says("fly"));
  CHECK(wrong.says("CUDA_ERROR_INVALID_PTX"));
  CHECK(error_of([&] { gpu.compile(any{.body = ".visible .entry other() { ret; }\n"}); }).number == 507);

  auto api = hand_written::gpu_table();
  api.cuModuleLoadDataEx = [](tg::driver::module_handle*, const void*, unsigned count, tg::driver::jit_option* keys,
                              void** values) {
    for (unsigned i = 0; i < count; ++i)
      if (keys[i] == tg::driver::jit_option::error_log_buffer)
        std::strcpy(static_cast<char*>(values[i]), "ptxas application ptx input, line 7; error");
    return result::unsupported_ptx_version;
  };
  tg::device other(tg::runtime::machine{&api});
  const auto old = error_of([&] { other.compile(any{.body = hand_written::empty_entry}); });
  CHECK(old.number == 506);
  CHECK(old.says("line 7; error"));
  CHECK(old.says("CUDA_ERROR_UNSUPPORTED_PTX_VERSION"));
}

TEST_CASE("a module whose kernel cannot be used is unloaded") {
  static int unloaded;
  unloaded = 0;
  auto api = hand_written::gpu_table();
  api.cuFuncGetAttribute = [](int*, tg::driver::function_attribute, tg::driver::function_handle) {
    return result::invalid_value;
  };
  api.cuModuleUnload = [](tg::driver::module_handle m) {
    ++unloaded;
    return tg::emulator::driver_table().cuModuleUnload(m);
  };
  {
    tg::device gpu(tg::runtime::machine{&api});
    CHECK(error_of([&] { gpu.compile(hand_written::saxpy{}); }).number == 500);
    CHECK(unloaded == 1);
  }
  api.cuFuncGetAttribute = [](int* value, tg::driver::function_attribute, tg::driver::function_handle) {
    return *value = 128, result::success;
  };
  tg::device gpu(tg::runtime::machine{&api});
  const auto wide = error_of([&] { gpu.compile(hand_written::saxpy{}); });
  CHECK(wide.number == 522);
  CHECK(wide.says("it runs with at most 128"));
  CHECK(unloaded == 2);
}
