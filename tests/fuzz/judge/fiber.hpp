// Stacks to change between on the host, which the address and thread sanitizers follow.
#pragma once

#include <ucontext.h>

#include <csetjmp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) && !defined(__SANITIZE_ADDRESS__)
#define __SANITIZE_ADDRESS__ 1
#endif
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif
#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif
#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace judge {

/// A stack, and where its work stands. One that is made by default stands for the stack of the thread itself.
class fiber {
 public:
  fiber() {
#if defined(__SANITIZE_THREAD__)
    shadow_ = __tsan_get_current_fiber();
#endif
  }
  explicit fiber(std::size_t bytes) : memory_(std::make_unique_for_overwrite<char[]>(bytes)), bytes_(bytes) {
#if defined(__SANITIZE_THREAD__)
    shadow_ = __tsan_create_fiber(0);
#endif
  }
  fiber(const fiber&) = delete;
  fiber& operator=(const fiber&) = delete;
  ~fiber() {
#if defined(__SANITIZE_THREAD__)
    if (memory_) __tsan_destroy_fiber(shadow_);
#endif
  }

  /// The next `go_to` begins `Work(object)` on this stack; it calls `has_begun` first and does not return. What the stack held
  /// is forgotten.
  template <auto Work, class T> void prepare(T* object) {
    getcontext(&context_);
    context_.uc_stack.ss_sp = memory_.get();
    context_.uc_stack.ss_size = bytes_;
    context_.uc_link = nullptr;
    const auto self = reinterpret_cast<std::uintptr_t>(object);
    makecontext(&context_, reinterpret_cast<void (*)()>(&begin<Work, T>), 2, static_cast<unsigned>(self),
                static_cast<unsigned>(self >> 32));
    has_place_ = false;
  }

  /// Goes on where the work of `other` stands. Returns when somebody goes to this fiber.
  // A context is entered once; from then on two jumps change between it and another one without a system call.
  [[gnu::noinline]] void go_to(fiber& other) {
    if (_setjmp(place_) == 0) {
      has_place_ = true;
      other.from_ = this;
#if defined(__SANITIZE_ADDRESS__)
      __sanitizer_start_switch_fiber(&fake_stack_, other.memory_ ? other.memory_.get() : other.bottom_, other.bytes_);
#endif
#if defined(__SANITIZE_THREAD__)
      __tsan_switch_to_fiber(other.shadow_, 0);
#endif
      if (other.has_place_) _longjmp(other.place_, 1);
      setcontext(&other.context_);
    }
    has_come(fake_stack_);
  }
  /// Once, on a stack that has just begun.
  void has_begun() { has_come(nullptr); }

 private:
  template <auto Work, class T> static void begin(unsigned low, unsigned high) {
    Work(reinterpret_cast<T*>(static_cast<std::uintptr_t>(low) | static_cast<std::uintptr_t>(high) << 32));
  }

  void has_come([[maybe_unused]] void* fake_stack) {
#if defined(__SANITIZE_ADDRESS__)
    const void* bottom = nullptr;
    std::size_t bytes = 0;
    __sanitizer_finish_switch_fiber(fake_stack, &bottom, &bytes);
    if (!from_->memory_) from_->bottom_ = bottom, from_->bytes_ = bytes;
#endif
  }

  std::unique_ptr<char[]> memory_;
  const void* bottom_ = nullptr;
  std::size_t bytes_ = 0;
  ucontext_t context_{};
  std::jmp_buf place_{};
  bool has_place_ = false;
  fiber* from_ = nullptr;  // who went here last
  void* fake_stack_ = nullptr;
  void* shadow_ = nullptr;
};

}  // namespace judge
