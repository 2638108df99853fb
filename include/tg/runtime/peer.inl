// Access to the memory of other devices.
#pragma once

#include <tg/runtime/peer.hpp>

#include <tg/base/config.hpp>

namespace tg {

TG_LIBRARY_FUNCTION bool can_access_peer(const device& user, const device& owner) {
  runtime::context &u = *user.context(), &o = *owner.context();
  if (&u.api() != &o.api() || &u == &o) return false;
  int can = 0;
  u.call(u.api().cuDeviceCanAccessPeer, &can, u.device(), o.device());
  return can != 0;
}

}  // namespace tg
