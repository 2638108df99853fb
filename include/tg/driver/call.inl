// The text of a call and of what it returned.
#pragma once

#include <tg/driver/call.hpp>

#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include <tg/base/config.hpp>
#include <tg/driver/api.hpp>
#include <tg/driver/codes.hpp>

namespace tg::driver {
namespace detail {

inline std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

TG_LIBRARY_FUNCTION std::string hex(std::uint64_t value) {
  std::string out = "0x";
  int shift = 60;
  while (shift > 0 && (value >> shift) == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) out += "0123456789abcdef"[(value >> shift) & 15];
  return out;
}

/// A value beside the type of its parameter; empty for a place where a result goes.
inline std::string text_of(const call_value& value, std::string_view type) {
  switch (value.is) {
    case call_value::kind::number: return type.starts_with("device_address") ? hex(value.bits) : std::to_string(value.bits);
    case call_value::kind::negative: return std::to_string(static_cast<long long>(value.bits));
    case call_value::kind::text:
      return value.bits == 0 ? "null" : '"' + std::string(reinterpret_cast<const char*>(value.bits)) + '"';
    case call_value::kind::pointer:
      if (type.find_first_of("&*") != type.npos && !type.starts_with("const void")) return "";
      return value.bits == 0 ? "null" : hex(value.bits);
  }
  return "";
}

TG_LIBRARY_FUNCTION std::string describe_call(const symbol& function, std::initializer_list<call_value> values) {
  std::string out = std::string(function.name) + "(";
  std::string_view rest = std::string_view(function.parameters).substr(1);
  for (const call_value& value : values) {
    const auto end = rest.find_first_of(",)");
    std::string_view one = rest.substr(0, end);
    rest.remove_prefix(end + 1);
    one.remove_prefix(one.find_first_not_of(' '));
    const auto name = one.find_last_of(" *") + 1;
    const std::string text = text_of(value, one.substr(0, name));
    if (text.empty()) continue;
    if (out.back() != '(') out += ", ";
    out.append(one.substr(name)).append(" = ").append(text);
  }
  return out + ")";
}

TG_LIBRARY_FUNCTION void fail(const table& api, const symbol& function, result r, std::initializer_list<call_value> values) {
  throw make_error(api, r, describe_call(function, values));
}

TG_LIBRARY_FUNCTION void fail_missing(const table& api, const symbol& function) {
  int version = 0;
  if (api.cuDriverGetVersion) api.cuDriverGetVersion(&version);
  throw error(no_function,
              std::string(function.name) + ": this driver does not have it; it came with CUDA " + version_text(function.since) +
                  (version > 0 ? ", the driver is of CUDA " + version_text(version) : ""),
              fix_of(no_function));
}

}  // namespace detail

TG_LIBRARY_FUNCTION error make_error(const table& api, result r, std::string_view call, std::string_view note,
                                     source_location where) {
  const char* name = nullptr;
  const char* text = nullptr;
  if (api.cuGetErrorName) api.cuGetErrorName(r, &name);
  if (api.cuGetErrorString) api.cuGetErrorString(r, &text);
  const result_info* info = find_result(r);
  if (name == nullptr && info) name = info->name;
  if (text == nullptr && info) text = info->text;
  std::string message(call);
  message.append(": ").append(name ? name : "result " + std::to_string(static_cast<int>(r)));
  if (text) message.append(", ").append(text);
  if (!note.empty()) message.append("; ").append(note);
  return {code_of(r), message, fix_of(code_of(r)), where};
}

}  // namespace tg::driver
