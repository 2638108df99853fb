#include <tg/runtime/stream.hpp>

#include <atomic>
#include <chrono>
#include <numeric>
#include <thread>

#include <tg/emulator/launch/launch_shape.hpp>
#include <tg/runtime/staging.hpp>

#include "hand_written.hpp"

using hand_written::error_of;
using hand_written::saxpy;

TEST_CASE("a stream goes from idle over recording and submitted back to idle") {
  const tg::device gpu;
  const std::vector<float> hx(1000, 2.0f), hy(1000, 1.0f);
  tg::buffer<float> x(gpu.context(), 1000), y(gpu.context(), 1000);
  tg::stream idle(gpu);
  const auto handle = idle.native();
  auto work = std::move(idle).begin();
  CHECK(work.native() == handle);
  work.copy(x, hx);
  work.copy(y, hy);
  work.launch(saxpy{}, tg::cover(1000), x, y, 3.0f, 1000);
  auto going = std::move(work).submit();
  CHECK(going.native() == handle);
  auto again = std::move(going).wait();
  CHECK(again.native() == handle);
  std::vector<float> out(1000);
  auto more = std::move(again).begin();
  more.launch(saxpy{}, tg::cover(1000), x, y, 1.0f, 1000);
  more.copy(out, y);
  CHECK(out == std::vector<float>(1000, 9.0f));
  auto later = std::move(more).submit();
  auto most = std::move(later).begin();  // more work behind what is under way
  most.zero(y);
  auto last = std::move(most).submit();
  std::move(last).wait();
  CHECK(y.to_host() == std::vector<float>(1000, 0.0f));
}

TEST_CASE("a stream says what it is made as") {
  const tg::device gpu("emulator");
  const tg::stream urgent(gpu, {.priority = -3, .is_non_blocking = true});
  CHECK(urgent.priority() == -3);
  CHECK(urgent.is_non_blocking());
  const auto& api = gpu.context()->api();
  int priority = 0;
  unsigned flags = 0;
  gpu.context()->call(api.cuStreamGetPriority, urgent.native(), &priority);
  gpu.context()->call(api.cuStreamGetFlags, urgent.native(), &flags);
  CHECK(priority == -3);
  CHECK(flags == 1);
  const tg::stream plain(gpu);
  gpu.context()->call(api.cuStreamGetFlags, plain.native(), &flags);
  CHECK(flags == 0);
}

TEST_CASE("a priority that the device has not is refused with its range: TG538") {
  const tg::device gpu("emulator");
  for (const int priority : {-6, 1}) {
    const auto wrong = error_of([&] { tg::stream s(gpu, {.priority = priority}); });
    CHECK(wrong.number == 538);
    CHECK(wrong.says("priority " + std::to_string(priority)));
    CHECK(wrong.says("-5 (most urgent) to 0"));
  }
  CHECK(error_of([&] { tg::stream s(gpu, {.priority = -5}); }).number == 0);
}

TEST_CASE("what is moved from says so: TG532") {
  const tg::device gpu("emulator");
  tg::buffer<float> x(gpu.context(), 4);
  tg::stream idle(gpu);
  auto work = std::move(idle).begin();
  CHECK(error_of([&] { (void)idle.native(); }).number == 532);
  CHECK(error_of([&] { (void)std::move(idle).begin(); }).number == 532);
  auto going = std::move(work).submit();
  CHECK(error_of([&] { work.zero(x); }).says("TG532: a stream is used after it was moved from"));
  CHECK(error_of([&] { (void)std::move(work).submit(); }).number == 532);
  const auto done = std::move(going).wait();
  CHECK(error_of([&] { (void)going.is_done(); }).number == 532);
  CHECK(error_of([&] { (void)std::move(going).wait(); }).number == 532);
  tg::event e(gpu);
  const tg::event taken = std::move(e);
  CHECK(error_of([&] { (void)e.native(); }).says("TG532: an event is used after"));
  CHECK(error_of([&] { (void)e.is_done(); }).number == 532);
}

TEST_CASE("copies of plain host memory are whole when they return, through pinned chunks") {
  const tg::device gpu("emulator");
  const std::size_t n = (tg::runtime::staging::most_bytes * 3 + 12345) / 4 + 1;
  std::vector<unsigned> in(n), out(n);
  std::iota(in.begin(), in.end(), 7u);
  const auto kept = in;
  tg::buffer<unsigned> b(gpu.context(), n);
  auto work = tg::stream(gpu).begin();
  work.copy(b, in);
  std::fill(in.begin(), in.end(), 0u);  // the source may change at once
  work.copy(out, b);
  CHECK(out == kept);
  CHECK(gpu.context()->staging().size_bytes() <= tg::runtime::staging::most_bytes * tg::runtime::staging::most_chunks);
  std::vector<unsigned> few(10);
  work.copy(few, b.part(5, 10));
  CHECK(few == std::vector<unsigned>(kept.begin() + 5, kept.begin() + 15));
  work.copy(b.part(0, 10), b.part(5, 10));
  work.copy(std::span(few).first(3), b.part(0, 3));
  CHECK(few[0] == kept[5]);
}

