#include <tg/driver/libcuda.hpp>

#include <doctest/doctest.h>

#include <cstdlib>
#include <map>
#include <string>

#include <tests/program_copy.hpp>

#include "toolkit.hpp"

using namespace tg::driver;

namespace {

result other_init(unsigned) { return result::unknown; }
result init(unsigned) { return result::success; }
int asked_version = 0;

result get_address(const char* name, void** out, int version, unsigned long long, int*) {
  if (std::string(name) != "cuInit") return result::not_found;
  asked_version = version;
  *out = reinterpret_cast<void*>(init);
  return result::success;
}

result get_address_11(const char* name, void** out, int version, unsigned long long flags) {
  return get_address(name, out, version, flags, nullptr);
}

std::vector<symbol> fill_from(table& api, const std::map<std::string, void*>& library) {
  return fill(api, [&](const char* name) -> void* {
    const auto found = library.find(name);
    return found == library.end() ? nullptr : found->second;
  });
}

}  // namespace

TEST_CASE("functions are found by their exported names") {
  table api;
  const auto missing = fill_from(api, {{"cuInit", reinterpret_cast<void*>(other_init)},
                                       {"cuMemAlloc", reinterpret_cast<void*>(init)}});  // the old one, not _v2
  CHECK((api.cuInit == other_init));
  CHECK_FALSE(static_cast<bool>(api.cuMemAlloc));
  CHECK(missing.size() == symbols.size() - 1);
  CHECK(std::string(missing[0].name) == "cuDriverGetVersion");
}

TEST_CASE("cuGetProcAddress goes first, of either generation, and is asked for the version of the table") {
  const std::map<std::string, void*> generations{{"cuGetProcAddress_v2", reinterpret_cast<void*>(get_address)},
                                                 {"cuGetProcAddress", reinterpret_cast<void*>(get_address_11)}};
  for (const auto& generation : generations) {
    CAPTURE(generation.first);
    table api;
    fill_from(
        api,
        {generation, {"cuInit", reinterpret_cast<void*>(other_init)}, {"cuMemAlloc_v2", reinterpret_cast<void*>(other_init)}});
    CHECK((api.cuInit == init));
    CHECK(asked_version == 2000);
    CHECK(static_cast<bool>(api.cuMemAlloc));
  }
}

TEST_CASE("a library that is not there or not a driver says why") {
  const library none = open_libcuda("libcuda-which-nobody-has.so");
  CHECK_FALSE(none.is_available());
  CHECK_FALSE(none.is_open);
  CHECK(none.reason.find("libcuda-which-nobody-has.so") != std::string::npos);

  const library other = open_libcuda("libm.so.6");
  CHECK_FALSE(other.is_available());
  CHECK(other.is_open);
  CHECK(other.reason == "libm.so.6 is not a CUDA driver: it lacks cuInit");
  CHECK(other.missing.size() == symbols.size());
}

TEST_CASE("a driver without a GPU is whole, one that fails otherwise is broken") {
  static result answer;
  const auto started = [](result of_init, result of_count) {
    static result count_answer;
    answer = of_init;
    count_answer = of_count;
    library lib;
    lib.api.cuInit = [](unsigned) { return answer; };
    lib.api.cuDeviceGetCount = [](int*) { return count_answer; };
    tg::driver::detail::start(lib);
    return lib;
  };
  for (const result none : {result::no_device, result::stub_library}) {
    CHECK_FALSE(started(none, result::success).is_available());
    CHECK_FALSE(started(none, result::success).is_broken);
    CHECK_FALSE(started(result::success, none).is_broken);
  }
  CHECK_FALSE(started(result::success, result::success).is_broken);  // it sees no device
  for (const result fails : {result::unknown, result::system_driver_mismatch}) {
    CHECK(started(fails, result::success).is_broken);
    CHECK(started(result::success, fails).is_broken);
    CHECK(started(fails, result::success).reason.find("cuInit(0) returns CUDA_ERROR_") != std::string::npos);
  }
}

TEST_CASE("TG_LIBCUDA names the library") {
  const char* before = std::getenv("TG_LIBCUDA");
  const std::string kept = before ? before : "";
  setenv("TG_LIBCUDA", "libm.so.6", 1);
  CHECK(open_libcuda().path == "libm.so.6");
  if (before) setenv("TG_LIBCUDA", kept.c_str(), 1);
  else unsetenv("TG_LIBCUDA");
}

// What the next test case runs in other processes.
TEST_CASE("TG_LIBCUDA is loaded" * doctest::skip()) { CHECK(open_libcuda().path == "libm.so.6"); }

TEST_CASE("a program with other rights than its user does not load what TG_LIBCUDA names") {
  const program_copy program;
  CHECK(program.passes("TG_LIBCUDA is loaded", "TG_LIBCUDA=libm.so.6"));
  if (!program.give_other_rights()) {
    MESSAGE("skipped: only root gives a program the rights of another user, and not everywhere");
    return;
  }
  CHECK(!program.passes("TG_LIBCUDA is loaded", "TG_LIBCUDA=libm.so.6"));
}

TEST_CASE("the driver of this process is available or says why not") {
  const library& lib = libcuda();
  CHECK(lib.is_available() == lib.reason.empty());
  if (lib.is_available()) CHECK(lib.devices > 0);
  else MESSAGE("no driver: ", lib.reason);
  CHECK(&libcuda() == &lib);
}

TEST_CASE("the toolkit's library exports every symbol and is not taken for a driver") {
  const auto where = toolkit::folder();
  const library stub = open_libcuda(where.value_or("") + "/lib64/stubs/libcuda.so");
  if (!stub.is_open) {
    MESSAGE("skipped: no CUDA toolkit");
    return;
  }
  for (const symbol& s : stub.missing) FAIL_CHECK(s.exported);
  CHECK_FALSE(stub.is_available());
  CHECK(stub.reason.find("CUDA_ERROR_STUB_LIBRARY") != std::string::npos);
}
