// Calls a function of the table and turns what it returns into tg::error.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>

#include <tg/base/config.hpp>
#include <tg/driver/api.hpp>
#include <tg/driver/codes.hpp>

namespace tg::driver {

/// The error of a call that returned `r`: `TG504: cuMemAlloc(bytes = 64): CUDA_ERROR_OUT_OF_MEMORY, not enough memory`.
/// `note` says what the caller knows more.
error make_error(const table& api, result r, std::string_view call, std::string_view note = {}, source_location where = {});

/// The name of a function of the table and the values it was given: `cuMemFree(address = 0x7f0000000000)`.
template <class... P, class... A> std::string describe(const table& api, result (*const& function)(P...), const A&... values);

/// Calls `function`, a member of `api`.
/// Errors: a failed call, and TG502 for a function that the driver lacks.
/// Example: call(api, api.cuMemAlloc, &address, bytes);
template <class... P, class... A> void call(const table& api, result (*const& function)(P...), A... values);

namespace detail {

/// The row of a function, by its place in the table.
inline const symbol& symbol_at(const table& api, const void* member) {
  const auto offset = static_cast<const char*>(member) - reinterpret_cast<const char*>(&api);
  return symbols[static_cast<std::size_t>(offset) / sizeof(void (*)())];
}

/// One value of a call, as it is printed: the type of its parameter says how.
struct call_value {
  enum class kind : std::uint8_t { number, negative, text, pointer };
  enum class role : std::uint8_t { none, stream, launch_config };
  kind is = kind::number;
  std::uint64_t bits = 0;  // of text and pointers the address
  role means = role::none;
};

template <class T> call_value to_call_value(const T& value) {
  constexpr call_value::role role = std::is_same_v<T, stream_handle>          ? call_value::role::stream
                                    : std::is_same_v<T, const launch_config*> ? call_value::role::launch_config
                                                                              : call_value::role::none;
  if constexpr (std::is_same_v<T, const char*>) return {call_value::kind::text, reinterpret_cast<std::uintptr_t>(value)};
  else if constexpr (std::is_pointer_v<T>) return {call_value::kind::pointer, reinterpret_cast<std::uintptr_t>(value), role};
  else if constexpr (std::is_unsigned_v<T>) return {call_value::kind::number, value};
  else
    return {static_cast<long long>(value) < 0 ? call_value::kind::negative : call_value::kind::number,
            static_cast<std::uint64_t>(static_cast<long long>(value))};
}

/// A number as an address: `0x7f00`.
std::string hex(std::uint64_t value);

/// The text of a call.
std::string describe_call(const symbol& function, std::initializer_list<call_value> values);

/// Errors: TG502.
[[noreturn]] void fail_missing(const table& api, const symbol& function);

[[noreturn]] void fail(const table& api, const symbol& function, result r, std::initializer_list<call_value> values);

}  // namespace detail

template <class... P, class... A> std::string describe(const table& api, result (*const& function)(P...), const A&... values) {
  return detail::describe_call(detail::symbol_at(api, &function), {detail::to_call_value(static_cast<P>(values))...});
}

template <class... P, class... A> void call(const table& api, result (*const& function)(P...), A... values) {
  if (function == nullptr) [[unlikely]]
    detail::fail_missing(api, detail::symbol_at(api, &function));
  const result r = function(values...);
  if (r != result::success) [[unlikely]]
    detail::fail(api, detail::symbol_at(api, &function), r, {detail::to_call_value(static_cast<P>(values))...});
}

}  // namespace tg::driver
