#include <tg/emulator/decode/device_target.hpp>

#include <doctest/doctest.h>

#include <tg/emulator/driver_table/driver_table.hpp>

#include "../runner.hpp"

using namespace runner;
using tg::driver::result;
using tg::emulator::runs_on_device;

static_assert(runs_on_device(50, '\0') && runs_on_device(90, '\0') && runs_on_device(90, 'a'));
static_assert(!runs_on_device(100, '\0') && !runs_on_device(100, 'f') && !runs_on_device(120, 'a') && !runs_on_device(80, 'a'));

namespace {

std::string refusal(const std::string& version, const std::string& target, const std::string& body = "") {
  return failure([&] { bench b(retargeted(kernel_text(body), version, target)); });
}

}  // namespace

TEST_CASE("texts for other GPUs and of unknown versions are refused") {
  for (const char* target : {"sm_50", "sm_89", "sm_90", "sm_90a", "compute_80"}) {
    CAPTURE(std::string(target));
    CHECK_EQ(refusal("9.0", target), "");
  }
  CHECK_EQ(refusal("9.0", "sm_80, debug", "// ptxas refuses this: it has no debug information\n"), "");
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

TEST_CASE("instructions that the text's own target or version lacks are refused, and static memory that no GPU has") {
  const auto says = [](const std::string& text, const std::string& version, const std::string& target) {
    return failure([&] { bench b(retargeted(text, version, target)); });
  };
  const std::string reduction = kernel_text("redux.sync.add.u32 %r1, %r2, -1;"),
                    group = kernel_text("wgmma.fence.sync.aligned;");
  CHECK(has(says(reduction, "9.0", "sm_75"),
            "TG471: 'redux.sync.add.u32 %r0, %r1, -1;' in 'k' needs .target sm_80; the text is for sm_75"));
  CHECK(has(says(reduction, "6.5", "sm_75"), "TG471"));
  CHECK_EQ(says(reduction, "7.0", "sm_80"), "");
  CHECK(has(says(group, "9.0", "sm_90"), "needs .target sm_90a"));
  CHECK_EQ(says(group, "9.0", "sm_90a"), "");
  CHECK(has(says(kernel_text("mov.u32 %r1, %cluster_ctarank;"), "7.7", "sm_80"), "TG471"));
  CHECK(has(says(kernel_text("bmsk.clamp.b32 %r1, %r2, %r3;"), "7.5", "sm_80"), "TG472"));
  CHECK(has(says(kernel_text("", ".const .b8 c[65537];"), "9.0", "sm_90"),
            "TG473: 65537 bytes of constant memory; there are 65536"));
  CHECK_EQ(says(kernel_text("", ".const .b8 c[65536];"), "9.0", "sm_90"), "");
  CHECK(has(says(kernel_text(".shared .b8 s[49153];"), "9.0", "sm_90"), "TG473"));
  CHECK_EQ(says(kernel_text(".shared .b8 s[49152];"), "9.0", "sm_90"), "");
  const auto entry = [](int bytes) { return module_text(".entry k(.param .b8 a[" + std::to_string(bytes) + "]) { ret; }"); };
  CHECK(has(says(entry(4353), "8.0", "sm_90"), "TG473"));
  CHECK_EQ(says(entry(32764), "8.1", "sm_90"), "");
  CHECK(has(says(entry(32765), "8.1", "sm_90"), "TG473"));
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
