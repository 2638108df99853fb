#include <tg/emulator/driver_table/graph.hpp>

#include <numeric>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using tg::driver::graph_exec_handle;
using tg::driver::graph_handle;
using tg::driver::graph_node_handle;

TEST_CASE("a captured sequence runs again and again as it ran at once") {
  const driver_session::context c;
  const driver_session::module m;
  const auto add = m.find("add");
  const driver_session::words eager(100), replayed(100);
  tg::driver::stream_handle s = nullptr;
  REQUIRE(api().cuStreamCreate(&s, tg::driver::stream_flag::non_blocking) == result::success);
  const auto sequence = [&](const driver_session::words& w) {
    CHECK(driver_session::launch(add, w, 3, s) == result::success);
    CHECK(api().cuMemcpyDtoDAsync(w.address + 4, w.address, 200, s) == result::success);
    CHECK(driver_session::launch(add, w, 4, s) == result::success);
  };
  for (int i = 0; i < 3; ++i) sequence(eager);

  graph_handle graph = nullptr;
  REQUIRE(api().cuStreamBeginCapture(s, tg::driver::capture_mode::global) == result::success);
  sequence(replayed);
  REQUIRE(api().cuStreamEndCapture(s, &graph) == result::success);
  graph_exec_handle exec = nullptr;
  CHECK(api().cuGraphInstantiateWithFlags(&exec, graph, 0) == result::success);
  std::size_t count = 0;
  CHECK(api().cuGraphGetNodes(graph, nullptr, &count) == result::success);
  CHECK(count == 3);
  graph_node_handle nodes[5] = {};
  count = 5;
  CHECK(api().cuGraphGetNodes(graph, nodes, &count) == result::success);
  CHECK(count == 3);
  CHECK(nodes[2] != nullptr);
  CHECK(nodes[3] == nullptr);
  CHECK(api().cuGraphDestroy(graph) == result::success);
  for (int i = 0; i < 3; ++i) CHECK(api().cuGraphLaunch(exec, s) == result::success);
  CHECK(replayed.read() == eager.read());
  CHECK(eager.read()[0] == 21);

  CHECK(api().cuGraphExecDestroy(exec) == result::success);
  CHECK(api().cuGraphLaunch(exec, s) == result::invalid_handle);
  CHECK(api().cuGraphDestroy(graph) == result::invalid_handle);
  CHECK(api().cuStreamDestroy(s) == result::success);
}

TEST_CASE("a node that fails fails its launch") {
  const driver_session::context c;
  const driver_session::words w(4);
  tg::driver::stream_handle s = nullptr;
  REQUIRE(api().cuStreamCreate(&s, tg::driver::stream_flag::non_blocking) == result::success);
  graph_handle graph = nullptr;
  graph_exec_handle exec = nullptr;
  REQUIRE(api().cuStreamBeginCapture(s, tg::driver::capture_mode::global) == result::success);
  CHECK(api().cuMemsetD32Async(w.address, 1, 5, s) == result::success);
  REQUIRE(api().cuStreamEndCapture(s, &graph) == result::success);
  REQUIRE(api().cuGraphInstantiateWithFlags(&exec, graph, 0) == result::success);
  CHECK(api().cuGraphLaunch(exec, s) == result::invalid_value);
  CHECK(api().cuGraphExecDestroy(exec) == result::success);
  CHECK(api().cuGraphDestroy(graph) == result::success);
  CHECK(api().cuStreamDestroy(s) == result::success);
}
