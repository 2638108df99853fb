// The local memory of the threads of a block, or of blocks that run as one: variables that have a place of their own,
// above them the stacks of calls.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>

#include <tg/base/dynamic_array.hpp>
#include <tg/emulator/block/machine.hpp>

namespace tg::emulator {

class thread_memory {
 public:
  explicit thread_memory(const machine& m)
      : fixed_bytes_(m.image.local_bytes), stride_(m.local_bytes), threads_(m.abreast * m.warps * 32), highest_(fixed_bytes_) {
    // Fresh pages are zero and cost nothing until they are touched, which matters for stacks.
    storage_.reset(static_cast<std::byte*>(std::calloc(stride_ * threads_ + 64, 1)));
    if (storage_ == nullptr) throw std::bad_alloc();
    if (m.image.uses_stack) kept_.resize(threads_);
  }

  /// Where thread 0 begins.
  std::byte* data() const { return storage_.get() + (64 - (reinterpret_cast<std::uintptr_t>(storage_.get()) & 63)) % 64; }
  /// The byte that `thread` sees at a local address inside its memory.
  std::byte* at(std::uint32_t thread, std::uint64_t address) const {
    return data() + thread * stride_ + (address - local_window);
  }
  /// The local address of a byte of `thread`.
  std::uint64_t address_of(std::uint32_t thread, const std::byte* place) const {
    return local_window + static_cast<std::uint64_t>(place - data()) - thread * stride_;
  }
  std::uint64_t stack_begin() const { return local_window + fixed_bytes_; }
  std::uint64_t stack_end() const { return local_window + stride_; }

  /// Makes all of it zero again, as far as it was used.
  void clear() {
    for (std::size_t t = 0; t < threads_ && highest_ != 0; ++t) std::memset(data() + t * stride_, 0, highest_);
    highest_ = fixed_bytes_;
    for (dynamic_array<std::uint32_t>& k : kept_) k.clear();
  }

  /// False where `[from, from + bytes)` is not inside the stack.
  bool claim(std::uint64_t from, std::uint64_t bytes) {
    if (from < stack_begin() || from > stack_end() || bytes > stack_end() - from) return false;
    highest_ = std::max(highest_, from + bytes - local_window);
    return true;
  }

  /// Registers that wait for a call to return.
  dynamic_array<std::uint32_t>& kept(std::uint32_t thread) { return kept_[thread]; }

 private:
  struct release {
    void operator()(std::byte* p) const { std::free(p); }
  };
  std::uint64_t fixed_bytes_;
  std::uint64_t stride_;
  std::size_t threads_;
  std::uint64_t highest_;
  std::unique_ptr<std::byte, release> storage_;
  dynamic_array<dynamic_array<std::uint32_t>> kept_;
};

}  // namespace tg::emulator
