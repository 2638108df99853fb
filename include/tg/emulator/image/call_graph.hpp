// Who calls whom: in which order functions are decoded, and which may be entered again before they return.
#pragma once

#include <algorithm>
#include <cstdint>

#include <tg/base/dynamic_array.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/type.hpp>

namespace tg::emulator {

namespace detail {

inline std::uint64_t size_bytes(const ptx::variable& v) {
  return static_cast<std::uint64_t>(v.count > 0   ? v.count
                                    : v.count < 0 ? 0
                                                  : 1) *
         static_cast<std::uint64_t>(ptx::width_bits(v.type)) / 8;
}

inline bool same_sizes(const dynamic_array<ptx::variable>& a, const dynamic_array<ptx::variable>& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](const auto& x, const auto& y) { return size_bytes(x) == size_bytes(y); });
}

}  // namespace detail

/// The calls of a module. A call by address may reach every function whose address is taken and whose parameters are as
/// large as those of the call's prototype, or those that its list names.
class call_graph {
 public:
  explicit call_graph(const ptx::module& m) : module_(m), targets_(m.functions.size()), nodes_(m.functions.size()) {
    take_addresses();
    for (std::uint32_t f = 0; f < targets_.size(); ++f) add_calls(f);
    for (std::uint32_t f = 0; f < nodes_.size(); ++f)
      if (nodes_[f].number == 0) visit(f);
  }

  /// Callees before callers, as far as there is such an order.
  const dynamic_array<std::uint32_t>& order() const { return order_; }
  const dynamic_array<std::uint32_t>& callees(std::uint32_t f) const { return targets_[f]; }

  /// Whether a call of `callee` in `caller` may come back to `caller` before it returns.
  bool may_come_back(std::uint32_t caller, std::uint32_t callee) const { return nodes_[caller].group == nodes_[callee].group; }
  /// Whether a call by address in `caller` may come back to `caller` before it returns.
  bool may_come_back(std::uint32_t caller) const {
    return std::ranges::any_of(targets_[caller], [&](std::uint32_t t) { return may_come_back(caller, t); });
  }

 private:
  struct node {
    std::uint32_t number = 0;  // of the visit, from 1
    std::uint32_t lowest = 0;
    std::uint32_t group = ptx::no_index;  // of functions that reach each other
  };

  void take_addresses() {
    dynamic_array<bool> taken(module_.functions.size());
    const auto look = [&](const ptx::operand& o) {
      if (o.kind == ptx::operand_kind::function) taken[o.id] = true;
    };
    for (const ptx::variable& v : module_.variables)
      for (const ptx::variable::relocation& r : v.relocations) look(r.target);
    for (const ptx::function& f : module_.functions)
      for (const ptx::instruction& i : f.body) {
        if (ptx::has_trait(i.op, ptx::trait::calls)) continue;
        for (const ptx::operand& o : i.operands()) look(o);
      }
    for (std::uint32_t f = 0; f < taken.size(); ++f)
      if (taken[f]) taken_.push_back(f);
  }

  void add_calls(std::uint32_t id) {
    const ptx::function& f = module_.functions[id];
    dynamic_array<std::uint32_t>& to = targets_[id];
    if (f.alias != ptx::no_index) to.push_back(f.alias);
    for (const ptx::instruction& i : f.body) {
      if (!ptx::has_trait(i.op, ptx::trait::calls)) continue;
      if (i[1].kind == ptx::operand_kind::function) {
        to.push_back(i[1].id);
      } else if (i.operand_count > 3 && i[3].kind == ptx::operand_kind::vector) {
        for (const ptx::operand& o : f.parts(i[3])) to.push_back(o.id);
      } else if (i.operand_count > 3 && i[3].kind == ptx::operand_kind::variable) {
        for (const ptx::variable::relocation& r : module_.variables[i[3].id].relocations) to.push_back(r.target.id);
      } else if (i.operand_count > 3) {
        const ptx::prototype& p = f.prototypes[i[3].id];
        for (const std::uint32_t t : taken_)
          if (detail::same_sizes(module_.functions[t].params, p.params) &&
              detail::same_sizes(module_.functions[t].results, p.results))
            to.push_back(t);
      }
    }
    std::ranges::sort(to);
    to.erase(std::unique(to.begin(), to.end()), to.end());
  }

  /// Tarjan's walk; a function alone in its group calls itself or is not re-entered.
  void visit(std::uint32_t root) {
    struct step {
      std::uint32_t function;
      std::size_t next;
    };
    dynamic_array<step> path;
    const auto enter = [&](std::uint32_t f) {
      nodes_[f].number = nodes_[f].lowest = ++count_;
      open_.push_back(f);
      path.push_back({f, 0});
    };
    enter(root);
    while (!path.empty()) {
      const std::uint32_t f = path.back().function;
      if (path.back().next < targets_[f].size()) {
        const std::uint32_t t = targets_[f][path.back().next++];
        if (nodes_[t].number == 0) enter(t);
        else if (nodes_[t].group == ptx::no_index) nodes_[f].lowest = std::min(nodes_[f].lowest, nodes_[t].number);
        continue;
      }
      path.pop_back();
      if (!path.empty()) {
        node& above = nodes_[path.back().function];
        above.lowest = std::min(above.lowest, nodes_[f].lowest);
      }
      order_.push_back(f);
      if (nodes_[f].lowest != nodes_[f].number) continue;
      std::uint32_t member = 0;
      do {
        member = open_.back();
        open_.pop_back();
        nodes_[member].group = f;
      } while (member != f);
    }
  }

  const ptx::module& module_;
  dynamic_array<std::uint32_t> taken_;
  dynamic_array<dynamic_array<std::uint32_t>> targets_;
  dynamic_array<node> nodes_;
  dynamic_array<std::uint32_t> order_;
  dynamic_array<std::uint32_t> open_;
  std::uint32_t count_ = 0;
};

}  // namespace tg::emulator
