#include <tg/emulator/driver_table/checks.hpp>

#include <doctest/doctest.h>

#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/emulator/launch/launch_shape.hpp>

#include <tests/program_copy.hpp>

#include "../runner.hpp"

namespace {

using tg::driver::result;
using tg::emulator::check::finding;

/// A context with checkers; ends with it.
struct checked {
  const tg::driver::table& cu = tg::emulator::driver_table();
  tg::driver::context_handle context = nullptr;

  explicit checked(tg::emulator::check::checkers check) {
    cu.cuInit(0);
    tg::emulator::take_findings();
    tg::emulator::set_launch_options({.check = check});
    cu.cuCtxCreate(&context, 0, 0);
  }
  ~checked() {
    if (context != nullptr) cu.cuCtxDestroy(context);
    tg::emulator::set_launch_options({});
  }
  void end() {
    cu.cuCtxDestroy(context);
    context = nullptr;
  }
};

}  // namespace

TEST_CASE("what outlives its context is a leak, what was released is not") {
  checked with(tg::emulator::check::checkers::all());
  tg::driver::device_address kept = 0, freed = 0;
  REQUIRE(with.cu.cuMemAlloc(&kept, 100) == result::success);
  REQUIRE(with.cu.cuMemAlloc(&freed, 200) == result::success);
  REQUIRE(with.cu.cuMemFree(freed) == result::success);
  with.end();
  const tg::dynamic_array<finding> found = tg::emulator::take_findings();
  REQUIRE(found.size() == 1);
  CHECK(static_cast<int>(found[0].code) == 419);
  CHECK(found[0].what.starts_with("Leaked 100 bytes"));
}

TEST_CASE("nothing leaks where nobody asks") {
  checked with(tg::emulator::check::checkers::none());
  tg::driver::device_address kept = 0;
  REQUIRE(with.cu.cuMemAlloc(&kept, 100) == result::success);
  with.end();
  CHECK(tg::emulator::take_findings().empty());
}

TEST_CASE("memory left behind" * doctest::skip()) {  // in another process
  const tg::driver::table& cu = tg::emulator::driver_table();
  tg::driver::context_handle context = nullptr;
  tg::driver::device_address kept = 0;
  cu.cuInit(0);
  cu.cuCtxCreate(&context, 0, 0);
  cu.cuMemAlloc(&kept, 100);
}

TEST_CASE("what is alive at the end of the process is said on stderr unless there is a report") {
  const program_copy program;
  const std::string said = "TG419 leak: Leaked 100 bytes";
  const auto errors = [&](const std::string& variables) { return program.errors_of("memory left behind", variables); };
  CHECK(errors("TG_EMULATOR_CHECK=leak").find(said) != std::string::npos);
  CHECK(errors("TG_EMULATOR_CHECK=leak TG_EMULATOR_REPORT=/dev/null").find(said) == std::string::npos);
  CHECK(errors("TG_EMULATOR_CHECK=init").find(said) == std::string::npos);
}

TEST_CASE("launches through the table are checked, and copies carry what is known of their bytes") {
  checked with(tg::emulator::check::checkers::all());
  const auto& cu = with.cu;
  const std::string ptx = runner::kernel_text("ld.global.u32 %r0, [%rd0+4]; st.global.u32 [%rd1], %r0;");
  tg::driver::module_handle module = nullptr;
  tg::driver::function_handle k = nullptr;
  REQUIRE(cu.cuModuleLoadDataEx(&module, ptx.c_str(), 0, nullptr, nullptr) == result::success);
  REQUIRE(cu.cuModuleGetFunction(&k, module, "k") == result::success);
  tg::driver::device_address a = 0, b = 0, out = 0;
  for (auto* buffer : {&a, &b, &out}) REQUIRE(cu.cuMemAlloc(buffer, 64) == result::success);
  const auto launch = [&](tg::driver::device_address from) {
    tg::driver::device_address none = 0;
    void* parameters[] = {&from, &out, &none, &none};
    tg::emulator::take_findings();
    return cu.cuLaunchKernel(k, 1, 1, 1, 1, 1, 1, 0, nullptr, parameters, nullptr);
  };
  const std::uint32_t words[2] = {1, 2};
  REQUIRE(cu.cuMemcpyHtoD(a, words, 4) == result::success);
  REQUIRE(cu.cuMemcpyDtoD(b, a, 64) == result::success);
  for (const tg::driver::device_address from : {a, b}) {
    CHECK(launch(from) != result::success);
    const tg::dynamic_array<finding> found = tg::emulator::take_findings();
    REQUIRE(found.size() == 1);
    CHECK(static_cast<int>(found[0].code) == 413);
    CHECK(found[0].address == from + 4);
  }
  REQUIRE(cu.cuMemsetD32(a + 4, 0, 1) == result::success);
  REQUIRE(cu.cuMemcpyDtoD(b, a, 64) == result::success);
  for (const tg::driver::device_address from : {a, b}) {
    CHECK(launch(from) == result::success);
    CHECK(tg::emulator::take_findings().empty());
  }
  for (const tg::driver::device_address buffer : {a, b, out}) cu.cuMemFree(buffer);
}
