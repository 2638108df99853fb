#include <tg/runtime/negotiate.hpp>

#include <tg/dsl.hpp>
#include <tg/dsl/cluster/cluster.hpp>
#include <tg/dsl/wgmma/wgmma.hpp>

#include "hand_written.hpp"

using hand_written::any;
using hand_written::error_of;
using tg::driver::result;

namespace {

/// A driver of CUDA 11.4 that must not be asked to load anything.
tg::driver::table old_driver() {
  auto api = hand_written::emulator_table();
  api.cuDriverGetVersion = [](int* version) { return *version = 11040, result::success; };
  api.cuModuleLoadDataEx = [](tg::driver::module_handle*, const void*, unsigned, tg::driver::jit_option*, void**) {
    FAIL("loaded");
    return result::success;
  };
  return api;
}

/// A kernel with this line in it, whose header asks for `version` and `sm`.
any with(const std::string& line, tg::ptx::isa_version version, int sm) {
  return {
      .body = ".file 1 \"folder/kernel.cpp\"\n.visible .entry any() {\n.reg .b32 %r<4>;\n.loc 1 17 3\n" + line + "\nret;\n}\n",
      .version = version,
      .sm = sm,
      .where = {"host.cpp", 3}};
}

}  // namespace

TEST_CASE("a kernel that is too new is refused before the driver sees it, with the line that asks for it") {
  auto api = old_driver();
  tg::device gpu(tg::runtime::machine{&api});
  const auto version = error_of([&] { gpu.compile(with("griddepcontrol.wait;", {7, 8}, 90)); });
  CHECK(version.number == 506);
  CHECK(version.says("kernel 'any' needs PTX 7.8, the driver of 'tg emulator' reads up to 7.4: griddepcontrol.wait in line 8"));
  CHECK(version.says("(kernel.cpp:17)"));

  auto turing = old_driver();
  turing.cuDeviceGetAttribute = [](int* value, tg::driver::device_attribute a, tg::driver::device_id device) {
    const auto r = tg::emulator::driver_table().cuDeviceGetAttribute(value, a, device);
    if (a == tg::driver::device_attribute::compute_capability_major) *value = 7;
    if (a == tg::driver::device_attribute::compute_capability_minor) *value = 5;
    return r;
  };
  tg::device old(tg::runtime::machine{&turing});
  const auto sm = error_of([&] { old.compile(with("cp.async.wait_all;", {7, 0}, 80)); });
  CHECK(sm.number == 506);
  CHECK(sm.says("kernel 'any' needs sm_80, 'tg emulator' is sm_75: cp.async.wait_all in line 8 of its PTX"));
  CHECK(sm.says("(kernel.cpp:17)"));
  tg::device emulator("emulator");
  const auto target = error_of(
      [&] { tg::runtime::negotiate(*emulator.context(), "any", source_of(with("cp.async.wait_all;", {7, 0}, 80)), {}, 75); });
  CHECK(target.number == 506);
  CHECK(target.says("needs sm_80, the target is sm_75"));
}

TEST_CASE("products of warpgroups and clusters name their line on a device that lacks them") {
  auto ampere = hand_written::emulator_table();
  ampere.cuDeviceGetAttribute = [](int* value, tg::driver::device_attribute a, tg::driver::device_id device) {
    const auto r = tg::emulator::driver_table().cuDeviceGetAttribute(value, a, device);
    if (a == tg::driver::device_attribute::compute_capability_major) *value = 8;
    if (a == tg::driver::device_attribute::compute_capability_minor) *value = 0;
    return r;
  };
  tg::device gpu(tg::runtime::machine{&ampere});
  constexpr int line = __LINE__;
  constexpr auto product = tg::kernel<"product">(tg::block<128>, [](auto block, tg::out<float> y) {
    const auto tile = tg::shared<tg::f16>(tg::shape<64, 16>, tg::swizzle<1, 3, 3>);
    tg::group_accumulator<64, 64, float> sum = 0.0f;
    y(block.thread.x) = tg::wgmma(std::move(sum), tg::k_major(tile), tg::k_major(tile)).wait()(0);
  });
  const auto wgmma = error_of([&] { gpu.compile(product); });
  CHECK(wgmma.number == 506);
  CHECK(wgmma.says("kernel 'product' needs sm_90a, 'tg emulator' is sm_80: wgmma.fence.sync.aligned"));
  CHECK(wgmma.says("(negotiate.cpp:" + std::to_string(line + 4) + ")"));
  constexpr auto meeting = tg::kernel<"meeting">(tg::block<32> | tg::cluster<2>, [](auto block, tg::out<unsigned> y) {
    block.cluster().sync();
    y(block.global_index()) = 1u;
  });
  const auto cluster = error_of([&] { gpu.compile(meeting); });
  CHECK(cluster.number == 506);
  CHECK(cluster.says("kernel 'meeting' needs sm_90, 'tg emulator' is sm_80"));
}

TEST_CASE("PTX that cannot be read is judged by its header") {
  auto api = old_driver();
  tg::device gpu(tg::runtime::machine{&api});
  const auto version = error_of([&] { gpu.compile(with("fly.u32 %r1;", {8, 0}, 80)); });
  CHECK(version.number == 506);
  CHECK(version.says("kernel 'any' needs PTX 8.0, the driver of 'tg emulator' reads up to 7.4"));
  CHECK(version.says("(host.cpp:3)"));
}

TEST_CASE("a header that asks for more than its instructions is lowered") {
  auto api = old_driver();
  static std::string loaded;
  api.cuModuleLoadDataEx = [](tg::driver::module_handle* m, const void* image, unsigned n, tg::driver::jit_option* k,
                              void** v) {
    loaded = static_cast<const char*>(image);
    return tg::emulator::driver_table().cuModuleLoadDataEx(m, image, n, k, v);
  };
  tg::device gpu(tg::runtime::machine{&api});
  const auto& version = gpu.compile(with("mov.u32 %r1, 7;", {9, 0}, 80));
  CHECK(loaded.find(".version 7.") != std::string::npos);
  CHECK(loaded.find(".loc") != std::string::npos);
  CHECK(version.ptx == loaded);
  gpu.compile(with("mov.u32 %r1, 8;", {7, 0}, 120));
  CHECK(loaded.find(".target sm_70") != std::string::npos);

  any untouched = with("mov.u32 %r1, 9;", {7, 4}, 90);
  gpu.compile(untouched);
  CHECK(loaded == source_of(untouched).ptx);
}
