// A call of the driver with its values, without its type.
#pragma once

#include <cstddef>
#include <cstring>
#include <type_traits>

namespace tg::runtime {

/// A closure of a few plain values, to be called now or later: `std::function` without memory of its own, and much less for the
/// compiler to do.
class held_call {
 public:
  template <class F> explicit held_call(const F& f) : run_([](const void* held) { (*static_cast<const F*>(held))(); }) {
    static_assert(std::is_trivially_copyable_v<F> && sizeof(F) <= sizeof bytes_, "a held call has few values, all plain");
    std::memcpy(bytes_, &f, sizeof f);
  }
  void operator()() const { run_(bytes_); }

 private:
  void (*run_)(const void* held);
  alignas(8) std::byte bytes_[40];
};

}  // namespace tg::runtime
