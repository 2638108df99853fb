#include <tg/emulator/run/crew.hpp>

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <latch>
#include <stdexcept>
#include <string>

#include <doctest/doctest.h>

namespace {

using tg::emulator::crew;

/// The threads that a crew of `count` ran on.
std::vector<std::thread::id> threads_of(std::size_t count) {
  crew hands(count);
  std::vector<std::thread::id> seen(hands.size());
  std::latch all(static_cast<std::ptrdiff_t>(hands.size()));
  hands.run([&](std::size_t k) {
    seen[k] = std::this_thread::get_id();
    all.arrive_and_wait();  // ends only where all run at the same time
  });
  return seen;
}

}  // namespace

TEST_CASE("a crew works on as many threads as it has, the caller's among them") {
  for (const std::size_t count : {std::size_t{1}, std::size_t{2}, std::size_t{5}}) {
    std::vector<std::thread::id> seen = threads_of(count);
    CHECK_EQ(seen.size(), count);
    CHECK_EQ(seen[0], std::this_thread::get_id());
    std::sort(seen.begin(), seen.end());
    CHECK(std::adjacent_find(seen.begin(), seen.end()) == seen.end());
  }
  CHECK_EQ(crew(0).size(), 1u);
}

TEST_CASE("the threads stay for the next crew") { CHECK_EQ(threads_of(2), threads_of(2)); }

TEST_CASE("a crew may work again and again") {
  crew hands(3);
  std::array<int, 3> done{};
  for (int turn = 0; turn < 1000; ++turn) hands.run([&](std::size_t k) { ++done[k]; });
  CHECK_EQ(done, std::array{1000, 1000, 1000});
}

TEST_CASE("what one throws comes out when all have ended, and the crew lives on") {
  crew hands(3);
  std::atomic<int> ended{0};
  const auto failing = [&](std::size_t from) {
    ended = 0;
    try {
      hands.run([&](std::size_t k) {
        ++ended;
        if (k >= from) throw std::runtime_error(std::to_string(k));
      });
    } catch (const std::runtime_error& e) { return std::string(e.what()); }
    return std::string();
  };
  CHECK_EQ(failing(1), "1");
  CHECK_EQ(ended, 3);
  CHECK_EQ(failing(0), "0");
  CHECK_EQ(failing(3), "");
  CHECK_EQ(ended, 3);
}

TEST_CASE("crews of several callers work at the same time") {
  std::vector<std::thread> callers;
  std::atomic<int> done{0};
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([&] {
      for (int turn = 0; turn < 100; ++turn) crew(3).run([&](std::size_t) { ++done; });
    });
  for (std::thread& t : callers) t.join();
  CHECK_EQ(done, 4 * 100 * 3);
}

#if !defined(__SANITIZE_THREAD__)  // which does not follow a child process that starts threads
TEST_CASE("a child process starts threads of its own") {
  CHECK_EQ(threads_of(2).size(), 2u);
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);  // ends it where it waits for a thread that only its parent has
    _exit(threads_of(2).size() == 2 ? 0 : 1);
  }
  int status = -1;
  REQUIRE_EQ(waitpid(child, &status, 0), child);
  CHECK_EQ(status, 0);
}
#endif
