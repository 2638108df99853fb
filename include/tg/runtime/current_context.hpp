// Whose context is current on a thread, beside other libraries that rely on theirs.
#pragma once

#include <tg/driver/api.hpp>

namespace tg::runtime {

/// Makes a context current for one call of the driver, and afterwards what was current before it. A thread that had none keeps
/// the context, so that the next call finds it. Cost: one call of the driver where it is current already.
class current_context {
 public:
  current_context(const driver::table& api, driver::context_handle wanted) : api_(api) {
    driver::context_handle now = nullptr;
    result_ = api.cuCtxGetCurrent(&now);
    if (result_ != driver::result::success || now == wanted) return;
    result_ = api.cuCtxSetCurrent(wanted);
    if (result_ == driver::result::success) before_ = now;
  }
  current_context(const current_context&) = delete;
  current_context& operator=(const current_context&) = delete;
  ~current_context() {
    if (before_ != nullptr) api_.cuCtxSetCurrent(before_);
  }

  /// Whether the context is current; else what the driver says.
  driver::result result() const { return result_; }

 private:
  const driver::table& api_;
  driver::result result_;
  driver::context_handle before_ = nullptr;
};

}  // namespace tg::runtime
