// A function of the host to be called later, without <functional>, which takes the compiler long.
#pragma once

#include <type_traits>
#include <utility>

namespace tg {

/// Owns anything that can be called without arguments; what it returns is dropped. It is moved, never copied, so that it takes
/// what cannot be copied.
class callable {
 public:
  callable() = default;
  template <class F> requires(!std::is_same_v<std::remove_cvref_t<F>, callable> && std::is_invocable_v<std::decay_t<F>&>)
  callable(F&& f)
      : held_(new std::decay_t<F>(static_cast<F&&>(f))),
        call_([](void* held) { (void)(*static_cast<std::decay_t<F>*>(held))(); }),
        destroy_([](void* held) { delete static_cast<std::decay_t<F>*>(held); }) {}
  callable(callable&& other) noexcept
      : held_(std::exchange(other.held_, nullptr)), call_(other.call_), destroy_(other.destroy_) {}
  callable& operator=(callable&& other) noexcept {
    std::swap(held_, other.held_);
    std::swap(call_, other.call_);
    std::swap(destroy_, other.destroy_);
    return *this;
  }
  ~callable() {
    if (held_ != nullptr) destroy_(held_);
  }

  /// Whether there is something to call.
  explicit operator bool() const { return held_ != nullptr; }
  /// Requires: there is something to call.
  void operator()() const { call_(held_); }

 private:
  void* held_ = nullptr;
  void (*call_)(void* held) = nullptr;
  void (*destroy_)(void* held) = nullptr;
};

}  // namespace tg
