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
