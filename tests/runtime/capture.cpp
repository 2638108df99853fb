#include <tg/runtime/capture.hpp>

#include <thread>

#include <tg/runtime/managed.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using hand_written::saxpy;

namespace {

/// What a captured graph does to zeros.
std::vector<float> replayed(tg::device& gpu, const tg::captured_work& done, tg::buffer<float>& y) {
  y.zero();
  auto work = tg::stream(gpu).begin();
  work.replay(done.graph.instantiate());
  std::move(work).submit().wait();
  return y.to_host();
}

}  // namespace

TEST_CASE("a capture of work that two streams share is one graph") {
  tg::device gpu("emulator");
  auto x = gpu.upload(std::vector<float>(64, 1.0f)), y = gpu.zeros<float>(64);
  tg::pinned<float> in(gpu, 64);
  std::fill(in.begin(), in.end(), 4.0f);
  auto first = tg::stream(gpu).capture();
  first.copy(x, in);
  auto second = first.fork(tg::stream(gpu));
  first.launch(saxpy{}, tg::cover(32), x, y.part(0, 32), 1.0f, 32);
  second.launch(saxpy{}, tg::cover(32), x.part(32, 32), y.part(32, 32), 2.0f, 32);
  const tg::stream back = first.join(std::move(second));
  first.fill(y.part(0, 1), -1.0f);
  const auto done = std::move(first).end();
  CHECK(back.native() != done.stream.native());
  CHECK(done.graph.size() == 4);
  const auto out = replayed(gpu, done, y);
  CHECK(out[0] == -1.0f);
  CHECK(out[1] == 4.0f);
  CHECK(out[63] == 8.0f);
}

TEST_CASE("the streams of the guide do what it says") {
  tg::device gpu;
  std::vector<float> hx(1000, 1.0f);
  tg::buffer<float> x(gpu.context(), 1000);
  auto y = gpu.zeros<float>(1000);

  auto work = tg::stream(gpu).begin();  // takes work from here on
  work.copy(x, hx);                     // through pinned chunks: hx may change at once
  work.launch(saxpy{}, tg::cover(1000), x, y, 2.0f, 1000);
  auto going = std::move(work).submit();               // takes none any more
  auto capturing = std::move(going).wait().capture();  // what follows becomes a graph
  capturing.launch(saxpy{}, tg::cover(1000), x, y, 0.5f, 1000);
  const auto [graph, idle] = std::move(capturing).end();
  const auto ready = graph.instantiate();
  tg::stream_view(gpu, nullptr).replay(ready);

  CHECK(y.to_host() == std::vector<float>(1000, 2.5f));
}

TEST_CASE("what would break a capture is refused with its name, and the capture goes on: TG533") {
  tg::device gpu("emulator");
  auto x = gpu.upload(std::vector<float>(8, 1.0f)), y = gpu.zeros<float>(8);
  auto capturing = tg::stream(gpu).capture();
  capturing.launch(saxpy{}, tg::cover(8), x, y, 1.0f, 8);
  const auto refused = [&](auto f, std::string_view name) {
    const auto wrong = error_of(f);
    CAPTURE(name);
    CAPTURE(wrong.text);
    CHECK(wrong.number == 533);
    CHECK(wrong.says(name));
    CHECK(wrong.says("capture.cpp:"));
  };
  refused([&] { gpu.synchronize(); }, "cuCtxSynchronize()");
  refused([&] { (void)y.to_host(); }, "cuMemcpyDtoH(");
  refused([&] { gpu.launch(saxpy{}, tg::cover(8), x, y, 1.0f, 8); }, "cuLaunch");
  refused([&] { y.zero(); }, "cuMemsetD8(");
  refused([&] { y.fill(1.0f); }, "cuMemsetD32Async(");
  refused([&] { tg::stream_view(gpu, nullptr).synchronize(); }, "cuStreamSynchronize(stream = null)");
  refused([&] { tg::stream_view(gpu, capturing.native()).synchronize(); }, "cuStreamSynchronize(");
  refused([&] { (void)tg::stream_view(gpu, capturing.native()).is_done(); }, "cuStreamQuery(");
  std::thread([&] { refused([&] { y.copy_from(x); }, "cuMemcpyDtoD("); }).join();
  capturing.launch(saxpy{}, tg::cover(8), x, y, 1.0f, 8);
  const auto done = std::move(capturing).end();
  CHECK(done.graph.size() == 2);
  CHECK(replayed(gpu, done, y)[0] == 2.0f);
}

TEST_CASE("memory, kernels and other streams may be made and given back while a stream is captured") {
  tg::device gpu("emulator");
  const std::size_t free_before = gpu.memory_info().free_bytes;
  auto y = gpu.zeros<float>(8);
  auto capturing = tg::stream(gpu).capture();
  capturing.fill(y, 1.0f);
  {
    tg::buffer<float> scratch(gpu.context(), 1 << 20);
    tg::pinned<int> host(gpu, 1 << 10);
    tg::managed<int> both(gpu, 1 << 10);
    tg::event e(gpu);
    tg::stream other(gpu);
  }
  CHECK(gpu.memory_info().free_bytes < free_before - (4 << 20));  // given back when the capture ends
  const hand_written::any one{.body = hand_written::empty_entry};
  CHECK_FALSE(gpu.compile(one).name.empty());
  const auto done = std::move(capturing).end();
  CHECK(gpu.memory_info().free_bytes > free_before - (1 << 20));
  CHECK(replayed(gpu, done, y)[7] == 1.0f);
}

