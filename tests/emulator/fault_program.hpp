// Programs of tests/emulator/faults: PTX with a wrong half and a right half, how it is launched, and what is reported.
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <sstream>
#include <string>
#include <string_view>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/error.hpp>
#include <tg/emulator/run/run.hpp>

#include "global_addresses.hpp"

namespace fault_program {

/// A number behind a word, as in `block 64`; `otherwise` where the word is not there.
inline std::uint64_t number_behind(const std::string& text, const std::string& word, std::uint64_t otherwise) {
  std::istringstream words(text);
  for (std::string each; words >> each;)
    if (each == word) {
      std::uint64_t out = otherwise;
      words >> out;
      return out;
    }
  return otherwise;
}

struct program {
  std::string wrong, right;             // PTX
  std::string launch, launch_of_right;  // words, each with its number behind it
  std::string expected;                 // the whole message of the wrong half
};

/// Reads a file: comments, one of them `// launch: WORDS; right: WORDS`, lines `// expect: TEXT` that joined by spaces are the
/// message, then PTX in which `#ifdef TG_WRONG`, `#else` and `#endif` divide the two halves.
inline program read(const std::string& path) {
  program out;
  std::ifstream file(path);
  enum { both, in_wrong, in_right } half = both;
  for (std::string line; std::getline(file, line);) {
    if (line.starts_with("// launch: ")) {
      const std::string words = line.substr(11);
      const std::size_t end = words.find("; right: ");
      out.launch = words.substr(0, end);
      out.launch_of_right = end == words.npos ? out.launch : words.substr(end + 9);
    } else if (line.starts_with("// expect: ")) out.expected += (out.expected.empty() ? "" : " ") + line.substr(11);
    else if (line == "#ifdef TG_WRONG") half = in_wrong;
    else if (line == "#else") half = in_right;
    else if (line == "#endif") half = both;
    else {
      if (half != in_right) out.wrong += line + "\n";
      if (half != in_wrong) out.right += line + "\n";
    }
  }
  return out;
}

/// Loads the PTX and runs its first kernel with every checker on; the message of what is found, with `0x...` for
/// addresses of device memory, or nothing.
/// Words of a launch: `grid`, `block` (32), `cluster`, `buffers` (one per parameter), `watchdog`, `released`.
inline std::string message_of(const std::string& ptx, std::string launch) {
  for (char& c : launch)
    if (c == ',') c = ' ';
  const auto extent = [&](const char* word, std::uint64_t otherwise) {
    return static_cast<std::uint32_t>(number_behind(launch, word, otherwise));
  };
  try {
    tg::emulator::memory memory(std::size_t{1} << 26);
    const auto loaded = tg::emulator::program::load(ptx, memory);
    const auto kernel = loaded->kernels().size() - 1;
    tg::dynamic_array<std::uint64_t> params;
    for (std::uint64_t k = number_behind(launch, "buffers", loaded->kernels()[kernel].parameters.size()); k != 0; --k) {
      params.push_back(memory.allocate(128));
      std::memset(memory.at(params[params.size() - 1], 128), 0, 128);
      if (launch.ends_with("released")) memory.release(params[params.size() - 1]);
    }
    tg::emulator::options how;
    how.check = tg::emulator::check::checkers::all();
    how.threads = 1;
    how.watchdog_instructions = number_behind(launch, "watchdog", how.watchdog_instructions);
    how.on_assert = [](std::string_view) {};
    tg::emulator::launch_shape shape{{extent("grid", 1)}, {extent("block", 32)}};
    shape.cluster = {extent("cluster", 1)};
    tg::emulator::run(memory, *loaded, kernel, shape, std::as_bytes(std::span(params)), how);
  } catch (const tg::error& e) { return without_global_addresses(e.what()); }
  return "";
}

}  // namespace fault_program