TEST_CASE("staging waits for the copy that it was lent to") {
  const tg::device gpu("emulator");
  std::atomic<bool> go = false;
  std::vector<int> in(16, 1);
  tg::buffer<int> a(gpu.context(), 16), b(gpu.context(), 16);
  auto work = tg::stream(gpu, {.is_non_blocking = true}).begin();
  work.call([&] {
    while (!go) std::this_thread::sleep_for(std::chrono::milliseconds(1));
  });
  work.copy(a, in);
  std::fill(in.begin(), in.end(), 2);
  work.copy(b, in);
  auto going = std::move(work).submit();
  CHECK_FALSE(going.is_done());
  go = true;
  std::move(going).wait();
  CHECK(a.to_host() == std::vector<int>(16, 1));
  CHECK(b.to_host() == std::vector<int>(16, 2));
}

TEST_CASE("a stream waits for an event and for what another stream was given") {
  const tg::device gpu("emulator");
  std::atomic<int> step = 0;
  std::atomic<int> seen_by_b = 0, seen_by_c = 0;
  auto a = tg::stream(gpu, {.is_non_blocking = true}).begin();
  auto b = tg::stream(gpu, {.is_non_blocking = true}).begin();
  auto c = tg::stream(gpu, {.is_non_blocking = true}).begin();
  tg::event happened(gpu);
  a.call([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    step = 1;
  });
  a.record(happened);
  a.call([&] { step = 2; });
  const auto given = std::move(a).submit();
  b.wait_for(happened);
  b.call([&] { seen_by_b = step.load(); });
  c.wait_for(given);
  c.call([&] { seen_by_c = step.load(); });
  std::move(b).submit().wait();
  std::move(c).submit().wait();
  CHECK(seen_by_b >= 1);
  CHECK(seen_by_c == 2);
  CHECK(given.is_done());
}

TEST_CASE("fills of elements of any size") {
  struct rgb { unsigned char r, g, b; };
  struct wide {
    double a;
    int b, c;
  };
  const tg::device gpu("emulator");
  auto work = tg::stream(gpu).begin();
  const auto filled = [&](auto value, auto equal) {
    tg::buffer<decltype(value)> all(gpu.context(), 33);
    work.zero(all);
    work.fill(all.part(1, 31), value);
    const auto out = [&] {
      std::vector<decltype(value)> v(33);
      work.copy(v, all);
      return v;
    }();
    for (std::size_t i = 0; i < 33; ++i)
      if (equal(out[i], value) != (i > 0 && i < 32)) return false;
    return true;
  };
  const auto same = [](auto a, auto b) { return a == b; };
  CHECK(filled(static_cast<unsigned char>(7), same));
  CHECK(filled(static_cast<short>(-3), same));
  CHECK(filled(1.5f, same));
  CHECK(filled(-2.25, same));
  CHECK(filled(rgb{1, 2, 3}, [](rgb a, rgb b) { return a.r == b.r && a.g == b.g && a.b == b.b; }));
  CHECK(filled(wide{1.0, 2, 3}, [](wide a, wide b) { return a.a == b.a && a.b == b.b && a.c == b.c; }));
}

TEST_CASE("copies of two sizes and to another device are refused: TG528, TG524") {
  auto api = hand_written::emulator_table();
  tg::device gpu("emulator"), other(tg::runtime::machine{&api});
  tg::buffer<int> a(gpu.context(), 4), b(gpu.context(), 5), far(other.context(), 4);
  auto work = tg::stream(gpu).begin();
  CHECK(error_of([&] { work.copy(a, b); }).says("TG528: copy of 5 elements to 4"));
  CHECK(error_of([&] { work.copy(a, std::vector<int>(3)); }).number == 528);
  CHECK(error_of([&] { work.copy(a, b.part(2, 4)); }).number == 528);
  CHECK(error_of([&] { work.copy(a, far); }).number == 524);
  CHECK(error_of([&] { work.copy(far, std::vector<int>(4)); }).number == 524);
  CHECK(error_of([&] { work.fill(far, 1); }).number == 524);
  CHECK(error_of([&] { work.zero(far); }).number == 524);
}

