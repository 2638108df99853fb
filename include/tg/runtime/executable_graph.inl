// Updates and replays of graphs.
#pragma once

#include <tg/runtime/executable_graph.hpp>

#include <tg/base/config.hpp>

namespace tg {

TG_LIBRARY_FUNCTION executable_graph graph::instantiate() const {
  made();
  return {device_, made_};
}

}  // namespace tg

namespace tg {
namespace runtime {

TG_LIBRARY_FUNCTION driver::graph_exec_handle instantiate(const graph_definition& from) {
  driver::graph_exec_handle out = nullptr;
  from.context()->call(from.context()->api().cuGraphInstantiateWithFlags, &out, from.native(), 0ull);
  return out;
}

TG_LIBRARY_FUNCTION std::string text_of(driver::update_result r) {
  static constexpr std::array<const char*, 7> texts{"nothing is wrong",
                                                    "the driver refuses",
                                                    "its dependencies or number of nodes differ",
                                                    "a node is of another kind",
                                                    "a kernel is of another module",
                                                    "its parameters cannot be changed",
                                                    "the driver cannot change it"};
  const auto i = static_cast<std::size_t>(r);
  return i < texts.size() ? texts[i] : "result " + std::to_string(i);
}

TG_LIBRARY_FUNCTION std::string kind_of(context& c, driver::graph_node_handle node) {
  driver::node_type type{};
  if (c.attempt(c.api().cuGraphNodeGetType, node, &type) != driver::result::success) return "a node";
  switch (type) {
    case driver::node_type::kernel: return "a kernel";
    case driver::node_type::memcpy: return "a copy";
    case driver::node_type::memset: return "a fill";
    case driver::node_type::host: return "a call of the host";
    case driver::node_type::graph: return "a graph";
    case driver::node_type::empty: return "a join";
    default: return "a node";
  }
}

}  // namespace runtime
}  // namespace tg

namespace tg {

TG_LIBRARY_FUNCTION void executable_graph::update(const graph& other) {
  runtime::require_here(c(), other.made().context().get(), "the graph");
  driver::update_info info{};
  const driver::result r = c().attempt(c().api().cuGraphExecUpdate, native_, other.native(), &info);
  if (r == driver::result::success) {
    if (other.made_ != from_) from_->keep_with(other.made_);
    return;
  }
  if (r != driver::result::graph_exec_update_failure) c().fail(r, "update of a graph");
  const auto nodes = other.made().nodes();
  const auto at = std::ranges::find(nodes, info.node ? info.node : info.from_node);
  throw error(
      runtime::graph_changed,
      "a graph cannot replace the one that was instantiated: " + runtime::text_of(info.result) +
          (at == nodes.end() ? "" : ", at node " + std::to_string(at - nodes.begin()) + ", " + runtime::kind_of(c(), *at)),
      "instantiate it anew");
}

TG_LIBRARY_FUNCTION void stream_work::replay(const executable_graph& graph) {
  runtime::require_here(c(), graph.device().context().get(), "the graph");
  const driver::result r = c().attempt(c().api().cuGraphLaunch, graph.native(), stream_);
  if (r != driver::result::success) [[unlikely]]
    c().fail(r, "replay of a graph", {}, stream_);
  c().launched("a graph", {}, stream_);
}

}  // namespace tg
