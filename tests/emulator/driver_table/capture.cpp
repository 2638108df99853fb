#include <tg/emulator/driver_table/capture.hpp>

#include <tg/emulator/driver_table/copy.hpp>
#include <tg/emulator/driver_table/graph_exec.hpp>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

namespace {

struct stream_of_test {
  stream_of_test() { REQUIRE(api().cuStreamCreate(&handle, stream_flag::non_blocking) == result::success); }
  ~stream_of_test() { api().cuStreamDestroy(handle); }
  stream_handle handle = nullptr;
};

}  // namespace

TEST_CASE("a capture tells what it has and lets its dependencies be changed") {
  const driver_session::context c;
  const driver_session::words w(4);
  const stream_of_test s;
  REQUIRE(cuStreamBeginCapture_v1(s.handle) == result::success);
  CHECK(cuMemsetD32Async(w.address, 1, 1, s.handle) == result::success);
  CHECK(cuMemsetD32Async(w.address, 2, 1, s.handle) == result::success);
  capture_status status{};
  std::uint64_t number = 0;
  graph_handle graph = nullptr;
  const graph_node_handle* after = nullptr;
  std::size_t count = 0;
  CHECK(cuStreamGetCaptureInfo_v2(s.handle, &status, &number, &graph, &after, &count) == result::success);
  CHECK(status == capture_status::active);
  CHECK(number > 0);
  REQUIRE(count == 1);
  const graph_node_handle last = after[0];
  CHECK(cuStreamUpdateCaptureDependencies(s.handle, nullptr, 0, 1) == result::success);
  CHECK(cuMemsetD32Async(w.address + 4, 3, 1, s.handle) == result::success);
  CHECK(cuStreamUpdateCaptureDependencies(s.handle, &last, 1, 0) == result::success);
  CHECK(api().cuStreamEndCapture(s.handle, &graph) == result::success);
  std::size_t roots = 0, edges = 0;
  CHECK(cuGraphGetRootNodes(graph, nullptr, &roots) == result::success);
  CHECK(roots == 2);
  CHECK(cuGraphGetEdges(graph, nullptr, nullptr, &edges) == result::success);
  CHECK(edges == 1);
  CHECK(api().cuGraphDestroy(graph) == result::success);
  CHECK(cuStreamGetCaptureInfo(s.handle, &status, &number) == result::success);
  CHECK(status == capture_status::none);
  CHECK(cuStreamUpdateCaptureDependencies(s.handle, nullptr, 0, 0) == result::illegal_state);
}

TEST_CASE("branches of a capture are branches of its graph") {
  const driver_session::context c;
  const driver_session::words w(4);
  const stream_of_test s, side;
  event_handle fork = nullptr, join = nullptr;
  REQUIRE(api().cuEventCreate(&fork, event_flag::default_) == result::success);
  REQUIRE(api().cuEventCreate(&join, event_flag::default_) == result::success);
  REQUIRE(api().cuStreamBeginCapture(s.handle, capture_mode::global) == result::success);
  CHECK(cuMemsetD32Async(w.address, 1, 4, s.handle) == result::success);
  CHECK(api().cuEventRecord(fork, s.handle) == result::success);
  CHECK(api().cuStreamWaitEvent(side.handle, fork, 0) == result::success);
  CHECK(cuMemsetD32Async(w.address, 2, 1, side.handle) == result::success);
  CHECK(cuMemsetD32Async(w.address + 4, 3, 1, s.handle) == result::success);
  CHECK(api().cuEventRecord(join, side.handle) == result::success);
  CHECK(api().cuStreamWaitEvent(s.handle, join, 0) == result::success);
  CHECK(api().cuMemcpyDtoDAsync(w.address + 8, w.address, 8, s.handle) == result::success);
  graph_handle graph = nullptr;
  REQUIRE(api().cuStreamEndCapture(s.handle, &graph) == result::success);
  std::size_t edges = 0;
  CHECK(cuGraphGetEdges(graph, nullptr, nullptr, &edges) == result::success);
  CHECK(edges == 4);  // a diamond
  tg::driver::graph_exec_handle exec = nullptr;
  REQUIRE(api().cuGraphInstantiateWithFlags(&exec, graph, 0) == result::success);
  CHECK(api().cuGraphLaunch(exec, s.handle) == result::success);
  CHECK(w.read() == std::vector<unsigned>{2, 3, 2, 3});
  CHECK(api().cuGraphExecDestroy(exec) == result::success);
  CHECK(api().cuGraphDestroy(graph) == result::success);
  CHECK(api().cuEventDestroy(fork) == result::success);
  CHECK(api().cuEventDestroy(join) == result::success);
}

TEST_CASE("a capture goes on in a graph that is there, and a thread may excuse its own calls") {
  const driver_session::context c;
  const driver_session::words w(4);
  const stream_of_test s;
  graph_handle graph = nullptr, same = nullptr;
  graph_node_handle first = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == result::success);
  CHECK(cuGraphAddEmptyNode(&first, graph, nullptr, 0) == result::success);
  REQUIRE(cuStreamBeginCaptureToGraph(s.handle, graph, &first, nullptr, 1, capture_mode::global) == result::success);
  CHECK(cuMemsetD32Async(w.address, 1, 4, s.handle) == result::success);
  capture_mode mode = capture_mode::relaxed;
  CHECK(cuThreadExchangeStreamCaptureMode(&mode) == result::success);
  CHECK(mode == capture_mode::global);
  CHECK(cuMemsetD32(w.address, 5, 4) == result::success);
  CHECK(cuThreadExchangeStreamCaptureMode(&mode) == result::success);
  CHECK(api().cuStreamEndCapture(s.handle, &same) == result::success);
  CHECK(same == graph);
  std::size_t count = 0;
  CHECK(api().cuGraphGetNodes(graph, nullptr, &count) == result::success);
  CHECK(count == 2);
  CHECK(api().cuGraphDestroy(graph) == result::success);
}
