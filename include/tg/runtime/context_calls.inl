// What a call on a context needs beside the call itself: what forbids it, what is said when it fails, how it is put off.
#pragma once

#include <tg/runtime/context.hpp>

#include <exception>
#include <initializer_list>
#include <optional>

#include <tg/base/config.hpp>

namespace tg::runtime {

TG_LIBRARY_FUNCTION void context::require_call(const void* member, bool is_there,
                                               std::initializer_list<driver::detail::call_value> values) const {
  const driver::symbol& function = driver::detail::symbol_at(api_, member);
  if (!is_there) driver::detail::fail_missing(api_, function);
  if (is_in_host_call || is_lost()) refuse_call(function.name);
  if (captures_.is_any()) captures_.require(api_, member, values);
}

TG_LIBRARY_FUNCTION void context::fail_call(driver::result r, const void* member,
                                            std::initializer_list<driver::detail::call_value> values) {
  std::optional<driver::stream_handle> stream;
  for (const driver::detail::call_value& v : values)
    if (v.means == driver::detail::call_value::role::stream) stream = reinterpret_cast<driver::stream_handle>(v.bits);
  fail(r, driver::detail::describe_call(driver::detail::symbol_at(api_, member), values), {}, stream);
}

TG_LIBRARY_FUNCTION void context::release(capture_rule rule, const held_call& call) noexcept {
  const auto now = [this, rule, call] {
    const relaxed_capture relaxed(api_, rule);
    const current_context first(api_, native_);
    if (first.result() == driver::result::success) {
      call();
      return;
    }
    const current_context second(api_, native_);
    call();  // in any case: most calls that give back need no context
  };
  try {
    if (is_in_host_call) return after_host_calls::post(now, shared_from_this());
    if (captures_.is_any() && captures_.put_off(now)) return;
  } catch (const std::exception&) {
    return;  // no memory to put it off: better lost than freed under a capture or on a thread of the driver
  }
  now();
}

}  // namespace tg::runtime
