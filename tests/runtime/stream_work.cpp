#include <tg/runtime/stream_work.hpp>

#include <array>

#include <tg/runtime/managed.hpp>
#include <tg/runtime/stream.hpp>

#include "hand_written.hpp"

using hand_written::error_of;

TEST_CASE("copies go between all kinds of memory") {
  const tg::device gpu("emulator");
  tg::stream_view work(gpu, nullptr);
  tg::buffer<int> a(gpu.context(), 6), b(gpu.context(), 6);
  tg::managed<int> both(gpu, 6);
  tg::pinned<int> host(gpu, 6);
  for (std::size_t i = 0; i < 6; ++i) host[i] = static_cast<int>(i);
  const std::array<int, 6> expected{0, 1, 2, 3, 4, 5};
  std::array<int, 6> out{};
  work.copy(a, host);
  work.copy(both, a);
  work.copy(b.part(0, 3), both.whole().sub(0, 3));
  work.copy(b.part(3, 3), std::as_const(a).part(3, 3));
  work.copy(out, b);
  CHECK(out == expected);
  work.copy(std::span(out).first(2), b.part(4, 2));
  CHECK(out[1] == 5);
  std::fill(host.begin(), host.end(), 9);
  work.copy(host, b);
  work.synchronize();
  CHECK(std::equal(host.begin(), host.end(), expected.begin()));
  int few[2] = {7, 8};
  work.copy(b.part(1, 2), few);
  CHECK(b.to_host() == std::vector<int>{0, 7, 8, 3, 4, 5});
  work.copy(b.part(0, 0), std::vector<int>{});
  CHECK(error_of([&] { work.copy(b.part(0, 2), both.whole().sub(5, 2)); }).number == 528);
}

TEST_CASE("a stream of another context is refused: TG524") {
  const tg::device gpu("emulator");
  const auto& api = gpu.context()->api();
  tg::driver::context_handle other = nullptr;
  REQUIRE(api.cuCtxCreate(&other, 0, 0) == tg::driver::result::success);
  tg::driver::stream_handle theirs = nullptr;
  REQUIRE(api.cuStreamCreate(&theirs, tg::driver::stream_flag::default_) == tg::driver::result::success);
  CHECK(error_of([&] { tg::stream_view(gpu, theirs); }).says("TG524: a stream is of another context"));
  CHECK(error_of([&] { tg::stream_view(gpu, reinterpret_cast<tg::driver::stream_handle>(0x77)); }).number == 510);
  api.cuStreamDestroy(theirs);
  api.cuCtxDestroy(other);
}

TEST_CASE("a function of the host is called once, after the work before it") {
  const tg::device gpu("emulator");
  tg::stream_view work(gpu, nullptr);
  auto token = std::make_shared<int>(0);
  work.call([token] { ++*token; });
  work.synchronize();
  CHECK(*token == 1);
  CHECK(token.use_count() == 1);
}

TEST_CASE("a call of the host that the driver refuses is not kept") {
  auto api = hand_written::gpu_table();
  api.cuLaunchHostFunc = [](tg::driver::stream_handle, tg::driver::host_function, void*) {
    return tg::driver::result::invalid_value;
  };
  const tg::device gpu(tg::runtime::machine{&api});
  tg::stream_view work(gpu, nullptr);
  auto token = std::make_shared<int>(0);
  CHECK(error_of([&] { work.call([token] {}); }).number == 500);
  CHECK(token.use_count() == 1);
}

namespace {

/// A stream that another library captures.
struct foreign_capture {
  explicit foreign_capture(const tg::device& of, tg::driver::stream_flag flags = tg::driver::stream_flag::non_blocking)
      : api(of.context()->api()) {
    REQUIRE(api.cuStreamCreate(&stream, flags) == tg::driver::result::success);
    REQUIRE(api.cuStreamBeginCapture(stream, tg::driver::capture_mode::relaxed) == tg::driver::result::success);
  }
  foreign_capture(const foreign_capture&) = delete;
  foreign_capture& operator=(const foreign_capture&) = delete;
  ~foreign_capture() { api.cuStreamDestroy(stream); }

