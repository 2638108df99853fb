#include <tg/emulator/driver_table/graph_nodes.hpp>

#include <tg/emulator/driver_table/graph_exec.hpp>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

TEST_CASE("nodes run in an order that their edges allow, whatever the order of their making") {
  const driver_session::context c;
  const driver_session::words w(2);
  graph_handle graph = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == result::success);
  const auto fill = [&](unsigned value) {
    const tg::driver::set_node_parameters p{w.address, 0, value, 4, 2, 1};
    graph_node_handle n = nullptr;
    CHECK(cuGraphAddMemsetNode(&n, graph, nullptr, 0, &p, c.handle) == result::success);
    return n;
  };
  const graph_node_handle late = fill(1), early = fill(2);
  CHECK(cuGraphAddDependencies(graph, &early, &late, 1) == result::success);
  CHECK(cuGraphAddDependencies(graph, &early, &late, 1) == result::invalid_value);  // twice
  tg::driver::graph_exec_handle exec = nullptr;
  REQUIRE(api().cuGraphInstantiateWithFlags(&exec, graph, 0) == result::success);
  CHECK(api().cuGraphLaunch(exec, nullptr) == result::success);
  CHECK(w.read()[0] == 1);
  CHECK(api().cuGraphExecDestroy(exec) == result::success);

  CHECK(cuGraphAddDependencies(graph, &late, &early, 1) == result::success);
  CHECK(api().cuGraphInstantiateWithFlags(&exec, graph, 0) == result::invalid_value);  // a cycle
  CHECK(cuGraphRemoveDependencies(graph, &late, &early, 1) == result::success);
  CHECK(cuGraphRemoveDependencies(graph, &late, &early, 1) == result::invalid_value);

  graph_handle copy = nullptr;
  graph_node_handle twin = nullptr;
  CHECK(cuGraphClone(&copy, graph) == result::success);
  CHECK(cuGraphNodeFindInClone(&twin, late, copy) == result::success);
  CHECK(twin != late);
  CHECK(cuGraphNodeFindInClone(&twin, twin, copy) == result::invalid_value);
  CHECK(cuGraphDestroyNode(early) == result::success);
  std::size_t count = 9;
  CHECK(cuGraphNodeGetDependencies(late, nullptr, &count) == result::success);
  CHECK(count == 0);
  CHECK(api().cuGraphGetNodes(copy, nullptr, &count) == result::success);
  CHECK(count == 2);
  CHECK(api().cuGraphDestroy(graph) == result::success);
  CHECK(api().cuGraphDestroy(copy) == result::success);
}

TEST_CASE("an object of the program lives as long as a graph keeps it") {
  const driver_session::context c;
  static int ended;
  ended = 0;
  graph_handle graph = nullptr;
  tg::driver::user_object_handle object = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == result::success);
  CHECK(cuUserObjectCreate(&object, &ended, [](void* p) { ++*static_cast<int*>(p); }, 1, 1) == result::success);
  CHECK(cuGraphRetainUserObject(graph, object, 1, 0) == result::success);
  CHECK(cuUserObjectRelease(object, 1) == result::success);
  CHECK(ended == 0);
  CHECK(api().cuGraphDestroy(graph) == result::success);
  CHECK(ended == 1);
  CHECK(cuUserObjectRelease(object, 1) == result::invalid_handle);
}
