// Graphs node by node.
#pragma once

#include <tg/runtime/graph.hpp>

#include <tg/base/config.hpp>

namespace tg {

TG_LIBRARY_FUNCTION graph_node graph_place::call(callable function) {
  const driver::host_node_parameters p{[](void* data) { runtime::call_on_driver_thread(*static_cast<callable*>(data)); },
                                       home_->keep(std::move(function))};
  return add(c().api().cuGraphAddHostNode, &p);
}

TG_LIBRARY_FUNCTION graph_node graph_place::embed(const graph& other) {
  runtime::require_here(c(), other.made().context().get(), "the graph");
  const graph_node out = add(c().api().cuGraphAddChildGraphNode, other.native());
  home_->keep_with(other.made_);
  return out;
}

TG_LIBRARY_FUNCTION graph_node graph_place::join() { return add(c().api().cuGraphAddEmptyNode); }

}  // namespace tg
