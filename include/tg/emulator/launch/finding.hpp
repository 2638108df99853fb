// One thing that a checker found, as a value and as text.
#pragma once

#include <charconv>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include <tg/base/error.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/emulator/launch/checkers.hpp>

namespace tg::emulator {

/// A number as 0x and hexadecimal digits.
inline std::string hex(std::uint64_t value) {
  char text[20];
  return "0x" + std::string(text, std::to_chars(text, text + sizeof text, value, 16).ptr);
}

/// Three numbers as "(x, y, z)".
inline std::string triple(const fixed_array<std::uint32_t, 3>& c) {
  return "(" + std::to_string(c[0]) + ", " + std::to_string(c[1]) + ", " + std::to_string(c[2]) + ")";
}

namespace check {

/// An instruction, and the thread that ran it.
struct site {
  std::string instruction;     // "ld.global.f32"; empty: none
  std::uint32_t ptx_line = 0;  // 0: not known
  std::string file;            // C++ file of .loc; empty: not known
  std::uint32_t line = 0;
  bool has_thread = false;
  fixed_array<std::uint32_t, 3> thread{};
  fixed_array<std::uint32_t, 3> block{};

  friend bool operator==(const site&, const site&) = default;
};

struct finding {
  checker kind = checker::memory;
  tg::code code{};
  std::string what;    // "Invalid __global__ read of size 4 bytes"
  std::string detail;  // "is out of bounds: ..."; may be empty
  std::string fix;
  std::string kernel;
  site at;
  std::optional<site> other;  // the other access, of races
  bool has_address = false;
  std::uint64_t address = 0;
  std::uint32_t bytes = 0;
  std::uint64_t count = 1;  // how often these instructions did it

  friend bool operator==(const finding&, const finding&) = default;
};

/// "'ld.global.f32' (PTX line 12)".
inline std::string instruction_text(const site& s) {
  return "'" + s.instruction + "'" + (s.ptx_line == 0 ? "" : " (PTX line " + std::to_string(s.ptx_line) + ")");
}

/// "thread (0, 0, 0) of block (1, 0, 0)".
inline std::string thread_text(const site& s) { return "thread " + triple(s.thread) + " of block " + triple(s.block); }

namespace detail {

inline std::string place(const site& s) {
  const auto slash = s.file.find_last_of('/');
  return s.line == 0 ? "" : s.file.substr(slash == std::string::npos ? 0 : slash + 1) + ":" + std::to_string(s.line);
}

/// "'ld.global.f32' (PTX line 12) at blur.cpp:31 by thread (0, 0, 0) of block (1, 0, 0)".
inline std::string side(const site& s) {
  std::string out = instruction_text(s);
  if (s.line != 0) out += " at " + place(s);
  return s.has_thread ? out + " by " + thread_text(s) : out;
}

}  // namespace detail

/// One sentence, as the message of a tg::error.
inline std::string sentence(const finding& f) {
  std::string out = f.what;
  if (f.at.has_thread) out += ", " + instruction_text(f.at) + ",";
  if (f.has_address) out += " at " + hex(f.address);
  if (f.at.has_thread) out += " by " + thread_text(f.at) + " in kernel '" + f.kernel + "'";
  if (!f.detail.empty()) out += " " + f.detail;
  if (f.other) out += "; the other access: " + detail::side(*f.other);
  if (f.count > 1) out += " [" + std::to_string(f.count) + " hazards]";
  return out;
}

/// Several lines, as a report prints it.
inline std::string to_text(const finding& f) {
  std::string out = "TG" + std::to_string(static_cast<int>(f.code)) + " " + std::string(name(f.kind)) + ": " + f.what;
  if (f.count > 1) out += " [" + std::to_string(f.count) + " hazards]";
  out += "\n";
  const auto add = [&](const std::string& line) { out += "    " + line + "\n"; };
  if (!f.at.instruction.empty()) {
    const std::string in = f.at.line == 0 ? "" : " (" + f.at.file + ":" + std::to_string(f.at.line) + ")";
    add("at " + instruction_text(f.at) + (f.kernel.empty() ? "" : " in " + f.kernel) + in);
  }
  if (f.at.has_thread) add("by " + thread_text(f.at));
  if (f.has_address) add("address " + hex(f.address) + (f.detail.empty() ? "" : " " + f.detail));
  else if (!f.detail.empty()) add(f.detail);
  if (f.other) add("the other access: " + detail::side(*f.other));
  if (!f.fix.empty()) add("to do: " + f.fix);
  return out;
}

/// The error that a finding ends a launch with.
class failure : public error {
 public:
  explicit failure(finding f)
      : error(f.code, sentence(f), f.fix, f.at.line == 0 ? std::string{} : f.at.file, static_cast<int>(f.at.line)),
        what_was_found_(std::move(f)) {}

  const finding& found() const { return what_was_found_; }

 private:
  finding what_was_found_;
};

}  // namespace check
}  // namespace tg::emulator
