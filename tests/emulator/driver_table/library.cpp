#include <tg/emulator/driver_table/library.hpp>

#include <string>

#include <tg/emulator/driver_table/stream.hpp>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

TEST_CASE("a library is there without a context, and its kernels are launched as functions") {
  library_handle l = nullptr;
  REQUIRE(api().cuInit(0) == result::success);
  REQUIRE(cuLibraryLoadData(&l, driver_session::kernels.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0) == result::success);
  unsigned count = 0;
  CHECK(cuLibraryGetKernelCount(&count, l) == result::success);
  CHECK(count == 4);
  kernel_handle put = nullptr, all[4] = {};
  CHECK(cuLibraryGetKernel(&put, l, "put") == result::success);
  CHECK(cuLibraryGetKernel(&put, l, "get") == result::not_found);
  CHECK(cuLibraryEnumerateKernels(all, 4, l) == result::success);
  CHECK(all[0] == put);
  const char* name = nullptr;
  CHECK(cuKernelGetName(&name, put) == result::success);
  CHECK(std::string(name) == "put");
  device_address address = 0;
  CHECK(cuLibraryGetGlobal(&address, nullptr, l, "counter") == result::success);
  CHECK(cuLibraryGetManaged(&address, nullptr, l, "counter") == result::not_found);
  library_handle home = nullptr;
  CHECK(cuKernelGetLibrary(&home, put) == result::success);
  CHECK(home == l);
  int value = 0;
  CHECK(cuKernelGetAttribute(&value, function_attribute::max_threads_per_block, put, 0) == result::success);
  CHECK(value == 256);
  CHECK(cuKernelGetAttribute(&value, function_attribute::max_threads_per_block, put, 1) == result::invalid_device);
  {
    const driver_session::context c;
    const driver_session::words w(5);
    function_handle f = nullptr;
    CHECK(cuKernelGetFunction(&f, put) == result::success);
    CHECK(driver_session::launch(f, w, 6) == result::success);
    CHECK(w.read()[4] == 6);
  }
  CHECK(cuLibraryUnload(l) == result::success);
  CHECK(cuLibraryUnload(l) == result::invalid_handle);
  CHECK(cuKernelGetName(&name, put) == result::invalid_handle);
}
