#include <tg/runtime/staging.hpp>

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

#include <tg/runtime/stream.hpp>

#include "hand_written.hpp"

using tg::driver::result;
using tg::runtime::staging;

TEST_CASE("chunks are used again, and no more than a few are made") {
  static int made;
  made = 0;
  auto api = hand_written::emulator_table();
  api.cuMemHostAlloc = [](void** memory, std::size_t bytes, unsigned flags) {
    ++made;
    return tg::emulator::driver_table().cuMemHostAlloc(memory, bytes, flags);
  };
  const tg::device gpu(tg::runtime::machine{&api});
  tg::buffer<int> b(gpu.context(), 100);
  auto work = tg::stream(gpu).begin();
  for (int i = 0; i < 50; ++i) {
    work.copy(b, std::vector<int>(100, i));
    gpu.context()->synchronize(work.native());
  }
  CHECK(made == 1);
  CHECK(gpu.context()->staging().size_bytes() == staging::least_bytes);
  CHECK(b.to_host() == std::vector<int>(100, 49));
  tg::buffer<char> large(gpu.context(), 3 * staging::most_bytes);
  for (std::size_t i = 0; i < 3; ++i) {
    work.copy(large.part(i * staging::most_bytes, staging::most_bytes), std::vector<char>(staging::most_bytes, 'x'));
    gpu.context()->synchronize(work.native());
  }
  CHECK(made == 2);
  CHECK(gpu.context()->staging().size_bytes() == staging::least_bytes + staging::most_bytes);
}

TEST_CASE("when every chunk is in use, the one used longest ago is waited for") {
  static bool is_busy;
  static int waited;
  is_busy = true;
  waited = 0;
  auto api = hand_written::emulator_table();
  api.cuEventQuery = [](tg::driver::event_handle e) {
    return is_busy ? result::not_ready : tg::emulator::driver_table().cuEventQuery(e);
  };
  api.cuEventSynchronize = [](tg::driver::event_handle e) {
    ++waited;
    return tg::emulator::driver_table().cuEventSynchronize(e);
  };
  const tg::device gpu(tg::runtime::machine{&api});
  tg::buffer<int> b(gpu.context(), 40000);
  auto work = tg::stream(gpu).begin();
  for (int i = 0; i < 6; ++i) work.copy(b.part(0, 10), std::vector<int>(10, i));
  CHECK(waited == 2);
  CHECK(gpu.context()->staging().size_bytes() == staging::most_chunks * staging::least_bytes);
  work.copy(b, std::vector<int>(40000, 7));  // larger than what it waits for
  CHECK(waited == 3);
  is_busy = false;
  CHECK(b.to_host() == std::vector<int>(40000, 7));
}

TEST_CASE("a copy that waits keeps no other thread from copying, which may be what its stream waits for") {
  const tg::device gpu("emulator");
  const std::size_t bytes = (staging::most_chunks + 2) * staging::most_bytes;
  tg::buffer<char> large(gpu.context(), bytes), small(gpu.context(), 4);
  std::mutex mutex;
  std::condition_variable changed;
  bool is_copied = false, is_waiting = false, came_in_time = false;
  std::thread filler([&] {
    auto work = tg::stream(gpu, {.is_non_blocking = true}).begin();
    work.call([&] {
      std::unique_lock lock(mutex);
      is_waiting = true;
      changed.notify_all();
      came_in_time = changed.wait_for(lock, std::chrono::seconds(20), [&] { return is_copied; });
    });
    work.copy(large, std::vector<char>(bytes, 'x'));
    (void)std::move(work).submit().wait();
  });
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return is_waiting; });
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(100));  // the filler has all chunks, or is about to
  auto work = tg::stream(gpu, {.is_non_blocking = true}).begin();
  work.copy(small, std::vector<char>{'a', 'b', 'c', 'd'});
  (void)std::move(work).submit().wait();
  {
    const std::lock_guard lock(mutex);
    is_copied = true;
  }
  changed.notify_all();
  filler.join();
  CHECK(came_in_time);
  CHECK(small.to_host() == std::vector<char>{'a', 'b', 'c', 'd'});
  CHECK(large.to_host() == std::vector<char>(bytes, 'x'));
  CHECK(gpu.context()->staging().size_bytes() <= staging::most_chunks * staging::most_bytes);
}
