// Graphs: work written down once, node by node or by capturing a stream, and replayed with one call.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <utility>

#include <tg/base/callable.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/runtime/graph_definition.hpp>
#include <tg/runtime/graph_parameters.hpp>
#include <tg/runtime/stream_work.hpp>

namespace tg {

class executable_graph;
class graph_place;

/// A node of a graph.
struct graph_node {
  driver::graph_node_handle native = nullptr;
  driver::graph_handle home = nullptr;
};

/// Nodes and what comes after what. Buffers that they name must outlive every replay.
/// Errors: TG532 once it is moved from.
class graph {
 public:
  /// Without nodes.
  explicit graph(tg::device gpu) : device_(std::move(gpu)), made_(runtime::make_graph(device_.context())) {}
  /// Takes a graph of the driver, which it then owns.
  graph(tg::device gpu, driver::graph_handle native)
      : device_(std::move(gpu)), made_(runtime::own_graph(device_.context(), native)) {}

  driver::graph_handle native() const { return made().native(); }
  const tg::device& device() const { return device_; }
  /// Number of nodes.
  std::size_t size() const { return made().size(); }

  /// Where nodes go that come after these: `g.after(a, b).launch(saxpy, tg::cover(n), x, y, 2.0f, n)`.
  /// Errors: TG535 for a node of another graph.
  template <std::same_as<graph_node>... Node> graph_place after(Node... nodes);

  /// Ready to be replayed; what is added later is not part of it. Errors: those of the driver.
  executable_graph instantiate() const;

 private:
  friend class graph_place;
  friend class executable_graph;

  runtime::graph_definition& made() const {
    if (!made_) [[unlikely]]
      runtime::fail_gone("a graph");
    return *made_;
  }

  tg::device device_;
  std::shared_ptr<runtime::graph_definition> made_;
};

/// A place in a graph, behind some of its nodes; each call adds one node there.
/// Errors: as in stream_work; those of the driver.
class graph_place {
 public:
  /// A kernel, as `device::launch` takes it.
  template <class K, class... A> graph_node launch(const K& kernel, const placement& where, A&&... arguments);
  /// A copy between device memory and device or pinned memory. Plain host memory does not live long enough.
  template <class To, class From>
  graph_node copy(To&& to, const From& from, source_location where = source_location::current());
  /// Every element becomes `value`. Elements of more than 4 bytes take a node for each 4.
  template <runtime::device_memory To> graph_node fill(To&& to, const runtime::element_in<To>& value);
  /// A call on a thread of the driver in each replay. It may not call the driver (TG545), and what it throws ends the program.
  graph_node call(callable function);
  /// Nothing: a place to wait for several nodes.
  graph_node join();
  /// A copy of another graph.
  graph_node embed(const graph& other);

 private:
  friend class graph;
  graph_place(const graph& home, dynamic_array<driver::graph_node_handle> after)
      : device_(home.device_), home_(home.made_), after_(std::move(after)) {}

  /// Calls a function that adds a node.
  template <class... P, class... A> graph_node add(driver::result (*const& function)(P...), A... parameters) {
    graph_node out{nullptr, home_->native()};
    c().call(function, &out.native, home_->native(), static_cast<const driver::graph_node_handle*>(after_.data()),
             after_.size(), parameters...);
    return out;
  }
  runtime::context& c() const { return *device_.context(); }

  tg::device device_;
  std::shared_ptr<runtime::graph_definition> home_;
  dynamic_array<driver::graph_node_handle> after_;
};

template <std::same_as<graph_node>... Node> graph_place graph::after(Node... nodes) {
  [[maybe_unused]] const runtime::graph_definition& home = made();
  (home.require(nodes.native, nodes.home), ...);
  return {*this, {nodes.native...}};
}

template <class K, class... A> graph_node graph_place::launch(const K& kernel, const placement& where, A&&... arguments) {
  graph_node out;
  runtime::with_kernel_parameters(
      device_,
      [&](const driver::kernel_node_parameters& p, const runtime::launch_plan& plan) {
        out = add(c().api().cuGraphAddKernelNode, &p);
        for (const auto& a : std::span(plan.attributes).first(plan.attribute_count))
          c().call(c().api().cuGraphKernelNodeSetAttribute, out.native, a.id, &a.value);
      },
      kernel, where, std::forward<A>(arguments)...);
  return out;
}

template <class To, class From> graph_node graph_place::copy(To&& to, const From& from, source_location where) {
  const auto [first, rest] = runtime::split_copy(runtime::copy_parameters(c(), to, from, where));
  const graph_node out = add(c().api().cuGraphAddMemcpyNode, &first, c().native());
  if (rest.width_bytes == 0) return out;
  graph_place next = *this;
  next.after_ = {out.native};
  return next.add(c().api().cuGraphAddMemcpyNode, &rest, c().native());
}

template <runtime::device_memory To> graph_node graph_place::fill(To&& to, const runtime::element_in<To>& value) {
  const runtime::fill_units<runtime::element_in<To>> units(value);
  graph_node out;
  graph_place next = *this;
  for (std::size_t i = 0; i < (units.is_uniform() ? 1 : units.count); ++i) {
    const driver::set_node_parameters p = runtime::set_parameters(c(), to, units, i);
    out = next.add(c().api().cuGraphAddMemsetNode, &p, c().native());
    next.after_ = {out.native};
  }
  return out;
}

}  // namespace tg
