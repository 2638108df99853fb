#include <tg/runtime/compile.hpp>

#include <cstring>

#include "hand_written.hpp"

using hand_written::any;
using hand_written::error_of;
using tg::driver::result;

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
