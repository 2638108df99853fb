// The emulated driver's executable graphs: instantiation, launches, changes.
#pragma once

#include <tg/emulator/driver_table/graph_node.hpp>

namespace tg::emulator::entry {

using driver::graph_exec_handle;

inline result cuGraphInstantiateWithFlags(graph_exec_handle* out, graph_handle graph, unsigned long long flags) {
  return guarded([&](machine& m) {
    require(out);
    *out = m.executables.add(instantiate(m, graph, flags));
  });
}
/// Before version 11.4: the node and the log of an error are not written.
inline result cuGraphInstantiate(graph_exec_handle* out, graph_handle graph, graph_node_handle* error_node, char* log,
                                 std::size_t log_bytes) {
  if (error_node) *error_node = nullptr;
  if (log && log_bytes > 0) *log = '\0';
  return cuGraphInstantiateWithFlags(out, graph, 0);
}
inline result cuGraphInstantiateWithParams(graph_exec_handle* out, graph_handle graph, driver::instantiate_parameters* p) {
  if (p == nullptr) return result::invalid_value;
  const result r = cuGraphInstantiateWithFlags(out, graph, p->flags);
  p->error_node = nullptr;
  p->result = r == result::success ? 0 : 1;
  return r;
}

inline void enqueue_steps(machine& m, const executable& exec, stream_handle stream) {
  for (const executable::step& s : exec.steps) {
    if (!s.is_enabled) continue;
    if (s.child) {
      enqueue_steps(m, *s.child, stream);
    } else {
      work w = s.work;
      prepare(w);
      enqueue(m, stream, std::move(w));
    }
  }
}

inline result cuGraphLaunch(graph_exec_handle exec, stream_handle stream) {
  return guarded([&](machine& m) {
    current(m);
    const auto work = m.executables.at(exec);
    require(!capture_of(m, stream), result::stream_capture_unsupported);
    submit(m, stream, empty_work{});
    enqueue_steps(m, *work, stream);
  });
}

inline result cuGraphUpload(graph_exec_handle exec, stream_handle stream) {
  return guarded([&](machine& m) {
    m.executables.at(exec);
    if (!is_default(stream)) m.streams.at(stream);
  });
}

inline result cuGraphExecDestroy(graph_exec_handle exec) {
  return guarded([&](machine& m) { m.executables.take(exec); });
}

inline result cuGraphExecGetFlags(graph_exec_handle exec, std::uint64_t* flags) {
  return guarded([&](machine& m) {
    require(flags);
    *flags = m.executables.at(exec)->flags;
  });
}

/// Takes the parameters of the graph's nodes where both have the same shape.
inline driver::update_info update(machine& m, executable& exec, graph_handle graph) {
  using enum driver::update_result;
  const dynamic_array<graph_node_handle> nodes = ordered(m, graph);
  if (nodes.size() != exec.steps.size()) return {error_topology_changed, nullptr, nullptr};
  std::map<graph_node_handle, graph_node_handle> partner;
  for (std::size_t i = 0; i < nodes.size(); ++i) partner[nodes[i]] = exec.steps[i].original;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const node& n = *m.nodes.at(nodes[i]);
    if (type_of(n.work) != type_of(exec.steps[i].work)) return {error_node_type_changed, nodes[i], nullptr};
    if (!m.nodes.contains(exec.steps[i].original)) continue;
    dynamic_array<graph_node_handle> after;
    for (const graph_node_handle d : n.after) after.push_back(partner.at(d));
    if (std::set(after.begin(), after.end()) !=
        std::set(m.nodes.at(exec.steps[i].original)->after.begin(), m.nodes.at(exec.steps[i].original)->after.end()))
      return {error_topology_changed, nodes[i], nullptr};
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    exec.steps[i].work = m.nodes.at(nodes[i])->work;
    if (const auto* child = std::get_if<child_work>(&exec.steps[i].work))
      exec.steps[i].child = instantiate(m, child->graph, exec.flags);
  }
  return {success, nullptr, nullptr};
}

