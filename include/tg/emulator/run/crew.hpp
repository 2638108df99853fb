// Host threads that stay between launches, because starting one costs more than a small launch.
#pragma once

#if !defined(_WIN32)
#include <pthread.h>
#endif

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>

#include <tg/base/dynamic_array.hpp>

namespace tg::emulator {

namespace detail { class crew_member; }

/// The calling thread and others that work with it; they go back to wait at the end.
class crew {
 public:
  /// Takes threads that wait, and starts what lacks. The crew is smaller where the system has no more threads.
  explicit crew(std::size_t wanted);
  ~crew();
  crew(const crew&) = delete;
  crew& operator=(const crew&) = delete;

  /// At least 1: the calling thread.
  std::size_t size() const { return others_.size() + 1; }

  /// Calls `work(k)` for each k below size(), each on its own thread, this one with 0. Returns when all have ended.
  /// Errors: throws again what the call with the smallest k threw.
  template <class Work> void run(const Work& work) {
    run([](const void* w, std::size_t k) { (*static_cast<const Work*>(w))(k); }, &work);
  }

 private:
  void run(void (*work)(const void*, std::size_t), const void* context);

  dynamic_array<std::unique_ptr<detail::crew_member>> others_;
};

namespace detail {

/// Waits until `word` is no longer `old`: awake for about the time in which a short launch ends, then asleep.
inline void await_change(const std::atomic<std::uint32_t>& word, std::uint32_t old) {
  for (int k = 0; k < 64; ++k) {
    if (word.load(std::memory_order_acquire) != old) return;
    std::this_thread::yield();
  }
  word.wait(old, std::memory_order_acquire);
}

/// A thread that does one call after the other.
class crew_member {
 public:
  using call = void (*)(const void*, std::size_t);

  crew_member() : thread_([this] { work(); }) {}
  ~crew_member() {
    begin(nullptr, nullptr, 0);
    thread_.join();
  }

  void begin(call what, const void* context, std::size_t k) {
    call_ = what;
    context_ = context;
    number_ = k;
    begun_.fetch_add(1, std::memory_order_release);
    begun_.notify_one();
  }
  /// Waits for the end of what was begun. Returns: what it threw.
  std::exception_ptr end() {
    await_change(ended_, begun_.load(std::memory_order_relaxed) - 1);
    return std::exchange(failure_, nullptr);
  }

 private:
  void work() {
    for (std::uint32_t turn = 0;;) {
      await_change(begun_, turn++);
      if (call_ == nullptr) return;
      try {
        call_(context_, number_);
      } catch (...) { failure_ = std::current_exception(); }
      ended_.store(turn, std::memory_order_release);
      ended_.notify_one();
    }
  }

  call call_ = nullptr;
  const void* context_ = nullptr;
  std::size_t number_ = 0;
  std::exception_ptr failure_;
  alignas(64) std::atomic<std::uint32_t> begun_{0};
  alignas(64) std::atomic<std::uint32_t> ended_{0};
  std::thread thread_;  // last: it uses the others
};

/// The threads of the process that wait for a crew. Never destroyed, so that a launch may outlive main().
class waiting_members {
 public:
  static waiting_members& all() {
    static waiting_members*& one = in_process();
    static const struct at_exit {
      ~at_exit() { all().close(); }
    } ends;
    return *one;
  }

  std::unique_ptr<crew_member> take() {
    const std::lock_guard lock(mutex_);
    if (members_.empty()) return nullptr;
    std::unique_ptr<crew_member> last = std::move(members_.back());
    members_.pop_back();
    return last;
  }
  /// Keeps as many as the machine has cores; the others end.
  void give(std::unique_ptr<crew_member> member) {
    const std::lock_guard lock(mutex_);
    if (!is_closed_ && members_.size() < most_) members_.push_back(std::move(member));
  }

 private:
  /// A child process has none of its parent's threads, and begins with none.
  static waiting_members*& in_process() {
    static waiting_members* one = new waiting_members;
#if !defined(_WIN32)
    static const int known = pthread_atfork(nullptr, nullptr, [] { one = new waiting_members; });
    static_cast<void>(known);
#endif
    return one;
  }

  void close() {
    dynamic_array<std::unique_ptr<crew_member>> last;
    const std::lock_guard lock(mutex_);
    is_closed_ = true;
    last.swap(members_);
  }

  std::mutex mutex_;
  dynamic_array<std::unique_ptr<crew_member>> members_;
  std::size_t most_ = std::max(1u, std::thread::hardware_concurrency());
  bool is_closed_ = false;
};

}  // namespace detail

inline crew::crew(std::size_t wanted) {
  if (wanted < 2) return;
  detail::waiting_members& waiting = detail::waiting_members::all();
  others_.reserve(wanted - 1);
  while (others_.size() + 1 < wanted) try {
      std::unique_ptr<detail::crew_member> next = waiting.take();
      others_.push_back(next ? std::move(next) : std::make_unique<detail::crew_member>());
    } catch (const std::system_error&) { return; }
}

inline crew::~crew() {
  for (auto& member : others_) detail::waiting_members::all().give(std::move(member));
}

inline void crew::run(void (*work)(const void*, std::size_t), const void* context) {
  for (std::size_t k = 0; k < others_.size(); ++k) others_[k]->begin(work, context, k + 1);
  std::exception_ptr failure;
  try {
    work(context, 0);
  } catch (...) { failure = std::current_exception(); }
  for (auto& member : others_) {
    const std::exception_ptr other = member->end();
    if (!failure) failure = other;
  }
  if (failure) std::rethrow_exception(failure);
}

}  // namespace tg::emulator
