// Graphs of the emulated driver: nodes and what each waits for.
#pragma once

#include <algorithm>
#include <map>
#include <set>

#include <tg/emulator/driver_table/work.hpp>

namespace tg::emulator::entry {

/// Objects of the program that live as long as a graph needs them.
struct user_object {
  void* data;
  driver::host_function destroy;
  unsigned count;
};

inline void release_user_object(machine& m, driver::user_object_handle object, unsigned count) {
  const auto kept = m.user_objects.at(object);
  require(count > 0 && count <= kept->count);
  kept->count -= count;
  if (kept->count > 0) return;
  m.user_objects.take(object);
  kept->destroy(kept->data);
}

struct node {
  context_handle owner;
  graph_handle home;
  entry::work work;
  dynamic_array<graph_node_handle> after;  // nodes of the same graph that come before this one
  graph_node_handle original = nullptr;    // that it was copied from
  dynamic_array<void*> pointers;           // to the parameters of a kernel, for who asks
};

struct graph {
  context_handle owner;
  dynamic_array<graph_node_handle> nodes;  // in the order of their making
  dynamic_array<std::pair<driver::user_object_handle, unsigned>> kept;
  bool is_child = false;
};

/// A graph ready to be launched: nodes in an order that their dependencies allow.
struct executable {
  struct step {
    graph_node_handle original;
    entry::work work;
    bool is_enabled = true;
    std::shared_ptr<executable> child = nullptr;
  };
  context_handle owner;
  dynamic_array<step> steps;
  unsigned long long flags = 0;

  step& at(graph_node_handle original) {
    const auto found = std::ranges::find(steps, original, &step::original);
    require(found != steps.end());
    return *found;
  }
};

inline void require_nodes(machine& m, graph_handle graph, std::span<const graph_node_handle> nodes) {
  for (const graph_node_handle n : nodes) require(m.nodes.contains(n) && m.nodes.at(n)->home == graph);
}

/// Adds a node behind `after`. Errors: invalid_value for a dependency that is twice there or of another graph.
inline graph_node_handle add_node(machine& m, graph_handle home, entry::work work, std::span<const graph_node_handle> after) {
  entry::graph& g = *m.graphs.at(home);
  require_nodes(m, home, after);
  require(std::set(after.begin(), after.end()).size() == after.size());
  const auto made =
      m.nodes.add(std::make_shared<node>(node{g.owner, home, std::move(work), {after.begin(), after.end()}, nullptr, {}}));
  g.nodes.push_back(made);
  return made;
}

void remove_graph(machine& m, graph_handle graph);

/// Takes a node out; what waited for it does so no more.
inline void remove_node(machine& m, graph_node_handle handle) {
  const auto gone = m.nodes.take(handle);
  entry::graph& g = *m.graphs.at(gone->home);
  tg::erase(g.nodes, handle);
  for (const graph_node_handle other : g.nodes) tg::erase(m.nodes.at(other)->after, handle);
  if (const auto* child = std::get_if<child_work>(&gone->work)) remove_graph(m, child->graph);
}

inline void remove_graph(machine& m, graph_handle handle) {
  const auto gone = m.graphs.at(handle);
  for (const graph_node_handle n : dynamic_array(gone->nodes)) {
    if (const auto* memory = std::get_if<allocation_work>(&m.nodes.at(n)->work))
      if (m.allocations.erase(memory->parameters.address) == 1) m.memory.release(memory->parameters.address);
    remove_node(m, n);
  }
  for (const auto& [object, count] : gone->kept) release_user_object(m, object, count);
  m.graphs.take(handle);
}

/// The nodes in an order that their dependencies allow, first made first.
/// Errors: invalid_value for a cycle.
inline dynamic_array<graph_node_handle> ordered(machine& m, graph_handle handle) {
  const entry::graph& g = *m.graphs.at(handle);
  dynamic_array<graph_node_handle> out;
  std::set<graph_node_handle> done;
  dynamic_array<graph_node_handle> left = g.nodes;
  while (!left.empty()) {
    const auto next = std::ranges::find_if(left, [&](graph_node_handle n) {
      return std::ranges::all_of(m.nodes.at(n)->after, [&](graph_node_handle d) { return done.contains(d); });
    });
    require(next != left.end());
    out.push_back(*next);
    done.insert(*next);
    left.erase(next);
  }
  return out;
}

/// The nodes that must be done before any of `last` is, those included.
inline std::set<graph_node_handle> ancestors(machine& m, dynamic_array<graph_node_handle> last) {
  std::set<graph_node_handle> out;
  while (!last.empty()) {
    const graph_node_handle n = last.back();
    last.pop_back();
    if (!out.insert(n).second) continue;
    const auto& after = m.nodes.at(n)->after;
    last.insert(last.end(), after.begin(), after.end());
  }
  return out;
}

/// A copy with nodes of its own, children included.
inline graph_handle clone(machine& m, graph_handle from, bool is_child) {
  const auto source = m.graphs.at(from);
  const graph_handle made = m.graphs.add(std::make_shared<graph>(graph{source->owner, {}, {}, is_child}));
  std::map<graph_node_handle, graph_node_handle> copies;
  for (const graph_node_handle n : ordered(m, from)) {
    const auto original = m.nodes.at(n);
    entry::work work = original->work;
    if (auto* child = std::get_if<child_work>(&work)) child->graph = clone(m, child->graph, true);
    dynamic_array<graph_node_handle> after;
    for (const graph_node_handle d : original->after) after.push_back(copies.at(d));
    copies[n] = add_node(m, made, std::move(work), after);
    m.nodes.at(copies[n])->original = n;
  }
  return made;
}

inline std::shared_ptr<executable> instantiate(machine& m, graph_handle from, unsigned long long flags) {
  const auto made = std::make_shared<executable>(executable{m.graphs.at(from)->owner, {}, flags});
  for (const graph_node_handle n : ordered(m, from)) {
    const entry::work& work = m.nodes.at(n)->work;
    const auto* child = std::get_if<child_work>(&work);
    made->steps.push_back({n, work, true, child ? instantiate(m, child->graph, flags) : nullptr});
  }
  return made;
}

}  // namespace tg::emulator::entry
