// From an assignment to a launch: the plan, its kernel, and the parameters.
#pragma once

#include <tg/array/expression.hpp>

#include <cstddef>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

#include <tg/array/kernel.hpp>
#include <tg/array/parameters.hpp>
#include <tg/array/split_memory.hpp>
#include <tg/base/config.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/base/stopwatch.hpp>
#include <tg/dsl/block/look_back.hpp>
#include <tg/dsl/kernel/ptx_text.hpp>
#include <tg/runtime/compile.hpp>
#include <tg/runtime/launch.hpp>
#include <tg/runtime/view_maps.hpp>

namespace tg::detail {

[[gnu::used]] inline constexpr char include_tg_array_library_hpp_in_one_source_file = 0;

/// Where among the parameters of a launch a number of the expression is.
struct scalar_place {
  std::uint16_t offset;
  std::uint8_t bytes, number;
};

/// The launch of an assignment, with the places of its numbers among the parameters.
struct packed_launch {
  std::size_t number;  // of the kernel
  runtime::context* context;
  runtime::launch_plan plan;
  dynamic_array<std::byte> parameters;
  std::vector<scalar_place> scalars;
};

/// An assignment that was planned and packed: the same again takes neither. What tells one assignment of an expression from
/// another are contexts, addresses, extents and strides, and which numbers are the same one; not what the numbers are.
class planned_assignment {
 public:
  packed_launch launch;

  planned_assignment(packed_launch launch, const expression_kernels& kernels, const result_list& results,
                     const operand_list& operands)
      : launch(std::move(launch)), kernels_(&kernels) {
    const auto add = [&](std::int64_t word) {
      key_.push_back(word);
      return true;
    };
    for_each_word(results, operands, add);
  }
  /// Whether this is the assignment of these.
  bool is(const expression_kernels& kernels, const result_list& results, const operand_list& operands) const {
    if (kernels_ != &kernels) return false;
    const std::int64_t* next = key_.data();
    return for_each_word(results, operands, [&](std::int64_t word) { return *next++ == word; });
  }

 private:
  /// Calls `f` with what tells assignments of an expression from each other, until it is false. Returns: whether it was not.
  template <class F> static bool for_each_word(const result_list& results, const operand_list& operands, F f) {
    const auto has_all = [&](const array_place& p) {
      bool is_all =
          f(static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(p.context))) && f(static_cast<std::int64_t>(p.address));
      for (int k = 0; k < p.rank && is_all; ++k) is_all = f(p.extents[k]) && f(p.strides[k]);
      return is_all;
    };
    for (int r = 0; r < results.count; ++r)
      if (!has_all(results.places[static_cast<std::size_t>(r)])) return false;
    for (int l = 0; l < operands.leaf_count; ++l)
      if (!has_all(operands.leaves[static_cast<std::size_t>(l)])) return false;
    for (std::size_t k = 0; k < static_cast<std::size_t>(operands.scalar_count); ++k)
      if (!f(static_cast<std::int64_t>(operands.same_scalar(k)))) return false;
    return true;
  }

  const expression_kernels* kernels_;
  std::vector<std::int64_t> key_;
};

/// The last assignments of this thread, each in a place that follows from its expression and its memory. They are found without
/// a lock.
class last_assignments {
 public:
  /// The place of an assignment. Null in a thread that is about to end.
  static std::unique_ptr<planned_assignment>* place_of(const expression_kernels& kernels, const result_list& results,
                                                       const operand_list& operands) {
    if (own_ == nullptr && !begin()) return nullptr;
    std::uint64_t bits = reinterpret_cast<std::uintptr_t>(&kernels) + 3 * results.places[0].address;
    if (operands.leaf_count > 0) bits += 5 * operands.leaves[0].address;
    constexpr std::uint64_t golden = 0x9e3779b97f4a7c15u;  // 2^64 by the golden ratio, which spreads bits over the highest ones
    return &own_->places_[bits * golden >> (64 - place_bits)];
  }

 private:
  static constexpr int place_bits = 6;

  /// Ends with the thread, before the objects that outlive it.
  struct end_of_thread {
    ~end_of_thread() {
      delete own_;
      own_ = nullptr;
      is_over_ = true;
    }
  };
  static bool begin() {
    if (is_over_) return false;
    static thread_local const end_of_thread end;
    own_ = new last_assignments;
    return true;
  }

  static inline constinit thread_local last_assignments* own_ = nullptr;
  static inline constinit thread_local bool is_over_ = false;
  fixed_array<std::unique_ptr<planned_assignment>, std::size_t{1} << place_bits> places_;
};

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
    for_each_parameter(f, plan, [&](array_parameter what, int o, int, std::uint64_t number) {
      if (what != array_parameter::scalar) return add(number, bytes_of(what, plan.own));
      const auto k = static_cast<std::size_t>(o);
      const int bytes = bytes_of(f.scalars[k]);
      add(operands.scalars[k], static_cast<std::size_t>(bytes));
      scalars_.push_back({static_cast<std::uint16_t>(size_ - static_cast<std::size_t>(bytes)), static_cast<std::uint8_t>(bytes),
                          static_cast<std::uint8_t>(k)});
    });
  }

  const std::byte* data() const { return bytes_.data(); }
  std::size_t size() const { return size_; }
  const std::vector<scalar_place>& scalars() const { return scalars_; }

 private:
  // Numbers are little-endian, as the device's are.
  void add(std::uint64_t number, std::size_t bytes) {
    size_ = (size_ + bytes - 1) / bytes * bytes;
    std::memcpy(bytes_.data() + size_, &number, bytes);
    size_ += bytes;
  }

  static constexpr std::size_t most_bytes =
      8 * (most_operands * (1 + 3 * most_array_rank) + most_scalars + 8 + 4 * most_array_rank);
  alignas(16) fixed_array<std::byte, most_bytes> bytes_;
  std::vector<scalar_place> scalars_;
  std::size_t size_ = 0;
};

