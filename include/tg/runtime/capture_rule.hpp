// What a capture forbids to calls that put no work on a stream, and how tg makes such calls without breaking it.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tg/driver/api.hpp>

namespace tg::runtime {

/// What a capture of another library says to a call.
/// Source: CUDA Driver API 13.0, cuThreadExchangeStreamCaptureMode; CUDA C++ Programming Guide 13.0, 4.2.2.
enum class capture_rule : unsigned char {
  none,
  unsafe,  // ends a global capture with CUDA_ERROR_STREAM_CAPTURE_UNSUPPORTED, unless the thread that calls is in the relaxed
           // mode
  legacy   // likewise, and breaks every capture of a blocking stream in any mode, because it runs on the legacy stream
};

/// The rule for member number `member` of the driver's table.
capture_rule rule_of_member(std::size_t member);

/// Whether a function with these parameters puts work on a stream; a capture takes that in or lets it pass.
template <class... P>
inline constexpr bool is_work_of_stream = (std::is_same_v<P, const driver::launch_config*> || ...) ||
                                          (sizeof...(P) > 1 && (std::is_same_v<P, driver::stream_handle> || ...));

/// The rule for a function, which is a member of the table.
template <class... P> capture_rule rule_of(const driver::table& api, driver::result (*const& function)(P...)) {
  if constexpr (is_work_of_stream<P...>) return capture_rule::none;
  const auto offset = reinterpret_cast<const char*>(&function) - reinterpret_cast<const char*>(&api);
  return rule_of_member(static_cast<std::size_t>(offset) / sizeof(void (*)()));
}

/// While it lives, a capture that another thread has begun in the global mode lets this thread's calls pass. A relaxed thread
/// is safe here because a graph of another library does not depend on what tg allocates, asks or loads. Cost: two calls of the
/// driver that touch nothing but the thread; none for a call that needs no such leave.
class relaxed_capture {
 public:
  relaxed_capture(const driver::table& api, capture_rule rule) : api_(api) {
    is_changed_ = rule != capture_rule::none && api.cuThreadExchangeStreamCaptureMode != nullptr &&
                  api.cuThreadExchangeStreamCaptureMode(&mode_) == driver::result::success &&
                  mode_ != driver::capture_mode::relaxed;
  }
  relaxed_capture(const relaxed_capture&) = delete;
  relaxed_capture& operator=(const relaxed_capture&) = delete;
  ~relaxed_capture() {
    if (is_changed_) api_.cuThreadExchangeStreamCaptureMode(&mode_);
  }

 private:
  const driver::table& api_;
  driver::capture_mode mode_ = driver::capture_mode::relaxed;
  bool is_changed_ = false;
};

}  // namespace tg::runtime