inline result cuGraphExecUpdate_v2(graph_exec_handle exec, graph_handle graph, driver::update_info* info) {
  return guarded([&](machine& m) {
    require(info);
    *info = update(m, *m.executables.at(exec), graph);
    require(info->result == driver::update_result::success, result::graph_exec_update_failure);
  });
}
inline result cuGraphExecUpdate(graph_exec_handle exec, graph_handle graph, graph_node_handle* error_node,
                                driver::update_result* what) {
  driver::update_info info{};
  const result r = cuGraphExecUpdate_v2(exec, graph, &info);
  if (error_node) *error_node = info.node;
  if (what) *what = info.result;
  return r;
}

/// Changes the work of one step, which must be of the kind `Work`.
template <class Work, class F> result change_step(graph_exec_handle exec, graph_node_handle node, F change) {
  return guarded([&](machine& m) {
    Work* const w = std::get_if<Work>(&m.executables.at(exec)->at(node).work);
    require(w != nullptr);
    *w = change(m, *w);
  });
}

inline result cuGraphExecKernelNodeSetParams_v2(graph_exec_handle exec, graph_node_handle node,
                                                const kernel_node_parameters* p) {
  if (p == nullptr) return result::invalid_value;
  return change_step<kernel_work>(exec, node, [&](machine& m, const kernel_work& old) { return with_parameters(m, old, *p); });
}
inline result cuGraphExecKernelNodeSetParams(graph_exec_handle exec, graph_node_handle node, const kernel_node_parameters* p) {
  if (p == nullptr) return result::invalid_value;
  const kernel_node_parameters wide = widened(*p);
  return cuGraphExecKernelNodeSetParams_v2(exec, node, &wide);
}
inline result cuGraphExecMemcpyNodeSetParams(graph_exec_handle exec, graph_node_handle node, const copy_3d* p, context_handle) {
  if (p == nullptr) return result::invalid_value;
  return change_step<copy_work>(exec, node, [&](machine&, const copy_work&) { return copy_work{*p}; });
}
inline result cuGraphExecMemsetNodeSetParams(graph_exec_handle exec, graph_node_handle node, const set_node_parameters* p,
                                             context_handle) {
  if (p == nullptr) return result::invalid_value;
  return change_step<set_work>(exec, node, [&](machine&, const set_work&) { return set_work{*p}; });
}
inline result cuGraphExecHostNodeSetParams(graph_exec_handle exec, graph_node_handle node, const host_node_parameters* p) {
  if (p == nullptr) return result::invalid_value;
  return change_step<host_work>(exec, node, [&](machine&, const host_work&) { return call_of_host(*p); });
}
inline result cuGraphExecEventRecordNodeSetEvent(graph_exec_handle exec, graph_node_handle node, event_handle event) {
  return change_step<record_work>(exec, node,
                                  [&](machine& m, const record_work&) { return record_work{m.events.at(event), event}; });
}
inline result cuGraphExecEventWaitNodeSetEvent(graph_exec_handle exec, graph_node_handle node, event_handle event) {
  return change_step<wait_work>(exec, node, [&](machine& m, const wait_work&) { return wait_work{m.events.at(event), event}; });
}
inline result cuGraphExecChildGraphNodeSetParams(graph_exec_handle exec, graph_node_handle node, graph_handle child) {
  return guarded([&](machine& m) {
    executable& e = *m.executables.at(exec);
    executable::step& s = e.at(node);
    require(s.child != nullptr);
    s.child = instantiate(m, child, e.flags);
  });
}

