#include <tg/emulator/driver_table/graph_node.hpp>

#include <tg/emulator/driver_table/copy.hpp>
#include <tg/emulator/driver_table/graph_exec.hpp>

#include "session.hpp"

using driver_session::api;
using driver_session::result;
using namespace tg::emulator::entry;

TEST_CASE("every kind of node keeps its parameters and does its work") {
  const driver_session::context c;
  const driver_session::module m;
  const driver_session::words w(8);
  graph_handle graph = nullptr, inner = nullptr, held = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == result::success);
  REQUIRE(cuGraphCreate(&inner, 0) == result::success);
  graph_node_handle fill = nullptr, kernel = nullptr, copy = nullptr, host = nullptr, child = nullptr, empty = nullptr;

  const set_node_parameters set{w.address, 0, 5, 4, 8, 1};
  CHECK(cuGraphAddMemsetNode(&fill, graph, nullptr, 0, &set, c.handle) == result::success);
  unsigned value = 2, n = 8;
  device_address to = w.address;
  void* parameters[] = {&to, &value, &n};
  kernel_node_parameters launch{};
  launch.function = m.find("add");
  launch.grid_x = launch.grid_y = launch.grid_z = launch.block_y = launch.block_z = 1;
  launch.block_x = 32;
  launch.parameters = parameters;
  CHECK(cuGraphAddKernelNode(&kernel, graph, &fill, 1, &launch) == result::success);
  value = 100;  // the node has its own copy
  kernel_node_parameters got{};
  CHECK(cuGraphKernelNodeGetParams_v2(kernel, &got) == result::success);
  CHECK(got.block_x == 32);
  CHECK(*static_cast<unsigned*>(got.parameters[1]) == 2);
  CHECK(cuGraphMemsetNodeGetParams(kernel, nullptr) == result::invalid_value);
  set_node_parameters other{};
  CHECK(cuGraphMemsetNodeGetParams(kernel, &other) == result::invalid_value);

  unsigned out[8] = {};
  const copy_work down = download(out, w.address, sizeof out);
  CHECK(cuGraphAddMemcpyNode(&copy, inner, nullptr, 0, &down.copy, c.handle) == result::success);
  CHECK(cuGraphAddChildGraphNode(&child, graph, &kernel, 1, inner) == result::success);
  CHECK(cuGraphChildGraphNodeGetGraph(child, &held) == result::success);
  CHECK(held != inner);
  CHECK(api().cuGraphDestroy(held) == result::invalid_value);
  static unsigned seen;
  const host_node_parameters call{[](void* p) { seen = static_cast<unsigned*>(p)[7]; }, out};
  CHECK(cuGraphAddHostNode(&host, graph, &child, 1, &call) == result::success);
  CHECK(cuGraphAddEmptyNode(&empty, graph, &host, 1) == result::success);
  node_type type{};
  CHECK(cuGraphNodeGetType(child, &type) == result::success);
  CHECK(type == node_type::graph);

  tg::driver::graph_exec_handle exec = nullptr;
  REQUIRE(cuGraphInstantiate(&exec, graph, nullptr, nullptr, 0) == result::success);
  CHECK(api().cuGraphLaunch(exec, nullptr) == result::success);
  CHECK(api().cuStreamSynchronize(nullptr) == result::success);
  CHECK(seen == 7);
  CHECK(out[0] == 7);
  CHECK(api().cuGraphExecDestroy(exec) == result::success);
  CHECK(api().cuGraphDestroy(graph) == result::success);
  CHECK(cuGraphNodeGetType(child, &type) == result::invalid_handle);
  CHECK(api().cuGraphDestroy(inner) == result::success);
}

TEST_CASE("memory that a node gives lives as long as its graph") {
  const driver_session::context c;
  graph_handle graph = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == result::success);
  tg::driver::allocation_node_parameters p{};
  p.bytes = 64;
  graph_node_handle give = nullptr, fill = nullptr, take = nullptr;
  CHECK(cuGraphAddMemAllocNode(&give, graph, nullptr, 0, &p) == result::success);
  const set_node_parameters set{p.address, 0, 1, 4, 16, 1};
  CHECK(cuGraphAddMemsetNode(&fill, graph, &give, 1, &set, c.handle) == result::success);
  CHECK(cuGraphAddMemFreeNode(&take, graph, &fill, 1, p.address) == result::success);
  CHECK(cuGraphAddMemFreeNode(&take, graph, &fill, 1, p.address + 4) == result::invalid_value);
  unsigned word = 0;
  CHECK(api().cuMemcpyDtoH(&word, p.address, 4) == result::success);
  CHECK(api().cuGraphDestroy(graph) == result::success);
  CHECK(api().cuMemcpyDtoH(&word, p.address, 4) == result::invalid_value);
}

TEST_CASE("a node that fills takes no memory of a pool, a captured fill does") {
  const driver_session::context c;
  const driver_session::words w(16);
  device_address pooled = 0;
  REQUIRE(api().cuMemAllocAsync(&pooled, 64, nullptr) == result::success);
  graph_handle graph = nullptr;
  REQUIRE(api().cuGraphCreate(&graph, 0) == result::success);
  graph_node_handle node = nullptr;
  set_node_parameters p{pooled, 0, 7, 4, 16, 1};
  CHECK(api().cuGraphAddMemsetNode(&node, graph, nullptr, 0, &p, c.handle) == result::invalid_value);
  p.to = w.address;
  CHECK(api().cuGraphAddMemsetNode(&node, graph, nullptr, 0, &p, c.handle) == result::success);
  CHECK(api().cuGraphDestroy(graph) == result::success);
  CHECK(api().cuMemFreeAsync(pooled, nullptr) == result::success);
}
