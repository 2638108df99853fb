// The thread that runs background jobs.
#pragma once

#include <tg/runtime/background.hpp>

#include <condition_variable>
#include <deque>
#include <mutex>
#include <thread>

#include <tg/base/config.hpp>

namespace tg::runtime {

struct background::state {
  std::mutex mutex;
  std::condition_variable changed;
  std::deque<std::unique_ptr<job>> jobs;
  bool is_busy = false;
  bool is_stopped = false;
  std::thread thread;

  void run() {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return is_stopped || !jobs.empty(); });
      if (is_stopped) return;
      std::unique_ptr<job> next = std::move(jobs.front());
      jobs.pop_front();
      is_busy = true;
      lock.unlock();
      try {
        next->run();
      } catch (...) {  // the job's caller has gone on without its result
      }
      next.reset();
      lock.lock();
      is_busy = false;
      changed.notify_all();
    }
  }
};

TG_LIBRARY_FUNCTION std::shared_ptr<background::state> background::make_state() { return std::make_shared<state>(); }

TG_LIBRARY_FUNCTION void background::add(std::unique_ptr<job> made) {
  const auto s = state_;
  const std::lock_guard lock(s->mutex);
  if (s->is_stopped) return;
  s->jobs.push_back(std::move(made));
  if (!s->thread.joinable()) s->thread = std::thread([s = s.get()] { s->run(); });
  s->changed.notify_all();
}

TG_LIBRARY_FUNCTION void background::wait() {
  const auto s = state_;
  std::unique_lock lock(s->mutex);
  s->changed.wait(lock, [&] { return s->is_stopped || (s->jobs.empty() && !s->is_busy); });
}

TG_LIBRARY_FUNCTION void background::stop() {
  const auto s = state_;
  std::deque<std::unique_ptr<job>> dropped;
  {
    const std::lock_guard lock(s->mutex);
    s->is_stopped = true;
    dropped.swap(s->jobs);
  }
  s->changed.notify_all();
  if (s->thread.joinable()) s->thread.join();
}

}  // namespace tg::runtime