TEST_CASE("a non-blocking capture lets others use the device") {
  tg::device gpu("emulator");
  auto x = gpu.upload(std::vector<float>(8, 1.0f)), y = gpu.zeros<float>(8);
  auto capturing = tg::stream(gpu, {.is_non_blocking = true}).capture();
  capturing.launch(saxpy{}, tg::cover(8), x, y, 1.0f, 8);
  gpu.launch(saxpy{}, tg::cover(8), x, y, 10.0f, 8);
  CHECK(y.to_host()[0] == 10.0f);
  CHECK(error_of([&] { gpu.synchronize(); }).number == 533);
  CHECK(std::move(capturing).end().graph.size() == 1);
}

TEST_CASE("events of a capture do not happen outside it") {
  tg::device gpu("emulator");
  auto y = gpu.zeros<float>(8);
  tg::event inside(gpu);
  auto capturing = tg::stream(gpu).capture();
  capturing.zero(y);
  capturing.record(inside);
  CHECK(error_of([&] { inside.synchronize(); }).says("TG533: synchronisation of an event that was recorded in a capture"));
  CHECK(error_of([&] { (void)inside.is_done(); }).number == 533);
  CHECK(error_of([&] { milliseconds_between(inside, inside); }).number == 537);
  CHECK(error_of([&] { capturing.call([] {}); }).number == 533);
  CHECK(std::move(capturing).end().graph.size() == 1);
}

TEST_CASE("plain host memory is not captured: TG544") {
  tg::device gpu("emulator");
  auto y = gpu.zeros<float>(8);
  std::vector<float> host(8);
  auto capturing = tg::stream(gpu).capture();
  CHECK(error_of([&] { capturing.copy(y, host); }).number == 544);
  CHECK(error_of([&] { capturing.copy(host, y); }).says("tg::pinned"));
  CHECK(std::move(capturing).end().graph.size() == 0);
}

TEST_CASE("streams that are not joined, and those of other captures: TG534") {
  tg::device gpu("emulator");
  auto y = gpu.zeros<float>(8), z = gpu.zeros<float>(8);
  {
    auto capturing = tg::stream(gpu).capture();
    auto lost = capturing.fork(tg::stream(gpu));
    lost.zero(z);
    const auto wrong = error_of([&] { (void)std::move(capturing).end(); });
    CHECK(wrong.number == 534);
    CHECK(wrong.says("1 streams forked at capture.cpp:"));
  }
  {
    auto capturing = tg::stream(gpu).capture();
    { auto dropped = capturing.fork(tg::stream(gpu)); }
    CHECK(error_of([&] { (void)std::move(capturing).end(); }).number == 534);
  }
  {
    auto one = tg::stream(gpu).capture(), two = tg::stream(gpu).capture();
    auto of_one = one.fork(tg::stream(gpu));
    CHECK(error_of([&] { (void)two.join(std::move(of_one)); }).number == 534);
    CHECK(error_of([&] { (void)std::move(of_one).end(); }).says("TG534: a forked stream cannot end the capture"));
    (void)one.join(std::move(of_one));
    CHECK(std::move(one).end().graph.size() == 0);
    CHECK(std::move(two).end().graph.size() == 0);
  }
  y.zero();  // nothing is captured any more
  gpu.synchronize();
}

TEST_CASE("a capture that is dropped leaves nothing") {
  tg::device gpu("emulator");
  auto y = gpu.zeros<float>(8);
  {
    auto capturing = tg::stream(gpu).capture();
    capturing.fill(y, 1.0f);
    const auto moved = std::move(capturing);
    CHECK(error_of([&] { capturing.fill(y, 1.0f); }).number == 532);
    CHECK(error_of([&] { (void)std::move(capturing).end(); }).number == 532);
  }
  CHECK(y.to_host()[0] == 0.0f);
  gpu.synchronize();
}

TEST_CASE("a capture that something else broke names it: TG511") {
  tg::device gpu("emulator");
  auto y = gpu.zeros<float>(8);
  auto capturing = tg::stream(gpu).capture();
  capturing.zero(y);
  gpu.context()->api().cuStreamSynchronize(capturing.native());  // past tg
  const auto first = error_of([&] { capturing.zero(y); });
  CHECK(first.number == 511);
  CHECK(first.says("capture.cpp:"));
  const auto wrong = error_of([&] { (void)std::move(capturing).end(); });
  CHECK(wrong.number == 511);
  CHECK(wrong.says("end of the capture that began at capture.cpp:"));
  CHECK(wrong.says("broken by cuMemsetD8Async("));
}
