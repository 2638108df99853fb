// The captures that go on in a context: what would break one is refused before the driver hears of it, with its name.
#pragma once

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <tg/base/callable.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/driver/call.hpp>
#include <tg/runtime/codes.hpp>

namespace tg::runtime {

/// Streams that are being captured. A capture ends badly when its streams are waited for, when the whole context is,
/// and, unless they are non-blocking, when anything is done on the legacy stream, which every plain copy and launch is.
/// Source: CUDA Driver API 13.0, 6.20, cuStreamBeginCapture; CUDA C++ Programming Guide 13.0, 4.2.2.
class capture_watch {
 public:
  bool is_any() const { return count_.load(std::memory_order_relaxed) != 0; }
  /// Whether work on the legacy stream would break one.
  bool is_any_blocking() const;

  void begin(driver::stream_handle stream, bool is_blocking, source_location where);

  /// What is left of a capture: who broke it, and what was put off when no other stream is captured.
  struct remains {
    std::string culprit;
    dynamic_array<callable> put_off;  // to be done without locks
  };

  /// The stream is captured no more.
  remains end(driver::stream_handle stream);

  /// A call that failed for a capture's sake may have broken every one.
  void blame(std::string_view call);

  /// Puts the work off until no stream is captured. Returns: false when none is.
  bool put_off(callable work);

  /// Errors: TG533 for a call that would break a capture; the capture goes on.
  template <class... P, class... A>
  void require(const driver::table& api, driver::result (*const& function)(P...), const A&... values) const {
    require(api, &function, {driver::detail::to_call_value(static_cast<P>(values))...});
  }
  /// Errors: TG533, as above, for the member `f` of the table.
  void require(const driver::table& api, const void* f, std::initializer_list<driver::detail::call_value> values) const;

  /// What an error in a capture says more: where the captures began.
  std::string note() const;

 private:
  /// The captures and the work that was put off, under a lock.
  struct state;
  static std::shared_ptr<state> make_state();

  /// Where the capture began that a call with these values would break.
  std::optional<source_location> broken_by(const driver::table& api, const void* f,
                                           std::initializer_list<driver::detail::call_value> values) const;

  static std::string text_of(source_location where);

  [[noreturn]] static void refuse(const std::string& call, source_location began);

  std::shared_ptr<state> state_ = make_state();
  std::atomic<std::size_t> count_ = 0;
};

}  // namespace tg::runtime
