// A graph that is ready to be replayed, with parameters that can be changed between replays.
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <string>
#include <utility>

#include <tg/runtime/graph.hpp>

namespace tg {

namespace runtime {

/// The driver's form of a graph that can be replayed. Errors: those of the driver.
driver::graph_exec_handle instantiate(const graph_definition& from);

}  // namespace runtime

/// An instantiated graph: `stream.replay(it)`. Keeps the graph that it came from alive.
/// Errors: TG532 once it is moved from.
class executable_graph {
 public:
  executable_graph(executable_graph&& other) noexcept
      : device_(other.device_), from_(other.from_), native_(std::exchange(other.native_, nullptr)) {}
  executable_graph& operator=(executable_graph&& other) noexcept {
    std::swap(device_, other.device_);
    std::swap(from_, other.from_);
    std::swap(native_, other.native_);
    return *this;
  }
  ~executable_graph() {
    if (native_) device_.context()->release(device_.context()->api().cuGraphExecDestroy, native_);
  }

  driver::graph_exec_handle native() const {
    if (!native_) [[unlikely]]
      runtime::fail_gone("a graph");
    return native_;
  }
  const tg::device& device() const { return device_; }

  /// Does from now on what another graph of the same shape says.
  /// Errors: TG536 with the first node that differs and why; it does what it did before then.
  void update(const graph& other);

  /// Gives a kernel node new arguments, another grid, or another kernel; clusters and the like stay as they were.
  /// Errors: TG535 unless the node is of the graph that was instantiated; as `device::launch`.
  template <class K, class... A> void set_launch(graph_node node, const K& kernel, const placement& where, A&&... arguments);
  /// Gives a copy node other memory of the same kinds.
  template <class To, class From>
  void set_copy(graph_node node, To&& to, const From& from, source_location where = source_location::current());
  /// Gives a fill node other memory or another value. Errors: as set_launch; elements have at most 4 bytes.
  template <runtime::device_memory To> void set_fill(graph_node node, To&& to, const runtime::element_in<To>& value);

 private:
  friend class graph;
  executable_graph(tg::device device, std::shared_ptr<runtime::graph_definition> from)
      : device_(std::move(device)), from_(std::move(from)), native_(runtime::instantiate(*from_)) {}

  runtime::context& c() const { return native(), *device_.context(); }

  tg::device device_;
  std::shared_ptr<runtime::graph_definition> from_;
  driver::graph_exec_handle native_ = nullptr;
};

namespace runtime {

/// Why one graph cannot replace another: CU_GRAPH_EXEC_UPDATE_.
std::string text_of(driver::update_result r);

}  // namespace runtime

namespace runtime {

/// What a node does, for messages.
std::string kind_of(context& c, driver::graph_node_handle node);

}  // namespace runtime

template <class K, class... A>
void executable_graph::set_launch(graph_node node, const K& kernel, const placement& where, A&&... arguments) {
  c();
  from_->require(node.native, node.home);
  runtime::with_kernel_parameters(
      device_,
      [&](const driver::kernel_node_parameters& p, const runtime::launch_plan&) {
        c().call(c().api().cuGraphExecKernelNodeSetParams, native_, node.native, &p);
      },
      kernel, where, std::forward<A>(arguments)...);
}

template <class To, class From>
void executable_graph::set_copy(graph_node node, To&& to, const From& from, source_location where) {
  from_->require(node.native, node.home);
  const auto [p, rest] = runtime::split_copy(runtime::copy_parameters(c(), to, from, where));
  if (rest.width_bytes != 0) [[unlikely]]
    throw error(runtime::graph_changed,
                "a copy of " + std::to_string(rest.width_bytes + p.width_bytes * p.height) + " bytes is two nodes of a graph",
                "update the whole graph", where);
  c().call(c().api().cuGraphExecMemcpyNodeSetParams, native_, node.native, &p, c().native());
}

template <runtime::device_memory To>
void executable_graph::set_fill(graph_node node, To&& to, const runtime::element_in<To>& value) {
  using units = runtime::fill_units<runtime::element_in<To>>;
  static_assert(units::count == 1, "a fill of wider elements is several nodes; update the whole graph");
  from_->require(node.native, node.home);
  const driver::set_node_parameters p = runtime::set_parameters(c(), to, units(value), 0);
  c().call(c().api().cuGraphExecMemsetNodeSetParams, native_, node.native, &p, c().native());
}

}  // namespace tg
