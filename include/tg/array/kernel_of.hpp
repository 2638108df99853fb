// The kernel that an expression becomes, for those who want to see it: its text, its cost, its proofs.
#pragma once

#include <memory>

#include <tg/array/assign.hpp>
#include <tg/array/kernel.hpp>
#include <tg/dsl/proof/parameter_fact.hpp>

namespace tg {

/// The kernel of an assignment for arrays of these shapes and layouts; from `tg::kernel_of`. It is an argument of `tg::to_ptx`,
/// `tg::cost`, `tg::trace`, `tg::analyze` and `tg::explain`, like kernels that are written down.
class expression_kernel {
 public:
  /// Errors: TG700 to TG702, TG705 to TG707.
  static expression_kernel make(const detail::expression_facts& facts, const detail::result_list& results,
                                const detail::operand_list& operands, source_location where);

  detail::recordable to_recordable() const { return own_->kernel.to_recordable(); }
  dynamic_array<proof::parameter_fact> parameter_facts() const;

  /// Blocks of a launch.
  std::int64_t blocks() const { return own_->plan.grid[0] * own_->plan.grid[1] * own_->plan.grid[2]; }
  /// Bytes that any kernel for it moves: each element of each array that it reads, and of each result, once. An element that
  /// several views of one array have counts once.
  std::int64_t floor_bytes() const { return own_->floor_bytes; }

 private:
  struct state {
    detail::array_plan plan;
    detail::array_kernel kernel;
    std::int64_t floor_bytes = 0;
  };
  explicit expression_kernel(std::shared_ptr<const state> own) : own_(std::move(own)) {}

  std::shared_ptr<const state> own_;
};

/// The kernel of `tg::into(y) = expression`, or of several results: `tg::to_ptx(tg::kernel_of(tg::into(y) = tg::exp(x)))`.
/// Nothing is computed. Errors: TG700 to TG707, TG712, TG715.
template <class First, class... More> requires requires(const First& f) { f.node; }
expression_kernel kernel_of(const First& first, const More&... more) {
  using whole = typename detail::whole_assignment<First, More...>::type;
  detail::result_list results;
  detail::operand_list operands;
  detail::collect_assignments(results, operands, first, more...);
  return expression_kernel::make(whole::facts, results, operands, first.where);
}

}  // namespace tg
