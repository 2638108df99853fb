#include <tg/driver/call_trace.hpp>

#include <doctest/doctest.h>

#include <fstream>
#include <regex>
#include <string>
#include <thread>
#include <vector>

#include <tests/runtime/temporary_folder.hpp>

using namespace tg::driver;

namespace {

int freed = 0;
result alloc(device_address* out, std::size_t bytes) {
  if (bytes == 0) return result::invalid_value;
  *out = 0x7f00;
  return result::success;
}
result release(device_address) {
  ++freed;
  return result::success;
}
result name_of(char* out, int, device_id) {
  *out = 'x';
  return result::success;
}
result set_device(context_handle) { return static_cast<result>(77777); }

std::vector<std::string> lines_of(const std::string& file) {
  std::ifstream in(file);
  std::vector<std::string> out;
  for (std::string line; std::getline(in, line);) out.push_back(line);
  return out;
}
bool matches(const std::string& text, const char* pattern) { return std::regex_match(text, std::regex(pattern)); }

table some_table() {
  table api;
  api.cuMemAlloc = alloc;
  api.cuMemFree = release;
  api.cuDeviceGetName = name_of;
  api.cuCtxSetCurrent = set_device;
  return api;
}

}  // namespace

TEST_CASE("each call is written with arguments, result, what it wrote, and its time; the results stay what they are") {
  const temporary_folder folder;
  const auto file = folder / "trace";
  table api = some_table();
  REQUIRE(detail::trace_calls(api, file.c_str()));
  CHECK_FALSE(static_cast<bool>(api.cuInit));
  device_address address = 0;
  char name[4] = {};
  CHECK(api.cuMemAlloc(&address, 64) == result::success);
  CHECK(address == 0x7f00);
  CHECK(api.cuMemAlloc(&address, 0) == result::invalid_value);
  CHECK(api.cuMemFree(address) == result::success);
  CHECK(freed == 1);
  CHECK(api.cuDeviceGetName(name, 4, 0) == result::success);
  CHECK(api.cuCtxSetCurrent(nullptr) == static_cast<result>(77777));
  const auto lines = lines_of(file);
  REQUIRE(lines.size() == 10);
  CHECK(matches(lines[0], R"(1 at [0-9.]+ us: cuMemAlloc\(bytes = 64\))"));
  CHECK(matches(lines[1], R"(1: CUDA_SUCCESS, 0x7f00, [0-9.]+ us)"));
  CHECK(matches(lines[2], R"(2 at [0-9.]+ us: cuMemAlloc\(bytes = 0\))"));
  CHECK(matches(lines[3], R"(2: CUDA_ERROR_INVALID_VALUE, [0-9.]+ us)"));
  CHECK(matches(lines[4], R"(3 at [0-9.]+ us: cuMemFree\(address = 0x7f00\))"));
  CHECK(matches(lines[7], R"(4: CUDA_SUCCESS, [0-9.]+ us)"));
  CHECK(matches(lines[9], R"(5: 77777, [0-9.]+ us)"));
}

TEST_CASE("a table that is traced twice calls each function once") {
  const temporary_folder folder;
  table api = some_table();
  REQUIRE(detail::trace_calls(api, (folder / "first").c_str()));
  REQUIRE(detail::trace_calls(api, (folder / "second").c_str()));
  freed = 0;
  api.cuMemFree(1);
  CHECK(freed == 1);
  CHECK(lines_of(folder / "second").size() == 2);
}

TEST_CASE("calls of several threads have numbers of their own, and whole lines") {
  const temporary_folder folder;
  const auto file = folder / "trace";
  table api = some_table();
  REQUIRE(detail::trace_calls(api, file.c_str()));
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int k = 0; k < 200; ++k) {
        device_address own = 0;
        api.cuMemAlloc(&own, 8);
      }
    });
  for (std::thread& t : threads) t.join();
  const auto lines = lines_of(file);
  CHECK(lines.size() == 1600);
  int ended = 0;
  for (const std::string& line : lines) ended += matches(line, R"([0-9]+: CUDA_SUCCESS, 0x7f00, [0-9.]+ us)") ? 1 : 0;
  CHECK(ended == 800);
}

TEST_CASE("a file that cannot be written is said, and calls go on") {
  table api = some_table();
  CHECK_FALSE(detail::trace_calls(api, "/nowhere/trace"));
  CHECK((api.cuMemFree == release));
}
