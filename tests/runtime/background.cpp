#include <tg/runtime/background.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <vector>

using tg::runtime::background;

TEST_CASE("jobs run in order on another thread") {
  background b;
  std::vector<int> order;
  std::thread::id where;
  for (int i = 0; i < 100; ++i)
    b.post([&, moved = std::make_unique<int>(i)] {
      order.push_back(*moved);
      where = std::this_thread::get_id();
    });
  b.wait();
  REQUIRE(order.size() == 100);
  for (int i = 0; i < 100; ++i) CHECK(order[static_cast<std::size_t>(i)] == i);
  CHECK(where != std::this_thread::get_id());
}

TEST_CASE("a job that throws does not end the thread") {
  background b;
  std::atomic<int> ran = 0;
  b.post([&] { ++ran, throw std::runtime_error("x"); });
  b.post([&] { ++ran; });
  b.wait();
  CHECK(ran == 2);
}

TEST_CASE("waiting and stopping without jobs is fine") {
  background b;
  b.wait();
  b.stop();
  b.stop();
  b.wait();
}

TEST_CASE("stop waits for the job that runs and drops the others") {
  background b;
  std::atomic<bool> has_begun = false;
  std::atomic<int> ran = 0;
  const auto kept = std::make_shared<int>(1);
  const auto is_stopped = [&] {  // what is posted now is dropped at once
    const auto probe = std::make_shared<int>(2);
    b.post([&ran, probe] { ++ran; });
    return probe.use_count() == 1;
  };
  b.post([&] {
    has_begun = true;
    while (!is_stopped()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    ++ran;
  });
  for (int i = 0; i < 10; ++i) b.post([&, kept] { ++ran; });
  while (!has_begun) std::this_thread::yield();
  b.stop();
  CHECK(ran == 1);
  CHECK(kept.use_count() == 1);
  CHECK(is_stopped());
  b.wait();
  CHECK(ran == 1);
}

TEST_CASE("many threads post") {
  background b;
  std::atomic<int> ran = 0;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      for (int i = 0; i < 100; ++i) b.post([&] { ++ran; });
      b.wait();
    });
  for (auto& thread : threads) thread.join();
  CHECK(ran == 400);
}
