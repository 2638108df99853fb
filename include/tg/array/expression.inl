// From an assignment to a launch: the plan, its kernel, and the parameters.
#pragma once

#include <tg/array/expression.hpp>

#include <array>
#include <cstddef>
#include <cstring>
#include <deque>
#include <memory>
#include <mutex>
#include <tuple>
#include <utility>
#include <vector>

#include <tg/array/kernel.hpp>
#include <tg/array/parameters.hpp>
#include <tg/array/split_memory.hpp>
#include <tg/base/config.hpp>
#include <tg/base/stopwatch.hpp>
#include <tg/dsl/kernel/ptx_text.hpp>
#include <tg/runtime/compile.hpp>
#include <tg/runtime/launch.hpp>
#include <tg/runtime/view_maps.hpp>

namespace tg::detail {

[[gnu::used]] inline constexpr char include_tg_array_library_hpp_in_one_source_file = 0;

/// What tells one assignment of an expression from another: contexts, addresses, extents and strides, and which numbers are the
/// same one. What the numbers are is not in it.
class assignment_key {
 public:
  assignment_key(const result_list& results, const operand_list& operands) {
    for (int r = 0; r < results.count; ++r) add(results.places[static_cast<std::size_t>(r)]);
    for (int l = 0; l < operands.leaf_count; ++l) add(operands.leaves[static_cast<std::size_t>(l)]);
    for (std::size_t k = 0; k < static_cast<std::size_t>(operands.scalar_count); ++k)
      words_[count_++] = static_cast<std::int64_t>(operands.same_scalar(k));
  }
  friend bool operator==(const assignment_key& a, const assignment_key& b) {
    return a.count_ == b.count_ && std::memcmp(a.words_.data(), b.words_.data(), a.count_ * sizeof(std::int64_t)) == 0;
  }

 private:
  void add(const array_place& p) {
    words_[count_++] = static_cast<std::int64_t>(reinterpret_cast<std::intptr_t>(p.context));
    words_[count_++] = static_cast<std::int64_t>(p.address);
    for (int k = 0; k < p.rank; ++k) {
      words_[count_++] = p.extents[k];
      words_[count_++] = p.strides[k];
    }
  }

  std::size_t count_ = 0;
  std::array<std::int64_t, most_operands * (2 + 2 * most_array_rank) + most_scalars> words_;
};

/// An assignment that was planned and packed: the same again takes neither.
struct planned_assignment {
  assignment_key key;
  std::size_t number;
  runtime::context* context;
  std::array<std::int64_t, 3> grid;
  runtime::block_threads block;
  std::vector<std::byte> parameters;
  std::array<std::uint16_t, most_scalars> scalars_at;
  std::array<std::uint8_t, most_scalars> same_scalar;
};

/// The kernels that an expression's type has become, by the class of its plans, and its last assignments.
class expression_kernel_list {
 public:
  /// The number under which a device keeps the kernel of this class.
  std::size_t number_of(const kernel_class& own) {
    const std::lock_guard lock(mutex_);
    for (const auto& [known, number] : kernels_)
      if (known == own) return number;
    return kernels_.emplace_back(own, runtime::kernel_count++).second;
  }
  /// The assignment with this key; null where it is none of the last ones.
  std::shared_ptr<const planned_assignment> find(const assignment_key& key) {
    const std::lock_guard lock(mutex_);
    for (const auto& known : last_)
      if (known != nullptr && known->key == key) return known;
    return nullptr;
  }
  void keep(planned_assignment made) {
    auto kept = std::make_shared<const planned_assignment>(std::move(made));
    const std::lock_guard lock(mutex_);
    last_[next_++ % last_.size()] = std::move(kept);
  }

 private:
  std::mutex mutex_;
  std::deque<std::pair<kernel_class, std::size_t>> kernels_;
  std::array<std::shared_ptr<const planned_assignment>, 4> last_;
  std::size_t next_ = 0;
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
      const auto k = static_cast<std::size_t>(o), bytes = static_cast<std::size_t>(bytes_of(f.scalars[k]));
      add(operands.scalars[k], bytes);
      scalars_at_[k] = static_cast<std::uint16_t>(size_ - bytes);
    });
  }

  const std::byte* data() const { return bytes_.data(); }
  std::size_t size() const { return size_; }
  const std::array<std::uint16_t, most_scalars>& scalars_at() const { return scalars_at_; }

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
  std::array<std::uint16_t, most_scalars> scalars_at_;
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

/// Launches an assignment that was planned before. Returns: whether its kernel is still loaded.
inline bool launch_again(const planned_assignment& known, const expression_facts& facts, const operand_list& operands,
                         driver::stream_handle stream, source_location where) {
  const auto* kernel = known.context->modules().find(known.number);
  if (kernel == nullptr) return false;
  alignas(16) std::array<std::byte, 1024> bytes;
  const std::size_t size = known.parameters.size();
  if (size > bytes.size()) return false;
  std::memcpy(bytes.data(), known.parameters.data(), size);
  for (std::size_t k = 0; k < static_cast<std::size_t>(facts.scalar_count); ++k)
    if (known.same_scalar[k] == k)
      std::memcpy(bytes.data() + known.scalars_at[k], &operands.scalars[k],
                  static_cast<std::size_t>(bytes_of(facts.scalars[k])));
  runtime::launch(*known.context, *kernel, {known.grid, true, where}, known.block, bytes.data(), size, stream);
  return true;
}

TG_LIBRARY_FUNCTION void evaluate(const expression_facts& facts, expression_kernels& kernels, const result_list& results,
                                  const operand_list& operands, driver::stream_handle stream, source_location where) {
  expression_kernel_list& list = list_of(kernels);
  const assignment_key key(results, operands);
  if (const auto known = list.find(key); known != nullptr && launch_again(*known, facts, operands, stream, where)) return;
  array_plan plan = make_plan(facts, results, operands, where);
  if (plan.is_empty) return;
  if (plan.own.is_split) {
    // Graphs of one stream may run at the same time, so that nodes cannot share the stream's memory.
    if (plan.context->is_captured(stream)) plan = make_plan(facts, results, operands, where, false);
    else std::tie(plan.parts, plan.tickets) = split_memory_of(*plan.context, stream);
  }
  const auto [kernel, number] = compile(facts, kernels, plan, where);
  const packed_parameters parameters(facts, plan, operands);
  const runtime::block_threads block{plan.own.threads, plan.own.beside, 1};
  std::vector<std::byte> all(parameters.data(), parameters.data() + parameters.size());
  if (!kernel->maps.is_empty())
    all = runtime::make_view_maps({*plan.context, kernel->name, where}, kernel->maps, all.data(), all.size(), nullptr, 0);
  runtime::launch(*plan.context, *kernel, {plan.grid, true, where}, block, all.data(), all.size(), stream);
  if (!plan.own.is_split && !depends_on_scalars(facts, plan.own))
    list.keep({key, number, plan.context, plan.grid, block, std::move(all), parameters.scalars_at(), plan.own.same_scalar});
}

}  // namespace tg::detail
