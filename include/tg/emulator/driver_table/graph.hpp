// The emulated driver's calls about graphs.
#pragma once

#include <algorithm>

#include <tg/emulator/driver_table/stream.hpp>

namespace tg::emulator::entry {

using driver::graph_exec_handle;
using driver::graph_node_handle;

/// A node's handle is the graph's and its number; it is good for counting and comparing.
inline result cuGraphGetNodes(graph_handle graph, graph_node_handle* nodes, std::size_t* count) {
  return guarded([&](machine& m) {
    require(count);
    const std::size_t all = m.graphs.at(graph)->nodes.size();
    if (nodes == nullptr) {
      *count = all;
      return;
    }
    for (std::size_t i = 0; i < *count; ++i)
      nodes[i] = i < all ? reinterpret_cast<graph_node_handle>((reinterpret_cast<std::uintptr_t>(graph) << 20) + i + 1)
                         : nullptr;
    *count = std::min(*count, all);
  });
}

inline result cuGraphInstantiateWithFlags(graph_exec_handle* out, graph_handle graph, unsigned long long) {
  return guarded([&](machine& m) {
    require(out);
    *out = m.executables.add(std::make_shared<entry::graph>(*m.graphs.at(graph)));
  });
}

inline result cuGraphLaunch(graph_exec_handle exec, stream_handle stream) {
  return guarded([&](machine& m) {
    submit(m, stream, [work = m.executables.at(exec)] {
      for (const auto& node : work->nodes) node();
    });
  });
}

inline result cuGraphExecDestroy(graph_exec_handle exec) {
  return guarded([&](machine& m) { m.executables.take(exec); });
}

inline result cuGraphDestroy(graph_handle graph) {
  return guarded([&](machine& m) { m.graphs.take(graph); });
}

}  // namespace tg::emulator::entry
