// A graph of the driver, with the functions of the host that its nodes call.
#pragma once

#include <cstddef>
#include <memory>
#include <utility>

#include <tg/base/callable.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/runtime/context.hpp>

namespace tg::runtime {

class graph_definition;

/// A new graph without nodes. Errors: those of the driver.
std::shared_ptr<graph_definition> make_graph(const std::shared_ptr<context>& on);
/// A graph of the driver, which is owned from now on.
std::shared_ptr<graph_definition> own_graph(const std::shared_ptr<context>& on, driver::graph_handle native);

/// Owns a graph of the driver. What was instantiated from it keeps it alive. One that calls functions of the host waits
/// for all work of the device before it goes.
class graph_definition {
 public:
  graph_definition(std::shared_ptr<runtime::context> context, driver::graph_handle native)
      : context_(std::move(context)), native_(native) {}
  graph_definition(const graph_definition&) = delete;
  graph_definition& operator=(const graph_definition&) = delete;
  ~graph_definition() {
    if (!functions_.empty()) context_->release(context_->api().cuCtxSynchronize);  // a replay may be about to call one
    context_->release(context_->api().cuGraphDestroy, native_);
  }

  driver::graph_handle native() const { return native_; }
  const std::shared_ptr<runtime::context>& context() const { return context_; }

  dynamic_array<driver::graph_node_handle> nodes() const;
  std::size_t size() const;

  /// Errors: TG535 unless the node is of this graph.
  void require(driver::graph_node_handle node, driver::graph_handle home) const;

  /// Keeps a function as long as the graph. Returns: where it is.
  callable* keep(callable function);
  /// Keeps another graph's functions too.
  void keep_with(std::shared_ptr<graph_definition> other);

 private:
  std::shared_ptr<runtime::context> context_;
  driver::graph_handle native_;
  dynamic_array<std::unique_ptr<callable>> functions_;
  dynamic_array<std::shared_ptr<graph_definition>> embedded_;
};

}  // namespace tg::runtime
