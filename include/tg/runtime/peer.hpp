// Several devices of one driver: which of them can use each other's memory, and the permission to.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include <tg/runtime/device.hpp>

namespace tg {

/// Whether kernels of a device can use memory of another one.
bool can_access_peer(const device& user, const device& owner);

/// While it lives, kernels of `user` may use buffers of `owner` and the memory of its pools. Copies between devices need no
/// permission. Access that another library has enabled is left as it is. Requires: what a kernel finds in the other device's
/// memory has been waited for, by an event or by the host; the streams of two devices do not wait for each other.
/// Errors: TG539 for devices that cannot.
class peer_access {
 public:
  peer_access(const device& user, const device& owner);
  peer_access(peer_access&& other) noexcept : user_(std::move(other.user_)), owner_(std::move(other.owner_)) {}
  peer_access& operator=(peer_access&& other) noexcept {
    std::swap(user_, other.user_);
    std::swap(owner_, other.owner_);
    return *this;
  }
  ~peer_access() {
    if (user_) user_->end_peer(*owner_);
  }

 private:
  std::shared_ptr<runtime::context> user_, owner_;
};

bool can_access_peer(const device& user, const device& owner);

inline peer_access::peer_access(const device& user, const device& owner) {
  runtime::context &u = *user.context(), &o = *owner.context();
  if (!can_access_peer(user, owner))
    throw error(runtime::no_peer, "kernels of '" + u.label() + "' cannot use memory of " + o.label_beside(u),
                &u == &o ? "a device needs no permission for its own" : "copy between the buffers instead");
  if (const driver::result r = u.begin_peer(o); r != driver::result::success)
    u.fail(r, "access of '" + u.label() + "' to memory of " + o.label_beside(u));
  user_ = user.context();
  owner_ = owner.context();
}

}  // namespace tg
