// What keeps memory or streams of a context beyond the call that named them, and is told when they change.
#pragma once

#include <cstddef>

#include <tg/driver/types.hpp>

namespace tg::runtime {

/// A pool, as its context sees it. The context calls these from any thread, one after the other; none may make or end an
/// observer.
class context_observer {
 public:
  /// Another device may use the memory of this one from now on, or no longer may. Peer access alone does not open memory that
  /// is mapped for each device by itself.
  virtual void set_user(driver::device_id device, bool may) = 0;
  /// A stream ends now; its handle must not reach the driver again.
  virtual void stream_ends(driver::stream_handle stream) noexcept = 0;
  /// The device has no memory left: gives back to the driver what nobody uses. Returns: bytes.
  virtual std::size_t give_back_free() noexcept = 0;
  /// The context ends: its last call to an observer that is still there.
  virtual void context_ends() noexcept {}

 protected:
  ~context_observer() = default;
};

}  // namespace tg::runtime
