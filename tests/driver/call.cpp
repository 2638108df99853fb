#include <tg/driver/call.hpp>

#include <doctest/doctest.h>

#include <string>

using namespace tg::driver;

namespace {

template <class... P, class... A> std::string error_of(const table& api, result (*const& function)(P...), A... values) {
  try {
    call(api, function, values...);
  } catch (const tg::error& e) { return e.what(); }
  return "";
}

}  // namespace

TEST_CASE("a call that succeeds hands its arguments on") {
  table api;
  api.cuMemAlloc = [](device_address* address, std::size_t bytes) {
    *address = bytes + 1;
    return result::success;
  };
  device_address address = 0;
  call(api, api.cuMemAlloc, &address, 41u);
  CHECK(address == 42);
}

TEST_CASE("a failed call says its name, the values and the driver's words") {
  table api;
  api.cuMemAlloc = [](device_address*, std::size_t) { return result::out_of_memory; };
  api.cuMemFree = [](device_address) { return result::illegal_address; };
  api.cuModuleGetFunction = [](function_handle*, module_handle, const char*) { return result::not_found; };
  api.cuMemcpyHtoD = [](device_address, const void*, std::size_t) { return result::invalid_value; };
  api.cuDeviceGetAttribute = [](int*, device_attribute, device_id) { return static_cast<result>(777); };
  api.cuCtxSynchronize = [] { return result::misaligned_address; };
  device_address address = 0;
  CHECK(error_of(api, api.cuMemAlloc, &address, 64u)
            .starts_with("TG504: cuMemAlloc(bytes = 64): CUDA_ERROR_OUT_OF_MEMORY, not enough memory; "));
  CHECK(error_of(api, api.cuMemFree, 0x7f00dead0000ull).starts_with("TG508: cuMemFree(address = 0x7f00dead0000): "));
  function_handle function;
  CHECK(error_of(api, api.cuModuleGetFunction, &function, nullptr, "saxpy")
            .starts_with("TG507: cuModuleGetFunction(module = null, name = \"saxpy\"): CUDA_ERROR_NOT_FOUND"));
  CHECK(error_of(api, api.cuMemcpyHtoD, 0x100u, nullptr, 4u)
            .starts_with("TG500: cuMemcpyHtoD(to = 0x100, from = null, bytes = 4): CUDA_ERROR_INVALID_VALUE"));
  int value;
  CHECK(error_of(api, api.cuDeviceGetAttribute, &value, device_attribute::warp_size, 0)
            .starts_with("TG500: cuDeviceGetAttribute(attribute = 10, device = 0): result 777; "));
  api.cuStreamSynchronize = [](stream_handle) { return result::invalid_handle; };
  CHECK(error_of(api, api.cuStreamSynchronize, nullptr)
            .starts_with("TG510: cuStreamSynchronize(stream = null): CUDA_ERROR_INVALID_HANDLE"));
  api.cuStreamEndCapture = [](stream_handle, graph_handle*) { return result::stream_capture_invalidated; };
  CHECK(error_of(api, api.cuStreamEndCapture, nullptr, nullptr)
            .starts_with("TG511: cuStreamEndCapture(stream = null): CUDA_ERROR_STREAM_CAPTURE_INVALIDATED"));
  CHECK(error_of(api, api.cuCtxSynchronize).starts_with("TG508: cuCtxSynchronize(): CUDA_ERROR_MISALIGNED_ADDRESS"));
}

TEST_CASE("the driver's own words come first") {
  table api;
  api.cuGetErrorName = [](result, const char** name) {
    *name = "CUDA_ERROR_OF_TOMORROW";
    return result::success;
  };
  api.cuGetErrorString = [](result, const char** text) {
    *text = "not yet";
    return result::success;
  };
  CHECK(std::string(make_error(api, static_cast<result>(1234), "cuInit", "later", {"a/b.cpp", 7}).what()) ==
        "TG500: cuInit: CUDA_ERROR_OF_TOMORROW, not yet; later; look the driver's name up (b.cpp:7)");
}

TEST_CASE("a function that the driver lacks is named, with the version that has it") {
  table api;
  CHECK(error_of(api, api.cuMemAllocAsync, nullptr, 1u, nullptr)
            .starts_with("TG502: cuMemAllocAsync: this driver does not have it; it came with CUDA 11.2; "));
  api.cuDriverGetVersion = [](int* version) {
    *version = 11010;
    return result::success;
  };
  CHECK(error_of(api, api.cuMemAllocAsync, nullptr, 1u, nullptr).find("the driver is of CUDA 11.1") != std::string::npos);
}
