// Runs planted faults and their clean twins with every checker on, under several seeds.
#pragma once

#include <doctest/doctest.h>

#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <tg/base/dynamic_array.hpp>

#include <tg/emulator/run/run.hpp>

#include "../global_addresses.hpp"

namespace planted {

using tg::emulator::launch_shape;
using tg::emulator::options;
using tg::emulator::check::checkers;
using tg::emulator::check::finding;

inline std::string read(const std::string& path) {
  std::ifstream file(path);
  REQUIRE_MESSAGE(file.good(), path);
  std::ostringstream out;
  out << file.rdbuf();
  return out.str();
}

inline std::string line_of(const std::string& path, std::uint32_t line) {
  std::istringstream text(read(path));
  std::string out;
  for (; line != 0 && std::getline(text, out); --line) {}
  return line == 0 ? out : "";
}

/// A kernel of `tests/emulator/check/kernels`, what it is given, what must be found.
struct fault {
  std::string_view kernel;
  launch_shape shape;
  std::string_view code = "";                      // of the finding; empty: a clean twin
  std::string_view line = "";                      // part of the C++ line that is named; empty: any
  tg::dynamic_array<std::string_view> parts = {};  // of the report
  tg::dynamic_array<int> a = {};                   // first buffer, followed by zeros
  std::size_t written_bytes = 1024;                // of 1024 in the first buffer
};

struct outcome {
  std::string error;
  tg::dynamic_array<finding> found;
  tg::dynamic_array<int> a, b;
};

/// Runs a kernel with two buffers of 1024 bytes as parameters.
inline outcome run(const std::string& ptx, const fault& f, std::uint64_t seed, checkers check = checkers::all()) {
  constexpr std::size_t bytes = 1024;
  tg::emulator::memory memory(std::size_t{1} << 26);
  const auto program = tg::emulator::program::load(ptx, memory);
  const auto index = program->find_kernel(f.kernel);
  REQUIRE_MESSAGE(index, std::string(f.kernel));
  tg::dynamic_array<int> first = f.a;
  first.resize(bytes / 4);
  const std::uint64_t a = memory.allocate(bytes), b = memory.allocate(bytes);
  if (f.written_bytes != 0) std::memcpy(memory.at(a, f.written_bytes), first.data(), f.written_bytes);
  std::memset(memory.at(b, bytes), 0, bytes);
  tg::dynamic_array<std::uint64_t> params{a, b};
  if (program->kernels()[*index].parameters.size() == 1) params = {f.written_bytes == bytes ? b : a};
  params.resize(16);
  outcome out;
  options how;
  how.check = check;
  how.seed = seed;
  how.threads = 1;
  how.watchdog_instructions = 1 << 22;
  how.findings = &out.found;
  try {
    tg::emulator::run(memory, *program, *index, f.shape, std::as_bytes(std::span(params)), how);
  } catch (const tg::error& e) { out.error = e.what(); }
  out.a.resize(bytes / 4);
  out.b.resize(bytes / 4);
  const tg::emulator::memory& device = memory;
  std::memcpy(out.a.data(), device.at(a, bytes), bytes);
  std::memcpy(out.b.data(), device.at(b, bytes), bytes);
  return out;
}

inline constexpr const char* folder = "tests/emulator/check/kernels/";

/// The reports of `SOURCE.txt`: a line with the name of a kernel, then the lines of its report, each behind two
/// spaces, with `0x...` for addresses of device memory.
inline std::map<std::string, std::string, std::less<>> expected_reports(const std::string& source) {
  std::map<std::string, std::string, std::less<>> out;
  std::istringstream text(read(folder + source + ".txt"));
  std::string* last = nullptr;
  for (std::string line; std::getline(text, line);)
    if (!line.starts_with("  ")) last = &out[line];
    else if (last != nullptr) *last += line.substr(2) + "\n";
  return out;
}

/// Checks a fault, or a clean twin, under the seeds 0 to 4; the report of the first seed, when it has one.
inline std::string check(const std::string& source, const fault& f) {
  const std::string ptx = read(folder + source + ".ptx");
  std::string first;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    CAPTURE(f.kernel);
    CAPTURE(seed);
    const outcome got = run(ptx, f, seed);
    std::string report;
    for (const finding& each : got.found) report += to_text(each);
    CAPTURE(got.error);
    CAPTURE(report);
    if (f.code.empty()) {
      CHECK(got.error == "");
      CHECK(got.found.empty());
      continue;
    }
    CHECK(got.error.starts_with("TG"));
    bool is_found = false;
    for (const finding& each : got.found) {
      const std::string text = to_text(each);
      if (!text.starts_with(f.code)) continue;
      bool fits = f.line.empty();
      for (const auto* s : {&each.at, each.other ? &*each.other : nullptr})
        if (s != nullptr && s->line != 0 && s->file.ends_with(".cu"))
          fits = fits || line_of(s->file, s->line).find(f.line) != std::string::npos;
      for (const std::string_view part : f.parts) fits = fits && text.find(part) != std::string::npos;
      if (fits && !is_found && seed == 0) first = without_global_addresses(text);
      is_found = is_found || fits;
    }
    CHECK(is_found);
  }
  return first;
}

/// Checks each; the first report of each faulty kernel is the one of `SOURCE.txt`, word for word.
inline void check(const std::string& source, const tg::dynamic_array<fault>& faults) {
  std::map<std::string, std::string, std::less<>> reports;
  for (const fault& f : faults)
    if (const std::string report = check(source, f); !report.empty()) reports.emplace(f.kernel, report);
  const auto expected = expected_reports(source);
  for (const auto& [kernel, report] : reports) {
    const auto found = expected.find(kernel);
    CHECK_EQ(report, found == expected.end() ? kernel + " is not in " + source + ".txt" : found->second);
  }
  CHECK(expected.size() == reports.size());
}

}  // namespace planted