  /// Ends the capture. Returns: how many nodes its graph has; -1 for a capture that was broken.
  int end() const {
    tg::driver::graph_handle graph = nullptr;
    if (api.cuStreamEndCapture(stream, &graph) != tg::driver::result::success) return -1;
    std::size_t nodes = 0;
    api.cuGraphGetNodes(graph, nullptr, &nodes);
    api.cuGraphDestroy(graph);
    return static_cast<int>(nodes);
  }

  const tg::driver::table& api;
  tg::driver::stream_handle stream = nullptr;
};

}  // namespace

TEST_CASE("on a stream that another library captures, what a replay could not repeat is refused: TG533, TG544") {
  const tg::device gpu("emulator");
  tg::buffer<int> y(gpu.context(), 4), z(gpu.context(), 4);
  tg::pinned<int> kept(gpu, 4);
  std::vector<int> host{1, 2, 3, 4};
  const foreign_capture theirs(gpu);
  tg::stream_view work(gpu, theirs.stream);
  auto token = std::make_shared<int>(0);
  CHECK(error_of([&] { work.call([token] { ++*token; }); }).number == 533);
  CHECK(token.use_count() == 1);
  CHECK(error_of([&] { work.copy(y, host); }).number == 544);
  CHECK(error_of([&] { work.copy(host, y); }).number == 544);
  const auto wait = error_of([&] { work.synchronize(); });
  CHECK(wait.number == 533);
  CHECK(wait.says("cuStreamSynchronize(stream = 0x"));
  CHECK(error_of([&] { (void)work.is_done(); }).says("cuStreamQuery("));
  tg::event inside(gpu), outside(gpu);
  tg::stream_view(gpu, nullptr).record(outside);
  CHECK(error_of([&] { work.wait_for(outside); }).says("TG533: a captured stream cannot wait for an event"));
  work.record(inside);
  CHECK(error_of([&] { (void)inside.is_done(); }).number == 533);
  auto own = tg::stream(gpu).begin();
  CHECK(error_of([&] { own.wait_for(inside); }).says("TG533: a stream that is not captured"));
  work.fill(y, 7);
  work.copy(z, y);
  work.copy(kept, z);
  CHECK(theirs.end() == 3);
  CHECK(*token == 0);
  work.copy(y, host);  // the chunk that copies go through was not captured
  work.call([token] { ++*token; });
  work.synchronize();
  CHECK(*token == 1);
  CHECK(y.to_host() == host);
}

TEST_CASE("a stream of another library joins the capture of its event, and is asked again after the capture") {
  const tg::device gpu("emulator");
  tg::buffer<int> y(gpu.context(), 4);
  const foreign_capture theirs(gpu);
  tg::driver::stream_handle second = nullptr;
  REQUIRE(theirs.api.cuStreamCreate(&second, tg::driver::stream_flag::non_blocking) == tg::driver::result::success);
  tg::stream_view first_work(gpu, theirs.stream), second_work(gpu, second);
  tg::event forked(gpu), joined(gpu);
  first_work.record(forked);
  second_work.wait_for(forked);
  second_work.fill(y, 3);
  CHECK(error_of([&] { second_work.synchronize(); }).number == 533);
  second_work.record(joined);
  first_work.wait_for(joined);
  CHECK(theirs.end() == 1);
  second_work.record(joined);
  joined.synchronize();
  second_work.synchronize();
  theirs.api.cuStreamDestroy(second);
}

TEST_CASE("work on the legacy stream is refused while another library captures a blocking stream: TG533") {
  const tg::device gpu("emulator");
  std::vector<int> host(4);
  tg::buffer<int> y(gpu.context(), 4);
  const foreign_capture theirs(gpu, tg::driver::stream_flag::default_);
  tg::stream_view legacy(gpu, nullptr);
  tg::event e(gpu);
  CHECK(error_of([&] { legacy.synchronize(); }).says("TG533: work on the legacy stream would break the capture"));
  CHECK(error_of([&] { legacy.copy(y, host); }).number == 533);
  CHECK(error_of([&] { legacy.record(e); }).number == 533);
  CHECK(theirs.end() == 0);
  legacy.synchronize();
}
