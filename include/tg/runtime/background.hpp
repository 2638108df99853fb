// Work that another thread does, one job after the other.
#pragma once

#include <memory>
#include <utility>

namespace tg::runtime {

/// A thread that starts with the first job. What a job throws is dropped with the job.
class background {
 public:
  struct job {
    virtual ~job() = default;
    virtual void run() = 0;
  };

  background() = default;
  background(const background&) = delete;
  background& operator=(const background&) = delete;
  ~background() { stop(); }

  template <class F> void post(F work) {
    struct task final : job {
      explicit task(F f) : work(std::move(f)) {}
      void run() override { work(); }
      F work;
    };
    add(std::make_unique<task>(std::move(work)));
  }
  void add(std::unique_ptr<job> made);
  /// Until every job posted so far is done.
  void wait();
  /// Drops jobs that have not begun and waits for the one that has. What is posted later is dropped.
  void stop();

 private:
  struct state;
  static std::shared_ptr<state> make_state();

  std::shared_ptr<state> state_ = make_state();
};

}  // namespace tg::runtime
