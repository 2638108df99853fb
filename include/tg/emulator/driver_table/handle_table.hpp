// Objects of any type by the numbers that are their handles: one map for the compiler to make, not one for each type.
#pragma once

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <utility>

namespace tg::emulator::entry {

/// A number that no other object has; it looks like an address.
inline std::uintptr_t new_handle() {
  static std::atomic<std::uintptr_t> last{0x1000};
  return last += 0x10;
}

/// A handle is never given twice, so a stale one is always found out.
class handle_table {
 public:
  using objects = std::map<std::uintptr_t, std::shared_ptr<void>>;

  std::uintptr_t add(std::shared_ptr<void> object) {
    const std::uintptr_t handle = new_handle();
    objects_.emplace(handle, std::move(object));
    return handle;
  }

  /// Null where the handle is not alive.
  std::shared_ptr<void> find(std::uintptr_t handle) const {
    const auto found = objects_.find(handle);
    return found == objects_.end() ? nullptr : found->second;
  }

  bool contains(std::uintptr_t handle) const { return objects_.find(handle) != objects_.end(); }
  void erase(std::uintptr_t handle) { objects_.erase(handle); }
  objects::iterator erase(objects::iterator at) { return objects_.erase(at); }

  objects::iterator begin() { return objects_.begin(); }
  objects::iterator end() { return objects_.end(); }

 private:
  objects objects_;
};

}  // namespace tg::emulator::entry
