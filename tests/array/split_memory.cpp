#include <tg/array/split_memory.hpp>

#include <thread>

#include <tg/emulator/driver_table/driver_table.hpp>
#include <tg/runtime/capture.hpp>
#include <tg/runtime/stream.hpp>
#include <tg/runtime/telemetry.hpp>

#include "arrays.hpp"

using arrays::long_line;
using arrays::sum_of;

TEST_CASE("streams have memory of their own, and graphs share none") {
  tg::device gpu;
  const auto all = long_line(200000);
  const tg::array<double, 1> x(gpu, all);
  std::vector<std::thread> threads;
  std::vector<double> got(4);
  for (std::size_t k = 0; k < got.size(); ++k)
    threads.emplace_back([&, k] {
      tg::array<double, 0> s(gpu, {});
      auto work = tg::stream(gpu).begin();
      for (int turn = 0; turn < 5; ++turn) tg::assign_on(work, tg::into(s) = tg::sum(x));
      const auto idle = std::move(work).submit().wait();
      got[k] = s.item();
    });
  for (auto& t : threads) t.join();
  for (const double s : got) CHECK(s == sum_of(all));

  tg::array<double, 0> s(gpu, {});
  auto capture = tg::stream(gpu).capture();
  CHECK(gpu.context()->is_captured(capture.native()));
  tg::assign_on(capture, tg::into(s) = tg::sum(x));
  auto done = std::move(capture).end();
  CHECK(!gpu.context()->is_captured(done.stream.native()));
  auto work = std::move(done.stream).begin();
  work.replay(done.graph.instantiate());
  const auto idle = std::move(work).submit().wait();
  CHECK(s.item() == sum_of(all));
}

TEST_CASE("the memory of a stream that has ended is for the next one, which waits for the work of the first") {
  static int waits;
  static tg::driver::table api;
  waits = 0;
  api = tg::emulator::driver_table();
  api.cuStreamWaitEvent = [](tg::driver::stream_handle s, tg::driver::event_handle e, unsigned flags) {
    ++waits;
    return tg::emulator::driver_table().cuStreamWaitEvent(s, e, flags);
  };
  api.cuStreamDestroy = [](tg::driver::stream_handle) { return tg::driver::result::success; };  // the handle comes again
  const auto context = tg::runtime::context::open({&api, 0});
  tg::driver::stream_handle s = nullptr, other = nullptr;
  for (auto* each : {&s, &other}) context->call(context->api().cuStreamCreate, each, tg::driver::stream_flag::non_blocking);
  const auto first = tg::detail::split_memory_of(*context, s, 0).parts;
  CHECK(tg::detail::split_memory_of(*context, s, 0).parts == first);
  CHECK(waits == 0);
  context->end_stream(s);
  CHECK(tg::detail::split_memory_of(*context, s, 0).parts == first);
  CHECK(waits == 1);
  CHECK(tg::detail::split_memory_of(*context, s, 0).parts == first);
  CHECK(tg::detail::split_memory_of(*context, other, 0).parts != first);
  CHECK(waits == 1);
  // More words take other memory, which stays; what is too small is for another stream.
  const auto larger = tg::detail::split_memory_of(*context, s, 1000);
  CHECK(larger.parts != first);
  CHECK(larger.words - larger.tickets == 64 * sizeof(unsigned));
  CHECK(tg::detail::split_memory_of(*context, s, 1024).parts == larger.parts);
  CHECK(tg::detail::split_memory_of(*context, s, 10).parts == larger.parts);
  CHECK(waits == 1);
  context->end_stream(other);
  CHECK(tg::detail::split_memory_of(*context, other, 0).parts == first);
  CHECK(waits == 2);
  CHECK(tg::detail::split_memory_of(*context, other, 1025).parts != larger.parts);
  for (auto each : {s, other}) tg::emulator::driver_table().cuStreamDestroy(each);
}
