#include <tg/runtime/graph_definition.hpp>

#include "hand_written.hpp"

using hand_written::error_of;

TEST_CASE("a definition owns its graph and knows its nodes: TG535") {
  const tg::device gpu("emulator");
  auto& c = *gpu.context();
  tg::driver::graph_handle graph = nullptr;
  c.call(c.api().cuGraphCreate, &graph, 0u);
  auto token = std::make_shared<int>(0);
  {
    tg::runtime::graph_definition made(gpu.context(), graph);
    CHECK(made.nodes().empty());
    tg::driver::graph_node_handle node = nullptr;
    c.call(c.api().cuGraphAddEmptyNode, &node, graph, nullptr, std::size_t{0});
    CHECK(made.nodes() == tg::dynamic_array<tg::driver::graph_node_handle>{node});
    made.require(node, graph);
    CHECK(error_of([&] { made.require(nullptr, graph); }).number == 535);
    CHECK(error_of([&] { made.require(node, nullptr); }).number == 535);
    (*made.keep([token] { ++*token; }))();
    CHECK(*token == 1);
    CHECK(token.use_count() == 2);
  }
  CHECK(token.use_count() == 1);
  CHECK(c.attempt(c.api().cuGraphDestroy, graph) == tg::driver::result::invalid_handle);
}
