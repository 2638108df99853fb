// Findings as JSON: an array of objects, one per finding, whose keys are the members' names.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include <tg/emulator/launch/finding.hpp>

namespace tg::emulator::check {

namespace detail {

inline std::string quoted(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (static_cast<unsigned char>(c) < 0x20) {
      constexpr std::string_view digits = "0123456789abcdef";
      out += "\\u00";
      out += digits[static_cast<unsigned char>(c) >> 4];
      out += digits[c & 15];
    } else {
      out += c;
    }
  }
  return out + "\"";
}

/// Members of one object, in the order in which they are added.
class json_object {
 public:
  json_object& text(std::string_view key, std::string_view value) { return raw(key, quoted(value)); }
  json_object& number(std::string_view key, std::uint64_t value) { return raw(key, std::to_string(value)); }
  json_object& triple(std::string_view key, const std::array<std::uint32_t, 3>& v) {
    return raw(key, "[" + std::to_string(v[0]) + ", " + std::to_string(v[1]) + ", " + std::to_string(v[2]) + "]");
  }
  json_object& raw(std::string_view key, std::string_view value) {
    out_ += out_.size() == 1 ? "" : ", ";
    out_ += quoted(key) + ": ";
    out_ += value;
    return *this;
  }
  std::string str() const { return out_ + "}"; }

 private:
  std::string out_ = "{";
};

inline std::string to_json(const site& s) {
  json_object out;
  out.text("instruction", s.instruction).number("ptx_line", s.ptx_line).text("file", s.file).number("line", s.line);
  if (s.has_thread) out.triple("thread", s.thread).triple("block", s.block);
  return out.str();
}

}  // namespace detail

inline std::string to_json(const finding& f) {
  detail::json_object out;
  out.text("checker", name(f.kind)).text("code", "TG" + std::to_string(static_cast<int>(f.code)));
  out.text("what", f.what).text("detail", f.detail).text("fix", f.fix).text("kernel", f.kernel);
  if (!f.at.instruction.empty()) out.raw("at", detail::to_json(f.at));
  if (f.other) out.raw("other", detail::to_json(*f.other));
  if (f.has_address) out.text("address", hex(f.address)).number("bytes", f.bytes);
  return out.number("count", f.count).str();
}

inline std::string to_json(std::span<const finding> all) {
  std::string out = "[";
  for (const finding& f : all) out += (&f == all.data() ? "\n  " : ",\n  ") + to_json(f);
  return out + "\n]\n";
}

}  // namespace tg::emulator::check