TEST_CASE("the plain handle of a stream works for streams of other libraries") {
  const tg::device gpu("emulator");
  auto& c = *gpu.context();
  tg::driver::stream_handle theirs = nullptr;
  c.call(c.api().cuStreamCreate, &theirs, tg::driver::stream_flag::non_blocking);
  tg::buffer<float> x(gpu.context(), 100), y(gpu.context(), 100);
  tg::stream_view view(gpu, theirs);
  view.fill(x, 1.0f);
  view.zero(y);
  view.launch(saxpy{}, tg::cover(100), x, y, 2.0f, 100);
  const tg::stream_view copy = view;
  copy.synchronize();
  CHECK(copy.is_done());
  CHECK(y.to_host()[99] == 2.0f);
  tg::stream_view legacy(gpu, nullptr);
  legacy.zero(y);
  CHECK(y.to_host()[0] == 0.0f);
  c.call(c.api().cuStreamDestroy, theirs);
}

TEST_CASE("an error of a kernel on a stream names the last launch on that stream") {
  static tg::driver::result now;
  now = tg::driver::result::success;
  auto api = hand_written::gpu_table();
  api.cuStreamSynchronize = [](tg::driver::stream_handle) { return now; };
  const tg::device gpu(tg::runtime::machine{&api});
  auto a = tg::stream(gpu).begin(), b = tg::stream(gpu).begin();
  gpu.context()->launched("first_of_a", {"a.cpp", 1}, a.native());
  gpu.context()->launched("guilty", {"a.cpp", 2}, a.native());
  gpu.context()->launched("innocent", {"b.cpp", 3}, b.native());
  auto going = std::move(a).submit();
  now = tg::driver::result::illegal_address;
  const auto wrong = error_of([&] { std::move(going).wait(); });
  CHECK(wrong.number == 508);
  CHECK(wrong.says("'guilty', the last of 2 launches on this stream"));
  CHECK(wrong.says("'first_of_a'"));
  CHECK(wrong.says("(a.cpp:2)"));
}

namespace {

/// Streams of the emulator run asynchronously while it lives, unless a GPU is used.
struct asynchronous {
  explicit asynchronous(std::uint64_t seed) { tg::emulator::run_streams_asynchronously(true, seed); }
  ~asynchronous() { tg::emulator::run_streams_asynchronously(false); }
};

}  // namespace

TEST_CASE(
    "plain copies and fills come before later work of non-blocking streams and after earlier, in whatever order it runs") {
  tg::device gpu("emulator");
  constexpr unsigned n = 256;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    CAPTURE(seed);
    const asynchronous order(seed);
    auto before = gpu.upload(std::vector<float>(n, 1.0f));
    auto work = tg::stream(gpu, {.is_non_blocking = true}).begin();
    auto y = gpu.zeros<float>(n);
    work.launch(saxpy{}, tg::cover(n), before, y, 2.0f, n);  // y = 2
    y.fill(10.0f);
    work.launch(saxpy{}, tg::cover(n), before, y, 3.0f, n);  // y = 13
    auto other = gpu.zeros<float>(n);
    other.copy_from(y);
    work.fill(y, -1.0f);
    CHECK(other.to_host() == std::vector<float>(n, 13.0f));
    auto going = std::move(work).submit();
    CHECK(y.to_host() == std::vector<float>(n, -1.0f));
    {
      auto last = tg::stream(gpu, {.is_non_blocking = true}).begin();
      last.fill(y, 5.0f);
    }
    CHECK(y.to_host()[0] == 5.0f);  // of a stream that has ended
    (void)std::move(going).wait();
  }
}

TEST_CASE("a planted missing wait between two streams is found with some seed, and its mended twin with none") {
  tg::device gpu("emulator");
  const auto before = tg::emulator::launch_options();
  tg::emulator::set_launch_options({});  // whose race checker would not let it run
  constexpr unsigned n = 64;
  int wrong = 0, wrong_when_mended = 0;
  for (std::uint64_t seed = 0; seed < 100; ++seed)
    for (const bool is_mended : {false, true}) {
      const asynchronous order(seed);
      auto x = gpu.zeros<float>(n), y = gpu.zeros<float>(n);
      auto first = tg::stream(gpu, {.is_non_blocking = true}).begin(),
           second = tg::stream(gpu, {.is_non_blocking = true}).begin();
      first.fill(x, 1.0f);
      tg::event done(gpu);
      first.record(done);
      if (is_mended) second.wait_for(done);
      second.launch(saxpy{}, tg::cover(n), x, y, 1.0f, n);
      const bool is_wrong = y.to_host() != std::vector<float>(n, 1.0f);
      (is_mended ? wrong_when_mended : wrong) += is_wrong;
    }
  CHECK(wrong > 10);
  CHECK(wrong_when_mended == 0);
  tg::emulator::set_launch_options(before);
}
