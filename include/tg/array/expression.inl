// From an assignment to a launch: the plan, its kernel, and the parameters.
#pragma once

#include <tg/array/expression.hpp>

#include <cstring>
#include <deque>
#include <mutex>
#include <tuple>
#include <utility>

#include <tg/array/kernel.hpp>
#include <tg/array/parameters.hpp>
#include <tg/array/split_memory.hpp>
#include <tg/base/config.hpp>
#include <tg/base/stopwatch.hpp>
#include <tg/dsl/kernel/ptx_text.hpp>
#include <tg/runtime/compile.hpp>
#include <tg/runtime/launch.hpp>

namespace tg::detail {

/// The kernels that an expression's type has become, by the class of its plans.
class expression_kernel_list {
 public:
  /// The number under which a device keeps the kernel of this class.
  std::size_t number_of(const kernel_class& own) {
    const std::lock_guard lock(mutex_);
    for (const auto& [known, number] : kernels_)
      if (known == own) return number;
    return kernels_.emplace_back(own, runtime::kernel_count++).second;
  }

 private:
  std::mutex mutex_;
  std::deque<std::pair<kernel_class, std::size_t>> kernels_;
};

inline expression_kernel_list& list_of(expression_kernels& kernels) {
  if (void* known = kernels.known.load(std::memory_order_acquire)) return *static_cast<expression_kernel_list*>(known);
  auto* made = new expression_kernel_list;
  void* expected = nullptr;
  if (kernels.known.compare_exchange_strong(expected, made, std::memory_order_acq_rel)) return *made;
  delete made;
  return *static_cast<expression_kernel_list*>(expected);
}

/// The parameters of a launch, each at a multiple of its size.
class packed_parameters {
 public:
  packed_parameters(const expression_facts& f, const array_plan& plan, const operand_list& operands) {
    const std::size_t lane_bytes = plan.own.is_wide ? 8 : 4;
    for_each_parameter(f, plan, [&](array_parameter what, int o, int, std::uint64_t number) {
      switch (what) {
        case array_parameter::base:
        case array_parameter::lane_stride:
        case array_parameter::count:
        case array_parameter::parts:
        case array_parameter::tickets: return add(number, 8);
        case array_parameter::row_stride:
        case array_parameter::loop_stride: return add(number, plan.own.has_short_strides ? 4 : 8);
        case array_parameter::lanes:
        case array_parameter::final_lanes:
        case array_parameter::lane_extent:
        case array_parameter::final_extent: return add(number, lane_bytes);
        case array_parameter::rest:
        case array_parameter::rows:
        case array_parameter::loop:
        case array_parameter::row_extent:
        case array_parameter::loop_extent: return add(number, 4);
        case array_parameter::scalar: {
          const auto k = static_cast<std::size_t>(o);
          return add(operands.scalars[k], static_cast<std::size_t>(bytes_of(f.scalars[k])));
        }
      }
    });
  }

  const void* data() const { return bytes_.data(); }
  std::size_t size() const { return size_; }

 private:
  // Numbers are little-endian, as the device's are.
  void add(std::uint64_t number, std::size_t bytes) {
    size_ = (size_ + bytes - 1) / bytes * bytes;
    std::memcpy(bytes_.data() + size_, &number, bytes);
    size_ += bytes;
  }

  static constexpr std::size_t most_bytes =
      8 * (most_operands * (1 + 3 * most_array_rank) + most_scalars + 8 + 4 * most_array_rank);
  alignas(16) std::array<std::byte, most_bytes> bytes_;
  std::size_t size_ = 0;
};

inline runtime::kernel_source source_of_array(const void* kernel) {
  const stopwatch watch;
  ptx_text own = write(static_cast<const array_kernel*>(kernel)->to_recordable());
  runtime::kernel_source out{std::move(own.text), own.version, own.sm, 0, own.target_suffix, {}, own.most_blocks};
  out.make_us = watch.us();
  return out;
}

/// The kernel of a plan as its device runs it, made on first use.
inline const runtime::compiled_kernel& compile(const expression_facts& facts, expression_kernels& kernels,
                                               const array_plan& plan, source_location where) {
  const std::size_t number = list_of(kernels).number_of(plan.own);
  if (const auto* known = plan.context->modules().find(number)) [[likely]]
    return *known;
  const array_kernel kernel{&facts, &plan, where};
  const recordable own = kernel.to_recordable();
  return runtime::compile(
      *plan.context,
      {own.name, {std::uint32_t(own.block.x), std::uint32_t(own.block.y), 1}, where, &kernel, source_of_array, number});
}

TG_LIBRARY_FUNCTION void evaluate(const expression_facts& facts, expression_kernels& kernels, const result_list& results,
                                  const operand_list& operands, driver::stream_handle stream, source_location where) {
  array_plan plan = make_plan(facts, results, operands, where);
  if (plan.is_empty) return;
  if (plan.own.is_split) {
    // Graphs of one stream may run at the same time, so that nodes cannot share the stream's memory.
    if (is_captured(*plan.context, stream)) plan = make_plan(facts, results, operands, where, false);
    else std::tie(plan.parts, plan.tickets) = split_memory_of(*plan.context, stream);
  }
  const runtime::compiled_kernel& kernel = compile(facts, kernels, plan, where);
  const packed_parameters parameters(facts, plan, operands);
  const placement blocks{plan.grid, true, where};
  runtime::launch(*plan.context, kernel, blocks, {plan.own.threads, plan.own.beside, 1}, parameters.data(), parameters.size(),
                  stream);
}

}  // namespace tg::detail
