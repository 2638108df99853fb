// The emulated driver's nodes of graphs, one kind after another.
#pragma once

#include <tg/emulator/driver_table/graph.hpp>

namespace tg::emulator::entry {

using driver::copy_3d;
using driver::host_node_parameters;
using driver::kernel_node_parameters;
using driver::set_node_parameters;

inline result add_to_graph(graph_node_handle* out, graph_handle graph, const graph_node_handle* after, std::size_t count,
                           const std::function<work(machine&)>& make) {
  return guarded([&](machine& m) {
    require(out && (after || count == 0));
    m.graphs.at(graph);
    *out = add_node(m, graph, make(m), {after, count});
  });
}

/// The work of a node. Errors: invalid_value for a node of another kind.
template <class Work> Work& work_of(machine& m, graph_node_handle node) {
  Work* const found = std::get_if<Work>(&m.nodes.at(node)->work);
  require(found != nullptr);
  return *found;
}

/// The second version, with a kernel's handle; the first has no such field.
inline result cuGraphAddKernelNode_v2(graph_node_handle* out, graph_handle graph, const graph_node_handle* after,
                                      std::size_t count, const kernel_node_parameters* p) {
  if (p == nullptr) return result::invalid_value;
  return add_to_graph(out, graph, after, count, [&](machine& m) { return make_kernel_work(m, *p); });
}
inline kernel_node_parameters widened(const kernel_node_parameters& first_version) {
  kernel_node_parameters out{};
  std::memcpy(static_cast<void*>(&out), &first_version, offsetof(kernel_node_parameters, kernel));
  return out;
}
inline result cuGraphAddKernelNode(graph_node_handle* out, graph_handle graph, const graph_node_handle* after,
                                   std::size_t count, const kernel_node_parameters* p) {
  if (p == nullptr) return result::invalid_value;
  const kernel_node_parameters wide = widened(*p);
  return cuGraphAddKernelNode_v2(out, graph, after, count, &wide);
}

/// The array of parameters points into the node and is good as long as it is.
inline kernel_node_parameters parameters_of(machine& m, graph_node_handle node) {
  kernel_work& w = work_of<kernel_work>(m, node);
  auto& pointers = m.nodes.at(node)->pointers;
  pointers.clear();
  for (const parameter& p : w.function->info().parameters) pointers.push_back(w.parameters.data() + p.offset_bytes);
  const auto &g = w.shape.grid, &b = w.shape.block;
  return {w.handle,        g.x,     g.y,     g.z,    b.x, b.y, b.z, static_cast<unsigned>(w.shape.dynamic_shared_bytes),
          pointers.data(), nullptr, nullptr, nullptr};
}
inline result cuGraphKernelNodeGetParams_v2(graph_node_handle node, kernel_node_parameters* out) {
  return guarded([&](machine& m) {
    require(out);
    *out = parameters_of(m, node);
  });
}
inline result cuGraphKernelNodeGetParams(graph_node_handle node, kernel_node_parameters* out) {
  return guarded([&](machine& m) {
    require(out);
    const kernel_node_parameters wide = parameters_of(m, node);
    std::memcpy(static_cast<void*>(out), &wide, offsetof(kernel_node_parameters, kernel));
  });
}

/// A kernel's new parameters; what the attributes said stays.
inline kernel_work with_parameters(machine& m, const kernel_work& old, const kernel_node_parameters& p) {
  kernel_work made = make_kernel_work(m, p);
  made.shape.cluster = old.shape.cluster;
  made.shape.cooperative = old.shape.cooperative;
  return made;
}
inline result cuGraphKernelNodeSetParams_v2(graph_node_handle node, const kernel_node_parameters* p) {
  return guarded([&](machine& m) {
    require(p);
    kernel_work& w = work_of<kernel_work>(m, node);
    w = with_parameters(m, w, *p);
  });
}
inline result cuGraphKernelNodeSetParams(graph_node_handle node, const kernel_node_parameters* p) {
  if (p == nullptr) return result::invalid_value;
  const kernel_node_parameters wide = widened(*p);
  return cuGraphKernelNodeSetParams_v2(node, &wide);
}

inline result cuGraphKernelNodeSetAttribute(graph_node_handle node, driver::launch_attribute_id id,
                                            const driver::launch_attribute_value* value) {
  return guarded([&](machine& m) {
    require(value);
    kernel_work& w = work_of<kernel_work>(m, node);
    kernel_work changed = w;
    apply(changed, {id, {}, *value});
    check_together(changed);
    w = std::move(changed);
  });
}
inline result cuGraphKernelNodeGetAttribute(graph_node_handle node, driver::launch_attribute_id id,
                                            driver::launch_attribute_value* value) {
  return guarded([&](machine& m) {
    require(value);
    const launch_shape& s = work_of<kernel_work>(m, node).shape;
    *value = {};
    if (id == driver::launch_attribute_id::cooperative) value->number = s.cooperative;
    else if (id == driver::launch_attribute_id::cluster_dimension) value->extent = {s.cluster.x, s.cluster.y, s.cluster.z};
  });
}
inline result cuGraphKernelNodeCopyAttributes(graph_node_handle to, graph_node_handle from) {
  return guarded([&](machine& m) {
    const launch_shape& s = work_of<kernel_work>(m, from).shape;
    launch_shape& changed = work_of<kernel_work>(m, to).shape;
    changed.cluster = s.cluster;
    changed.cooperative = s.cooperative;
  });
}

inline result cuGraphAddMemcpyNode(graph_node_handle* out, graph_handle graph, const graph_node_handle* after,
                                   std::size_t count, const copy_3d* p, context_handle) {
  if (p == nullptr) return result::invalid_value;
  return add_to_graph(out, graph, after, count, [&](machine&) { return copy_work{*p}; });
}
inline result cuGraphMemcpyNodeGetParams(graph_node_handle node, copy_3d* out) {
  return guarded([&](machine& m) {
    require(out);
    *out = work_of<copy_work>(m, node).copy;
  });
}
inline result cuGraphMemcpyNodeSetParams(graph_node_handle node, const copy_3d* p) {
  return guarded([&](machine& m) {
    require(p);
    work_of<copy_work>(m, node).copy = *p;
  });
}

/// Errors: invalid_value for memory of a pool, which fills take that are captured. Source: CUDA C++ Programming Guide 13.0,
/// stream ordered memory allocator, cudaGraphAddMemsetNode.
inline result cuGraphAddMemsetNode(graph_node_handle* out, graph_handle graph, const graph_node_handle* after,
                                   std::size_t count, const set_node_parameters* p, context_handle) {
  if (p == nullptr) return result::invalid_value;
  return add_to_graph(out, graph, after, count, [&](machine& m) {
    const owned_memory* const owned = owned_at(m, p->to);
    require(owned == nullptr || owned->pool == nullptr);
    return set_work{*p};
  });
}
inline result cuGraphMemsetNodeGetParams(graph_node_handle node, set_node_parameters* out) {
  return guarded([&](machine& m) {
    require(out);
    *out = work_of<set_work>(m, node).set;
  });
}
inline result cuGraphMemsetNodeSetParams(graph_node_handle node, const set_node_parameters* p) {
  return guarded([&](machine& m) {
    require(p);
    work_of<set_work>(m, node).set = *p;
  });
}

inline result cuGraphAddHostNode(graph_node_handle* out, graph_handle graph, const graph_node_handle* after, std::size_t count,
                                 const host_node_parameters* p) {
  if (p == nullptr) return result::invalid_value;
  return add_to_graph(out, graph, after, count, [&](machine&) { return call_of_host(*p); });
}
inline result cuGraphHostNodeGetParams(graph_node_handle node, host_node_parameters* out) {
  return guarded([&](machine& m) {
    require(out);
    *out = work_of<host_work>(m, node).parameters;
  });
}
inline result cuGraphHostNodeSetParams(graph_node_handle node, const host_node_parameters* p) {
  return guarded([&](machine& m) {
    require(p);
    work_of<host_work>(m, node) = call_of_host(*p);
  });
}

inline result cuGraphAddEmptyNode(graph_node_handle* out, graph_handle graph, const graph_node_handle* after,
                                  std::size_t count) {
  return add_to_graph(out, graph, after, count, [](machine&) { return empty_work{}; });
}

inline result cuGraphAddChildGraphNode(graph_node_handle* out, graph_handle graph, const graph_node_handle* after,
                                       std::size_t count, graph_handle child) {
  return add_to_graph(out, graph, after, count, [&](machine& m) { return child_work{clone(m, child, true)}; });
}
inline result cuGraphChildGraphNodeGetGraph(graph_node_handle node, graph_handle* graph) {
  return guarded([&](machine& m) {
    require(graph);
    *graph = work_of<child_work>(m, node).graph;
  });
}

inline result cuGraphAddEventRecordNode(graph_node_handle* out, graph_handle graph, const graph_node_handle* after,
                                        std::size_t count, event_handle event) {
  return add_to_graph(out, graph, after, count, [&](machine& m) { return record_work{m.events.at(event), event}; });
}
inline result cuGraphAddEventWaitNode(graph_node_handle* out, graph_handle graph, const graph_node_handle* after,
                                      std::size_t count, event_handle event) {
  return add_to_graph(out, graph, after, count, [&](machine& m) { return wait_work{m.events.at(event), event}; });
}
template <class Work> result get_event(graph_node_handle node, event_handle* event) {
  return guarded([&](machine& m) {
    require(event);
    *event = work_of<Work>(m, node).handle;
  });
}
template <class Work> result set_event(graph_node_handle node, event_handle event) {
  return guarded([&](machine& m) { work_of<Work>(m, node) = Work{m.events.at(event), event}; });
}
inline result cuGraphEventRecordNodeGetEvent(graph_node_handle node, event_handle* event) {
  return get_event<record_work>(node, event);
}
inline result cuGraphEventRecordNodeSetEvent(graph_node_handle node, event_handle event) {
  return set_event<record_work>(node, event);
}
inline result cuGraphEventWaitNodeGetEvent(graph_node_handle node, event_handle* event) {
  return get_event<wait_work>(node, event);
}
inline result cuGraphEventWaitNodeSetEvent(graph_node_handle node, event_handle event) {
  return set_event<wait_work>(node, event);
}

inline result cuGraphAddMemAllocNode(graph_node_handle* out, graph_handle graph, const graph_node_handle* after,
                                     std::size_t count, driver::allocation_node_parameters* p) {
  if (p == nullptr) return result::invalid_value;
  return add_to_graph(out, graph, after, count, [&](machine& m) {
    require(p->bytes > 0);
    p->address = allocate(m, p->bytes, {});
    return allocation_work{*p};
  });
}
inline result cuGraphMemAllocNodeGetParams(graph_node_handle node, driver::allocation_node_parameters* out) {
  return guarded([&](machine& m) {
    require(out);
    *out = work_of<allocation_work>(m, node).parameters;
  });
}
inline result cuGraphAddMemFreeNode(graph_node_handle* out, graph_handle graph, const graph_node_handle* after,
                                    std::size_t count, device_address address) {
  return add_to_graph(out, graph, after, count, [&](machine& m) {
    require(m.allocations.contains(address));
    return free_work{address, true};
  });
}
inline result cuGraphMemFreeNodeGetParams(graph_node_handle node, device_address* address) {
  return guarded([&](machine& m) {
    require(address);
    *address = work_of<free_work>(m, node).address;
  });
}

}  // namespace tg::emulator::entry
