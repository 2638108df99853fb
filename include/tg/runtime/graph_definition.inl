// The nodes of a graph and the functions of the host that they call.
#pragma once

#include <tg/runtime/graph_definition.hpp>

#include <tg/base/config.hpp>
#include <tg/base/dynamic_array.hpp>

namespace tg::runtime {

TG_LIBRARY_FUNCTION dynamic_array<driver::graph_node_handle> graph_definition::nodes() const {
  std::size_t count = 0;
  const auto get = [&](driver::graph_node_handle* to) { context_->call(context_->api().cuGraphGetNodes, native_, to, &count); };
  get(nullptr);
  dynamic_array<driver::graph_node_handle> out(count);
  if (count > 0) get(out.data());
  return out;
}

TG_LIBRARY_FUNCTION void graph_definition::require(driver::graph_node_handle node, driver::graph_handle home) const {
  if (node == nullptr || home != native_) [[unlikely]]
    throw error(foreign_node, node ? "a node of one graph is used in another" : "an empty node is used in a graph",
                "use nodes that this graph's calls returned");
}

TG_LIBRARY_FUNCTION callable* graph_definition::keep(callable function) {
  return functions_.emplace_back(std::make_unique<callable>(std::move(function))).get();
}

TG_LIBRARY_FUNCTION std::shared_ptr<graph_definition> own_graph(const std::shared_ptr<context>& on,
                                                                driver::graph_handle native) {
  return std::make_shared<graph_definition>(on, native);
}

TG_LIBRARY_FUNCTION std::shared_ptr<graph_definition> make_graph(const std::shared_ptr<context>& on) {
  driver::graph_handle made = nullptr;
  on->call(on->api().cuGraphCreate, &made, 0u);
  return own_graph(on, made);
}

TG_LIBRARY_FUNCTION void graph_definition::keep_with(std::shared_ptr<graph_definition> other) {
  embedded_.push_back(std::move(other));
}

TG_LIBRARY_FUNCTION std::size_t graph_definition::size() const { return nodes().size(); }

}  // namespace tg::runtime
