// The two halves of the barrier of a cluster: each arrival is followed by one wait.
//
// Where ways meet of which one has arrived and the other has not, nothing is said of what follows.
// Source: PTX ISA 9.0, "barrier.cluster".
#pragma once

#include <cstdint>
#include <utility>

#include <tg/base/dynamic_array.hpp>
#include <tg/base/error.hpp>
#include <tg/ptx/ir/module.hpp>
#include <tg/ptx/ir/opcode_table.hpp>

namespace tg::detail {

/// Follows a recorded function.
class cluster_halves {
 public:
  cluster_halves(const ptx::module& m, const ptx::function& f) : module_(m), f_(f) {}

  /// Errors: TG154 for a wait without an arrival, and for an arrival behind one that nobody has waited for.
  void operator()() {
    for (const ptx::instruction& i : f_.body) {
      if (ptx::is_marker(i.op)) pass_marker(i.op);
      else if (ptx::has_trait(i.op, ptx::trait::meets_block) && i.has(ptx::token::cluster)) meet(i);
    }
  }

 private:
  enum class state : std::uint8_t { away, arrived, unknown };

  static state joined(state a, state b) { return a == b ? a : state::unknown; }

  void pass_marker(ptx::opcode op) {
    switch (op) {
      case ptx::opcode::if_:
      case ptx::opcode::loop: open_.push_back(now_); break;
      case ptx::opcode::else_: std::swap(open_.back(), now_); break;
      case ptx::opcode::endif:
      case ptx::opcode::endloop:
        now_ = joined(now_, open_.back());
        open_.pop_back();
        break;
      default: break;
    }
  }

  void meet(const ptx::instruction& i) {
    const bool arrives = i.has(ptx::token::arrive);
    const state wanted = arrives ? state::away : state::arrived;
    if (now_ != wanted && now_ != state::unknown)
      throw error(code{154},
                  arrives ? "a thread arrives at the barrier of its cluster a second time, and has not waited"
                          : "a thread waits at the barrier of its cluster and has not arrived",
                  "write `const auto come = cluster.arrive();` and one `come.wait();` behind it, or cluster.sync()",
                  module_.files[i.where.file], static_cast<int>(i.where.line));
    now_ = arrives ? state::arrived : state::away;
  }

  const ptx::module& module_;
  const ptx::function& f_;
  dynamic_array<state> open_;
  state now_ = state::away;
};

}  // namespace tg::detail
