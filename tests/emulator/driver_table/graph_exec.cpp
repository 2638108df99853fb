#include <tg/emulator/driver_table/graph_exec.hpp>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

namespace {

/// One fill of the words with a value.
struct fill_graph {
  fill_graph(const driver_session::words& w, unsigned value) : set{w.address, 0, value, 4, w.count, 1} {
    REQUIRE(cuGraphCreate(&handle, 0) == result::success);
    REQUIRE(cuGraphAddMemsetNode(&node, handle, nullptr, 0, &set, nullptr) == result::success);
  }
  ~fill_graph() { api().cuGraphDestroy(handle); }
  set_node_parameters set;
  graph_handle handle = nullptr;
  graph_node_handle node = nullptr;
};

}  // namespace

TEST_CASE("an executable graph is changed node by node, switched off, or as a whole") {
  const driver_session::context c;
  const driver_session::words w(3);
  fill_graph first(w, 1), second(w, 2);
  graph_exec_handle exec = nullptr;
  REQUIRE(api().cuGraphInstantiateWithFlags(&exec, first.handle, 8) == result::success);
  std::uint64_t flags = 0;
  CHECK(cuGraphExecGetFlags(exec, &flags) == result::success);
  CHECK(flags == 8);
  const auto launched = [&] {
    CHECK(api().cuGraphLaunch(exec, nullptr) == result::success);
    return w.read()[2];
  };
  CHECK(launched() == 1);
  first.set.value = 9;
  CHECK(cuGraphExecMemsetNodeSetParams(exec, first.node, &first.set, nullptr) == result::success);
  CHECK(launched() == 9);
  CHECK(cuGraphExecMemsetNodeSetParams(exec, second.node, &first.set, nullptr) == result::invalid_value);
  tg::driver::update_info info{};
  CHECK(cuGraphExecUpdate_v2(exec, second.handle, &info) == result::success);
  CHECK(launched() == 2);

  CHECK(cuGraphExecMemsetNodeSetParams(exec, first.node, &first.set, nullptr) == result::success);
  CHECK(cuGraphNodeSetEnabled(exec, first.node, 0) == result::success);
  unsigned is_enabled = 1;
  CHECK(cuGraphNodeGetEnabled(exec, first.node, &is_enabled) == result::success);
  CHECK(is_enabled == 0);
  CHECK(launched() == 2);

  graph_node_handle more = nullptr;
  CHECK(cuGraphAddEmptyNode(&more, second.handle, &second.node, 1) == result::success);
  CHECK(cuGraphExecUpdate_v2(exec, second.handle, &info) == result::graph_exec_update_failure);
  CHECK(info.result == tg::driver::update_result::error_topology_changed);
  CHECK(api().cuGraphExecDestroy(exec) == result::success);
}

TEST_CASE("one call adds a node of any kind") {
  const driver_session::context c;
  const driver_session::words w(3);
  graph_handle graph = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == result::success);
  tg::driver::node_parameters p{};
  p.type = node_type::memset;
  p.set = {w.address, 0, 4, 4, 3, 1};
  graph_node_handle a = nullptr, b = nullptr;
  CHECK(cuGraphAddNode(&a, graph, nullptr, 0, &p) == result::success);
  p.type = node_type::empty;
  CHECK(cuGraphAddNode_v2(&b, graph, &a, nullptr, 1, &p) == result::success);
  p.type = node_type::batch_mem_op;
  CHECK(cuGraphAddNode(&b, graph, nullptr, 0, &p) == result::not_supported);
  tg::driver::instantiate_parameters how{};
  graph_exec_handle exec = nullptr;
  CHECK(cuGraphInstantiateWithParams(&exec, graph, &how) == result::success);
  CHECK(cuGraphUpload(exec, nullptr) == result::success);
  CHECK(api().cuGraphLaunch(exec, nullptr) == result::success);
  CHECK(w.read()[0] == 4);
  CHECK(api().cuGraphExecDestroy(exec) == result::success);
  CHECK(api().cuGraphDestroy(graph) == result::success);
}