inline runtime::kernel_source source_of_array(const void* kernel) {
  const stopwatch watch;
  ptx_text own = write(static_cast<const array_kernel*>(kernel)->to_recordable());
  runtime::kernel_source out{std::move(own.text), own.version, own.sm, 0, own.target_suffix, {}, own.most_blocks};
  out.make_us = watch.us();
  return out;
}

/// The kernel of a plan, compiled on first use, and the number under which its device keeps it.
inline std::pair<const runtime::compiled_kernel*, std::size_t> compile(const expression_facts& facts,
                                                                       expression_kernels& kernels, const array_plan& plan,
                                                                       source_location where) {
  const std::size_t number = list_of(kernels).number_of(plan.own);
  if (const auto* known = plan.context->modules().find(number)) [[likely]]
    return {known, number};
  const array_kernel kernel{&facts, &plan, where};
  const recordable own = kernel.to_recordable();
  const runtime::block_threads block{static_cast<std::uint32_t>(own.block.x), static_cast<std::uint32_t>(own.block.y), 1};
  return {&runtime::compile(*plan.context, {own.name, block, where, &kernel, source_of_array, number}), number};
}

/// Whether a plan depends on scalars: reductions that are alike but for their scalars are one where those are equal, also if
/// each is a number of its own.
inline bool depends_on_scalars(const expression_facts& f, const kernel_class& own) {
  for (int k = 0; k < f.reduction_count; ++k)
    for (int other = 0; other < k; ++other) {
      const reduction_facts &a = f.reductions[static_cast<std::size_t>(k)], &b = f.reductions[static_cast<std::size_t>(other)];
      if (a.kind != b.kind) continue;
      for (int s = 0; s < a.counts.scalars; ++s)
        if (own.same_scalar[static_cast<std::size_t>(a.first.scalars + s)] !=
            own.same_scalar[static_cast<std::size_t>(b.first.scalars + s)])
          return true;
    }
  return false;
}

/// Launches an assignment that was planned before. Returns: whether its kernel is still the one that is loaded.
inline bool launch_again(packed_launch& known, const operand_list& operands, driver::stream_handle stream,
                         source_location where) {
  if (known.context->modules().find(known.number) != known.plan.kernel) return false;
  for (const scalar_place& own : known.scalars)
    std::memcpy(known.parameters.data() + own.offset, &operands.scalars[own.number], own.bytes);
  known.plan.where = where;
  runtime::launch(*known.context, known.plan, known.parameters.data(), known.parameters.size(), stream);
  return true;
}

/// Memory for what the blocks of a row hand over.
inline void take_split_memory(const expression_facts& facts, array_plan& plan, driver::stream_handle stream) {
  const auto of_scan = [&] { return look_back_words<std::uint64_t>(static_cast<std::size_t>(plan.grid[0])); };
  const auto scans = static_cast<std::size_t>(plan.own.is_scanned ? plan.rows * facts.scan_count : 0);
  const split_memory own = split_memory_of(*plan.context, stream, scans == 0 ? 0 : scans * of_scan());
  plan.parts = plan.own.is_scanned ? own.words : own.parts;
  plan.tickets = own.tickets;
}

TG_LIBRARY_FUNCTION void evaluate(const expression_facts& facts, expression_kernels& kernels, const result_list& results,
                                  const operand_list& operands, driver::stream_handle stream, source_location where) {
  std::unique_ptr<planned_assignment>* const known = last_assignments::place_of(kernels, results, operands);
  if (known != nullptr && *known != nullptr && (*known)->is(kernels, results, operands) &&
      launch_again((*known)->launch, operands, stream, where))
    return;
  array_plan plan = make_plan(facts, results, operands, where);
  if (plan.is_empty) return;
  if (plan.own.is_split) {
    // Graphs of one stream may run at the same time, so that nodes cannot share the stream's memory.
    if (plan.context->is_captured(stream)) plan = make_plan(facts, results, operands, where, false);
    else take_split_memory(facts, plan, stream);
  }
  const auto [kernel, number] = compile(facts, kernels, plan, where);
  const packed_parameters parameters(facts, plan, operands);
  dynamic_array<std::byte> all(parameters.data(), parameters.data() + parameters.size());
  if (!kernel->maps.is_empty())
    all = runtime::make_view_maps({*plan.context, kernel->name, where}, kernel->maps, all.data(), all.size(), nullptr, 0);
  const runtime::block_threads block{plan.own.threads, plan.own.beside, 1};
  const runtime::launch_plan launch = runtime::plan_launch(*plan.context, *kernel, {plan.grid, true, where}, block, all.data());
  runtime::launch(*plan.context, launch, all.data(), all.size(), stream);
  if (known == nullptr || plan.own.is_split || depends_on_scalars(facts, plan.own)) return;
  packed_launch packed{number, plan.context, launch, std::move(all), parameters.scalars()};
  *known = std::make_unique<planned_assignment>(std::move(packed), kernels, results, operands);
}

}  // namespace tg::detail
