// Calls a function of the table and turns what it returns into tg::error.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <type_traits>

#include <tg/base/config.hpp>
#include <tg/driver/api.hpp>
#include <tg/driver/codes.hpp>

namespace tg::driver {

/// The error of a call that returned `r`: `TG504: cuMemAlloc(bytes = 64): CUDA_ERROR_OUT_OF_MEMORY, not enough memory`.
/// `note` says what the caller knows more.
inline error make_error(const table& api, result r, std::string_view call, std::string_view note = {},
                        source_location where = {});

/// The name of a function of the table and the values it was given: `cuMemFree(address = 0x7f0000000000)`.
template <class... P, class... A> std::string describe(const table& api, result (*const& function)(P...), const A&... values);

/// Calls `function`, a member of `api`.
/// Errors: a failed call, and TG502 for a function that the driver lacks.
/// Example: call(api, api.cuMemAlloc, &address, bytes);
template <class... P, class... A> void call(const table& api, result (*const& function)(P...), A... values);

namespace detail {

template <class... P> const symbol& symbol_of(const table& api, result (*const& function)(P...)) {
  const auto offset = reinterpret_cast<const char*>(&function) - reinterpret_cast<const char*>(&api);
  return symbols[static_cast<std::size_t>(offset) / sizeof(void (*)())];
}

inline std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

inline std::string hex(std::uint64_t value) {
  std::string out = "0x";
  int shift = 60;
  while (shift > 0 && (value >> shift) == 0) shift -= 4;
  for (; shift >= 0; shift -= 4) out += "0123456789abcdef"[(value >> shift) & 15];
  return out;
}

/// Writes the arguments of a call one by one beside the names of the parameters.
class argument_printer {
 public:
  argument_printer(std::string& out, std::string_view parameters) : out_(out), rest_(parameters.substr(1)) {}

  template <class T> void operator()(const T& value) {
    const auto [type, name] = next();
    if constexpr (std::is_enum_v<T>) {
      write(name, std::to_string(static_cast<long long>(value)));
    } else if constexpr (std::is_integral_v<T>) {
      write(name, type.starts_with("device_address") ? hex(value) : std::to_string(value));
    } else if constexpr (std::is_same_v<T, const char*>) {
      write(name, value == nullptr ? "null" : '"' + std::string(value) + '"');
    } else if (type.find_first_of("&*") == std::string_view::npos || type.starts_with("const void")) {
      write(name, value == nullptr ? "null" : hex(reinterpret_cast<std::uintptr_t>(value)));
    }  // what is left are places for results
  }

 private:
  struct parameter { std::string_view type, name; };

  parameter next() {
    const auto end = rest_.find_first_of(",)");
    std::string_view one = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    one.remove_prefix(one.find_first_not_of(' '));
    const auto name = one.find_last_of(" *") + 1;
    return {one.substr(0, name), one.substr(name)};
  }

  void write(std::string_view name, std::string_view value) {
    if (out_.back() != '(') out_ += ", ";
    out_.append(name).append(" = ").append(value);
  }

  std::string& out_;
  std::string_view rest_;
};

template <class... P, class... A>
TG_COLD [[noreturn]] void fail(const table& api, result (*const& function)(P...), result r, const A&... values) {
  throw make_error(api, r, describe(api, function, values...));
}

template <class... P> TG_COLD [[noreturn]] void fail_missing(const table& api, result (*const& function)(P...)) {
  const symbol& s = symbol_of(api, function);
  int version = 0;
  if (api.cuDriverGetVersion) api.cuDriverGetVersion(&version);
  throw error(no_function,
              std::string(s.name) + ": this driver does not have it; it came with CUDA " + version_text(s.since) +
                  (version > 0 ? ", the driver is of CUDA " + version_text(version) : ""),
              fix_of(no_function));
}

}  // namespace detail

inline error make_error(const table& api, result r, std::string_view call, std::string_view note, source_location where) {
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

template <class... P, class... A> std::string describe(const table& api, result (*const& function)(P...), const A&... values) {
  const symbol& s = detail::symbol_of(api, function);
  std::string out = std::string(s.name) + "(";
  detail::argument_printer print(out, s.parameters);
  (print(static_cast<P>(values)), ...);
  return out + ")";
}

template <class... P, class... A> void call(const table& api, result (*const& function)(P...), A... values) {
  if (function == nullptr) [[unlikely]]
    detail::fail_missing(api, function);
  const result r = function(values...);
  if (r != result::success) [[unlikely]]
    detail::fail(api, function, r, values...);
}

}  // namespace tg::driver
