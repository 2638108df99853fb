// The emulated driver's graphs: making them of nodes and asking what they are made of.
#pragma once

#include <tg/emulator/driver_table/launch.hpp>
#include <tg/emulator/driver_table/pool.hpp>
#include <tg/emulator/driver_table/stream_work.hpp>

namespace tg::emulator::entry {

inline result cuGraphCreate(graph_handle* out, unsigned flags) {
  return guarded([&](machine& m) {
    require(out && flags == 0);
    *out = m.graphs.add(std::make_shared<graph>(graph{top_context(), {}, {}, false}));
  });
}

inline result cuGraphDestroy(graph_handle graph) {
  return guarded([&](machine& m) {
    require(!m.graphs.at(graph)->is_child);
    remove_graph(m, graph);
  });
}

inline result cuGraphClone(graph_handle* out, graph_handle from) {
  return guarded([&](machine& m) {
    require(out);
    *out = clone(m, from, false);
  });
}

inline result cuGraphNodeFindInClone(graph_node_handle* out, graph_node_handle original, graph_handle clone) {
  return guarded([&](machine& m) {
    require(out);
    for (const graph_node_handle n : m.graphs.at(clone)->nodes)
      if (m.nodes.at(n)->original == original) {
        *out = n;
        return;
      }
    throw refused{result::invalid_value};
  });
}

/// Gives a list as the driver does: its length, or as much of it as there is room for, null behind its end.
template <class T> void give(std::span<const T> all, T* out, std::size_t* count) {
  require(count);
  if (out != nullptr) {
    for (std::size_t i = 0; i < *count; ++i) out[i] = i < all.size() ? all[i] : T{};
    *count = std::min(*count, all.size());
  } else {
    *count = all.size();
  }
}

inline result cuGraphGetNodes(graph_handle graph, graph_node_handle* nodes, std::size_t* count) {
  return guarded([&](machine& m) { give<graph_node_handle>(m.graphs.at(graph)->nodes, nodes, count); });
}

inline result cuGraphGetRootNodes(graph_handle graph, graph_node_handle* nodes, std::size_t* count) {
  return guarded([&](machine& m) {
    dynamic_array<graph_node_handle> roots;
    for (const graph_node_handle n : m.graphs.at(graph)->nodes)
      if (m.nodes.at(n)->after.empty()) roots.push_back(n);
    give<graph_node_handle>(roots, nodes, count);
  });
}

inline result cuGraphGetEdges_v2(graph_handle graph, graph_node_handle* from, graph_node_handle* to, driver::edge_data* data,
                                 std::size_t* count) {
  return guarded([&](machine& m) {
    require(count && (from == nullptr) == (to == nullptr));
    dynamic_array<graph_node_handle> begins, ends;
    for (const graph_node_handle n : m.graphs.at(graph)->nodes)
      for (const graph_node_handle d : m.nodes.at(n)->after) {
        begins.push_back(d);
        ends.push_back(n);
      }
    std::size_t room = *count;
    if (data && from) std::fill_n(data, room, driver::edge_data{});
    give<graph_node_handle>(begins, from, count);
    give<graph_node_handle>(ends, to, from ? &room : count);
  });
}
inline result cuGraphGetEdges(graph_handle graph, graph_node_handle* from, graph_node_handle* to, std::size_t* count) {
  return cuGraphGetEdges_v2(graph, from, to, nullptr, count);
}

inline result cuGraphNodeGetDependencies_v2(graph_node_handle node, graph_node_handle* out, driver::edge_data* data,
                                            std::size_t* count) {
  return guarded([&](machine& m) {
    require(count);
    if (data && out) std::fill_n(data, *count, driver::edge_data{});
    give<graph_node_handle>(m.nodes.at(node)->after, out, count);
  });
}
inline result cuGraphNodeGetDependencies(graph_node_handle node, graph_node_handle* out, std::size_t* count) {
  return cuGraphNodeGetDependencies_v2(node, out, nullptr, count);
}

inline result cuGraphNodeGetDependentNodes_v2(graph_node_handle node, graph_node_handle* out, driver::edge_data* data,
                                              std::size_t* count) {
  return guarded([&](machine& m) {
    require(count);
    if (data && out) std::fill_n(data, *count, driver::edge_data{});
    dynamic_array<graph_node_handle> later;
    for (const graph_node_handle n : m.graphs.at(m.nodes.at(node)->home)->nodes)
      if (std::ranges::find(m.nodes.at(n)->after, node) != m.nodes.at(n)->after.end()) later.push_back(n);
    give<graph_node_handle>(later, out, count);
  });
}
inline result cuGraphNodeGetDependentNodes(graph_node_handle node, graph_node_handle* out, std::size_t* count) {
  return cuGraphNodeGetDependentNodes_v2(node, out, nullptr, count);
}

inline result cuGraphNodeGetType(graph_node_handle node, node_type* type) {
  return guarded([&](machine& m) {
    require(type);
    *type = type_of(m.nodes.at(node)->work);
  });
}

inline result cuGraphDestroyNode(graph_node_handle node) {
  return guarded([&](machine& m) { remove_node(m, node); });
}

inline result cuGraphAddDependencies(graph_handle graph, const graph_node_handle* from, const graph_node_handle* to,
                                     std::size_t count) {
  return guarded([&](machine& m) {
    require((from && to) || count == 0);
    m.graphs.at(graph);
    require_nodes(m, graph, {from, count});
    require_nodes(m, graph, {to, count});
    for (std::size_t i = 0; i < count; ++i) {
      auto& after = m.nodes.at(to[i])->after;
      require(from[i] != to[i] && std::ranges::find(after, from[i]) == after.end());
      after.push_back(from[i]);
    }
  });
}
inline result cuGraphAddDependencies_v2(graph_handle graph, const graph_node_handle* from, const graph_node_handle* to,
                                        const driver::edge_data*, std::size_t count) {
  return cuGraphAddDependencies(graph, from, to, count);
}

inline result cuGraphRemoveDependencies(graph_handle graph, const graph_node_handle* from, const graph_node_handle* to,
                                        std::size_t count) {
  return guarded([&](machine& m) {
    require((from && to) || count == 0);
    m.graphs.at(graph);
    require_nodes(m, graph, {to, count});
    for (std::size_t i = 0; i < count; ++i) require(tg::erase(m.nodes.at(to[i])->after, from[i]) == 1);
  });
}
inline result cuGraphRemoveDependencies_v2(graph_handle graph, const graph_node_handle* from, const graph_node_handle* to,
                                           const driver::edge_data*, std::size_t count) {
  return cuGraphRemoveDependencies(graph, from, to, count);
}

inline result cuUserObjectCreate(driver::user_object_handle* out, void* data, driver::host_function destroy, unsigned count,
                                 unsigned flags) {
  return guarded([&](machine& m) {
    require(out && destroy && count > 0 && flags == 1);
    *out = m.user_objects.add(std::make_shared<user_object>(user_object{data, destroy, count}));
  });
}
inline result cuUserObjectRetain(driver::user_object_handle object, unsigned count) {
  return guarded([&](machine& m) { m.user_objects.at(object)->count += count; });
}
inline result cuUserObjectRelease(driver::user_object_handle object, unsigned count) {
  return guarded([&](machine& m) { release_user_object(m, object, count); });
}
inline result cuGraphRetainUserObject(graph_handle graph, driver::user_object_handle object, unsigned count, unsigned flags) {
  return guarded([&](machine& m) {
    const auto g = m.graphs.at(graph);
    if ((flags & 1) == 0) m.user_objects.at(object)->count += count;
    g->kept.emplace_back(object, count);
  });
}
inline result cuGraphReleaseUserObject(graph_handle graph, driver::user_object_handle object, unsigned count) {
  return guarded([&](machine& m) {
    auto& kept = m.graphs.at(graph)->kept;
    const auto found = std::ranges::find(kept, std::pair{object, count});
    require(found != kept.end());
    kept.erase(found);
    release_user_object(m, object, count);
  });
}

}  // namespace tg::emulator::entry
