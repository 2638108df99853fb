// vprintf, __assertfail, malloc, free, memcpy, memmove and memset of kernels.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/emulator/run/call.hpp>
#include <tg/emulator/run/printf_text.hpp>
#include <tg/emulator/run/reachable.hpp>

namespace tg::emulator::detail {

/// One thread's call of a function that the emulator provides.
class system_call {
 public:
  system_call(block& b, const operation& o, std::uint32_t thread)
      : b_(b), o_(o), m_(b.the_machine()), site_(m_.image.calls[o.detail]), thread_(thread) {
    const function_image& caller = m_.image.functions[site_.caller];
    frame_ = caller.is_stacked ? read_slot(b, caller.frame_pointer, thread) : 0;
  }

  void operator()() {
    switch (site_.system) {
      case system_function::vprintf: return print();
      case system_function::assertfail: return assertion();
      case system_function::malloc: return answer(m_.device.heap()->allocate(argument(0)));
      case system_function::free: return free();
      default: return fill_or_copy();
    }
  }

  /// What printf_text reads. Errors: TG402.
  void bytes(std::uint64_t address, void* to, std::size_t count) { std::memcpy(to, at(address, count, false), count); }
  std::string text(std::uint64_t address) {
    std::string out;
    for (char c = 0; c = static_cast<char>(*at(address + out.size(), 1, false)), c != 0;) out.push_back(c);
    return out;
  }

 private:
  std::uint64_t argument(std::size_t k) const {
    std::uint64_t value = 0;
    if (k >= site_.arguments.size()) wrong_signature();
    const call_value& own = checked(site_.arguments[k]);
    std::memcpy(&value, bytes_of(b_, own, frame_, thread_), own.bytes);
    return value;
  }

  void answer(std::uint64_t value) {
    if (!site_.results.empty())
      hand_over(b_, checked(site_.results[0]), frame_, reinterpret_cast<const std::byte*>(&value), thread_);
  }

  const call_value& checked(const call_value& v) const {
    if (v.bytes > sizeof(std::uint64_t)) wrong_signature();
    return v;
  }

  [[noreturn]] void wrong_signature() const {
    fail(m_, 465, o_, describe(m_, o_) + " " + by_thread(b_, thread_) + " declares a function of the system differently",
         "declare it as the CUDA headers do");
  }

  std::byte* at(std::uint64_t address, std::uint64_t count, bool writes) const {
    std::byte* const found = reachable(b_, thread_, address, count);
    if (found == nullptr)
      fail(m_, 402, o_,
           describe(m_, o_) + " " + by_thread(b_, thread_) + " touches " + std::to_string(count) + " bytes at " + hex(address) +
               ", which are outside all allocations and variables",
           "check the pointers that it was given");
    if (m_.watch != nullptr)
      m_.watch->touch(b_, o_, ptx::token::generic, thread_, address, static_cast<std::uint32_t>(count), writes);
    return found;
  }

  void print() {
    const std::uint64_t format = argument(0);
    if (format == 0) return answer(static_cast<std::uint64_t>(-1));
    printf_text<system_call> made(*this, argument(1));
    b_.printed += made(text(format));
    answer(static_cast<std::uint64_t>(made.count()));
  }

  /// The message as the CUDA runtime writes it.
  void assertion() {
    const auto at = b_.thread(thread_);
    const auto place = [](const fixed_array<std::uint32_t, 3>& c) {
      return "[" + std::to_string(c[0]) + "," + std::to_string(c[1]) + "," + std::to_string(c[2]) + "]";
    };
    b_.asserted += text(argument(1)) + ":" + std::to_string(argument(2)) + ": " + text(argument(3)) +
                   ": block: " + place(b_.at) + ", thread: " + place(at) + " Assertion `" + text(argument(0)) + "` failed.\n";
  }

  void free() {
    const std::uint64_t address = argument(0);
    if (address == 0 || m_.device.heap()->release(address)) return;
    const heap_block near = m_.device.heap()->nearest(address);
    fail(m_, 468, o_,
         describe(m_, o_) + " " + by_thread(b_, thread_) + " frees " + hex(address) + ", " +
             (near.address == address ? "which was freed before" : "which malloc did not return"),
         "free each block once, by the pointer that malloc returned");
  }

  void fill_or_copy() {
    const std::uint64_t to = argument(0), count = argument(2);
    answer(to);
    if (count == 0) return;
    if (site_.system == system_function::memset) std::memset(at(to, count, true), static_cast<int>(argument(1)), count);
    else std::memmove(at(to, count, true), at(argument(1), count, false), count);
  }

  block& b_;
  const operation& o_;
  const machine& m_;
  const call_site& site_;
  std::uint32_t thread_;
  std::uint64_t frame_ = 0;
};

/// Errors: TG402, TG466, TG468.
inline void run_system_call(block& b, const operation& o) {
  const std::size_t before = b.asserted.size();
  std::uint32_t first = no_slot;
  each_thread(b, o, [&](std::uint32_t t) {
    if (first == no_slot) first = t;
    system_call(b, o, t)();
  });
  if (b.asserted.size() == before) return;
  const std::string text = b.asserted.substr(before, b.asserted.find('\n', before) - before);
  fail(b.the_machine(), 466, o, "an assertion failed " + by_thread(b, first) + ": " + text,
       "the kernel's own assertion does not hold; look at its source");
}

}  // namespace tg::emulator::detail
