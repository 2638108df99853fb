#include <tg/emulator/device_target.hpp>

#include <doctest/doctest.h>

#include <tg/emulator/driver_table.hpp>

#include "runner.hpp"

using namespace runner;
using tg::driver::result;
using tg::emulator::runs_on_device;

static_assert(runs_on_device(50, '\0') && runs_on_device(90, '\0') && runs_on_device(90, 'a'));
static_assert(!runs_on_device(100, '\0') && !runs_on_device(100, 'f') && !runs_on_device(120, 'a') && !runs_on_device(80, 'a'));

namespace {

std::string refusal(const std::string& version, const std::string& target) {
  return failure([&] { bench b(retargeted(kernel_text(""), version, target)); });
}

}  // namespace

TEST_CASE("texts for other GPUs and of unknown versions are refused") {
  for (const char* target : {"sm_50", "sm_89", "sm_90", "sm_90a", "compute_80", "sm_80, debug"}) {
    CAPTURE(std::string(target));
    CHECK_EQ(refusal("9.0", target), "");
  }
  for (const char* target : {"sm_100", "sm_100a", "sm_100f", "sm_120", "sm_80a", "sm_90f", "sm_85", "compute_100"}) {
    CAPTURE(std::string(target));
    CHECK(has(refusal("9.0", target), "TG471"));
  }
  CHECK(has(refusal("7.7", "sm_90"), "TG471: PTX of version 7.7 has no target sm_90"));
  CHECK(has(refusal("9.1", "sm_90"), "TG472"));
  CHECK(has(refusal("6.9", "sm_70"), "TG472"));
  CHECK(has(refusal("13.0", "sm_70"), "TG472"));
  CHECK(has(refusal("9.0", "debug"), "TG300"));
  CHECK(has(refusal("9.0", "sm_80, nothing"), "TG300"));
}

TEST_CASE("the driver gives the results of NVIDIA's") {
  const tg::driver::table& api = tg::emulator::driver_table();
  REQUIRE(api.cuInit(0) == result::success);
  tg::driver::context_handle context;
  REQUIRE(api.cuDevicePrimaryCtxRetain(&context, 0) == result::success);
  REQUIRE(api.cuCtxSetCurrent(context) == result::success);
  const auto load = [&](const std::string& version, const std::string& target) {
    tg::driver::module_handle made;
    const std::string text = retargeted(kernel_text(""), version, target);
    const result r = api.cuModuleLoadDataEx(&made, text.c_str(), 0, nullptr, nullptr);
    if (r == result::success) api.cuModuleUnload(made);
    return r;
  };
  CHECK(load("9.0", "sm_90a") == result::success);
  CHECK(load("9.0", "sm_100") == result::invalid_ptx);
  CHECK(load("9.0", "sm_80a") == result::invalid_ptx);
  CHECK(load("9.1", "sm_90") == result::unsupported_ptx_version);
  api.cuDevicePrimaryCtxRelease(0);
}
