// A point in the work of a stream: other streams and the host can wait for it, and two of them measure time.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <tg/runtime/device.hpp>
#include <tg/runtime/gone.hpp>

namespace tg {

/// How an event is made.
struct event_options {
  bool has_time = true;           // without, waiting for it is cheaper
  bool is_blocking_wait = false;  // a host thread that waits sleeps instead of spinning
};

namespace runtime {
/// Errors: those of the driver.
driver::event_handle make_event(context& c, const event_options& how);
}  // namespace runtime

/// An event of a device. Streams record it: `stream.record(e)`.
/// Errors: TG532 once it is moved from; TG533 when it was recorded in a capture, where it never happens.
class event {
 public:
  explicit event(const device& gpu, event_options how = {})
      : native_(runtime::make_event(*gpu.context(), how)), has_time_(how.has_time) {
    context_ = gpu.context();
  }
  event(event&& other) noexcept { swap(other); }
  event& operator=(event&& other) noexcept {
    event(std::move(other)).swap(*this);
    return *this;
  }
  ~event() {
    if (context_) context_->release(context_->api().cuEventDestroy, native_);
  }

  driver::event_handle native() const { return checked(), native_; }
  const std::shared_ptr<runtime::context>& context() const { return context_; }
  bool is_recorded() const { return state_ != state::fresh; }
  /// Whether it was recorded in a capture.
  bool is_captured() const { return state_ == state::captured; }

  /// Whether the work before it is done. Errors: those of the kernels that ran.
  bool is_done() const;
  /// Waits for the work before it. Errors: those of the kernels that ran.
  void synchronize() const;

  /// Notes that a stream has recorded it. Streams call this.
  void recorded(bool in_capture) { state_ = in_capture ? state::captured : state::recorded; }

  void swap(event& other) noexcept {
    std::swap(context_, other.context_);
    std::swap(native_, other.native_);
    std::swap(has_time_, other.has_time_);
    std::swap(state_, other.state_);
  }

 private:
  friend double milliseconds_between(const event& start, const event& end);
  enum class state { fresh, recorded, captured };

  runtime::context& checked() const {
    if (!context_) [[unlikely]]
      runtime::fail_gone("an event");
    return *context_;
  }
  void require_outside(const char* what) const;

  std::shared_ptr<runtime::context> context_;
  driver::event_handle native_ = nullptr;
  bool has_time_ = true;
  state state_ = state::fresh;
};

/// Time on the device between two events that have happened.
/// Errors: TG537 when one was not recorded or has no time; TG500 when the work between them goes on.
double milliseconds_between(const event& start, const event& end);

}  // namespace tg