inline result cuGraphNodeSetEnabled(graph_exec_handle exec, graph_node_handle node, unsigned is_enabled) {
  return guarded([&](machine& m) {
    executable::step& s = m.executables.at(exec)->at(node);
    const node_type type = type_of(s.work);
    require(type == node_type::kernel || type == node_type::memcpy || type == node_type::memset);
    s.is_enabled = is_enabled != 0;
  });
}
inline result cuGraphNodeGetEnabled(graph_exec_handle exec, graph_node_handle node, unsigned* is_enabled) {
  return guarded([&](machine& m) {
    require(is_enabled);
    *is_enabled = m.executables.at(exec)->at(node).is_enabled;
  });
}

/// One call for every kind of node.
inline result cuGraphAddNode(graph_node_handle* out, graph_handle graph, const graph_node_handle* after, std::size_t count,
                             driver::node_parameters* p) {
  if (p == nullptr) return result::invalid_value;
  switch (p->type) {
    case node_type::kernel: return cuGraphAddKernelNode_v2(out, graph, after, count, &p->kernel);
    case node_type::memcpy: return cuGraphAddMemcpyNode(out, graph, after, count, &p->copy.copy, p->copy.context);
    case node_type::memset: return cuGraphAddMemsetNode(out, graph, after, count, &p->set, nullptr);
    case node_type::host: return cuGraphAddHostNode(out, graph, after, count, &p->host);
    case node_type::graph: return cuGraphAddChildGraphNode(out, graph, after, count, p->graph);
    case node_type::empty: return cuGraphAddEmptyNode(out, graph, after, count);
    case node_type::wait_event: return cuGraphAddEventWaitNode(out, graph, after, count, p->event);
    case node_type::event_record: return cuGraphAddEventRecordNode(out, graph, after, count, p->event);
    case node_type::mem_alloc: return cuGraphAddMemAllocNode(out, graph, after, count, &p->allocation);
    case node_type::mem_free: return cuGraphAddMemFreeNode(out, graph, after, count, p->freed);
    case node_type::batch_mem_op: break;
  }
  return result::not_supported;
}
inline result cuGraphAddNode_v2(graph_node_handle* out, graph_handle graph, const graph_node_handle* after,
                                const driver::edge_data*, std::size_t count, driver::node_parameters* p) {
  return cuGraphAddNode(out, graph, after, count, p);
}

inline result cuGraphNodeSetParams(graph_node_handle node, driver::node_parameters* p) {
  if (p == nullptr) return result::invalid_value;
  switch (p->type) {
    case node_type::kernel: return cuGraphKernelNodeSetParams_v2(node, &p->kernel);
    case node_type::memcpy: return cuGraphMemcpyNodeSetParams(node, &p->copy.copy);
    case node_type::memset: return cuGraphMemsetNodeSetParams(node, &p->set);
    case node_type::host: return cuGraphHostNodeSetParams(node, &p->host);
    case node_type::wait_event: return cuGraphEventWaitNodeSetEvent(node, p->event);
    case node_type::event_record: return cuGraphEventRecordNodeSetEvent(node, p->event);
    default: return result::not_supported;
  }
}

inline result cuGraphExecNodeSetParams(graph_exec_handle exec, graph_node_handle node, driver::node_parameters* p) {
  if (p == nullptr) return result::invalid_value;
  switch (p->type) {
    case node_type::kernel: return cuGraphExecKernelNodeSetParams_v2(exec, node, &p->kernel);
    case node_type::memcpy: return cuGraphExecMemcpyNodeSetParams(exec, node, &p->copy.copy, p->copy.context);
    case node_type::memset: return cuGraphExecMemsetNodeSetParams(exec, node, &p->set, nullptr);
    case node_type::host: return cuGraphExecHostNodeSetParams(exec, node, &p->host);
    case node_type::graph: return cuGraphExecChildGraphNodeSetParams(exec, node, p->graph);
    case node_type::wait_event: return cuGraphExecEventWaitNodeSetEvent(exec, node, p->event);
    case node_type::event_record: return cuGraphExecEventRecordNodeSetEvent(exec, node, p->event);
    default: return result::not_supported;
  }
}

}  // namespace tg::emulator::entry
