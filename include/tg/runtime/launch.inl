// Checks a launch with options: shared memory, clusters, blocks that must all run at once, overlap, priority,
// carve-out.
#pragma once

#include <tg/runtime/launch.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/runtime/launch_memory.hpp>
#include <tg/runtime/shared_sizes.hpp>

namespace tg::runtime {

namespace detail {

/// The checks of one launch; each says no with the kernel's name and the line of the launch.
class launch_check {
 public:
  launch_check(context& device, const placement& where, launch_plan& plan)
      : device_(device),
        options_(where.options),
        plan_(plan),
        threads_(std::uint64_t{plan.block[0]} * plan.block[1] * plan.block[2]) {}

  void shared_memory();
  void carve_out();
  void priority();
  void overlap();
  void cluster();
  void cooperation();

 private:
  const driver::table& api() const { return device_.api(); }
  std::string kernel() const { return "launch of '" + plan_.kernel->name + "': "; }
  [[noreturn]] void refuse(code c, const std::string& fact, std::string_view fix) const {
    throw error(c, kernel() + fact, fix, plan_.where);
  }
  [[noreturn]] void refuse_feature(const char* what, const char* since) const {
    refuse(launch_feature,
           std::string(what) + " " + since + "; '" + device_.name() + "' is sm_" +
               std::to_string(device_.limits().compute_capability),
           "launch without the option on this device");
  }
  driver::launch_attribute_value& add(driver::launch_attribute_id id) {
    auto& added = plan_.attributes[plan_.attribute_count++];
    added.id = id;
    return added.value;
  }
  /// The driver's answer to a question about the function, asked once.
  template <class F> int ask(launch_memory::question what, F ask_driver, bool is_of_shape = false) const {
    launch_memory::key key{.function = plan_.kernel->function, .what = what};
    if (is_of_shape) {
      key.block = plan_.block;
      key.cluster = options_.cluster;
      key.shared_bytes = plan_.shared_bytes;
    }
    return device_.launch_memory().find_or_ask(key, ask_driver);
  }
  int function(launch_memory::question what, driver::function_attribute a) const {
    return ask(what, [&] {
      int value = 0;
      device_.call(api().cuFuncGetAttribute, &value, a, plan_.kernel->function);
      return value;
    });
  }
  /// Allows the function something once and for all, which changes no launch that does not use it.
  void allow(launch_memory::question what, driver::function_attribute a, int value) const {
    ask(what, [&] {
      device_.call(api().cuFuncSetAttribute, plan_.kernel->function, a, value);
      return value;
    });
  }
  driver::launch_config config() {
    return {plan_.grid[0],  plan_.grid[1],      plan_.grid[2], plan_.block[0],   plan_.block[1],
            plan_.block[2], plan_.shared_bytes, nullptr,       plan_.attributes, plan_.attribute_count};
  }
  std::string residents() const;

  context& device_;
  const launch_options& options_;
  launch_plan& plan_;
  std::uint64_t threads_;
};

/// More than a block has without asking is asked for once and for all, because launches of other sizes may be under
/// way.
inline void launch_check::shared_memory() {
  const device_limits& limits = device_.limits();
  const auto own = static_cast<std::size_t>(plan_.kernel->static_shared_bytes);
  const std::size_t most = std::max(limits.shared_bytes, limits.shared_bytes_opt_in);
  if (options_.shared_bytes > most || own + plan_.shared_bytes > most)
    refuse(shared_size,
           "the kernel has " + std::to_string(own + plan_.shared_bytes - plan_.option_shared_bytes) +
               " bytes of shared memory of its own and is to get " + std::to_string(options_.shared_bytes) +
               " more; a block has at most " + std::to_string(most),
           "use smaller tiles, or fewer of them");
  if (own + plan_.shared_bytes > limits.shared_bytes)
    allow(launch_memory::question::allows_shared_bytes, driver::function_attribute::max_dynamic_shared_size_bytes,
          static_cast<int>(most - own));
}

inline void launch_check::carve_out() {
  const int percent = options_.carve_out_percent;
  if (percent == -1) return;
  if (percent < 0 || percent > 100)
    refuse(launch_option_range, "a carve-out of " + std::to_string(percent) + " percent", "use 0 to 100");
  constexpr int knows_attribute = 13000;
  if (device_.limits().driver_version < knows_attribute) plan_.carve_out_percent = percent;
  else add(driver::launch_attribute_id::preferred_shared_memory_carveout).number = percent;
}

inline void launch_check::priority() {
  if (!options_.has_priority) return;
  const auto [least, greatest] = device_.priorities();
  if (options_.priority > least || options_.priority < greatest)
    refuse(launch_option_range, "a priority of " + std::to_string(options_.priority),
           "use " + std::to_string(least) + ", the least urgent, to " + std::to_string(greatest));
  add(driver::launch_attribute_id::priority).number = options_.priority;
}

inline void launch_check::overlap() {
  if (!options_.overlaps_previous) return;
  if (device_.limits().compute_capability < 90) refuse_feature("a launch overlaps the one before it", "from sm_90 on");
  if (!plan_.kernel->waits_for_prior_grids)
    refuse(overlap_without_wait, "the kernel never waits for the launch that it is to overlap",
           "call tg::wait_for_prior_grids() in the kernel before it reads what that launch writes");
  add(driver::launch_attribute_id::programmatic_stream_serialization).number = 1;
}

inline void launch_check::cluster() {
  const auto& wanted = options_.cluster;
  if (wanted == fixed_array<std::uint32_t, 3>{}) return;
  if (!device_.limits().has_clusters) refuse_feature("blocks form clusters", "from sm_90 on");
  const std::uint64_t blocks = std::uint64_t{wanted[0]} * wanted[1] * wanted[2];
  const std::string shape = std::to_string(wanted[0]) + " x " + std::to_string(wanted[1]) + " x " + std::to_string(wanted[2]);
  using enum driver::function_attribute;
  using enum launch_memory::question;
  const std::array compiled{function(cluster_x, required_cluster_width), function(cluster_y, required_cluster_height),
                            function(cluster_z, required_cluster_depth)};
  for (std::size_t i = 0; i < 3; ++i) {
    if (wanted[i] == 0 || plan_.grid[i] % wanted[i] != 0)
      refuse(cluster_shape,
             "clusters of " + shape + " blocks do not fill " + std::to_string(plan_.grid[i]) + " blocks along " + "xyz"[i],
             wanted[i] == 0 ? "use 1 along an axis without clusters" : "round the grid up to whole clusters");
    if (compiled[i] != 0 && static_cast<std::uint32_t>(compiled[i]) != wanted[i])
      refuse(
          cluster_shape,
          "clusters of " + shape + " blocks; the kernel was compiled for " + std::to_string(compiled[i]) + " along " + "xyz"[i],
          "launch it without the option, or as it was compiled");
  }
  constexpr std::uint64_t portable = 8, most = 16;  // Source: CUDA C++ Programming Guide 13.0, 5.2.1
  if (blocks > most)
    refuse(cluster_shape, "clusters of " + std::to_string(blocks) + " blocks; a cluster has at most " + std::to_string(most),
           "use smaller clusters");
  if (blocks > portable) allow(allows_big_clusters, non_portable_cluster_size_allowed, 1);
  add(driver::launch_attribute_id::cluster_dimension).extent = {wanted[0], wanted[1], wanted[2]};
  const auto count = [&] {
    int out = 0;
    const driver::launch_config c = config();
    device_.call(api().cuOccupancyMaxActiveClusters, &out, plan_.kernel->function, &c);
    return out;
  };
  if (ask(clusters, count, true) == 0)
    refuse(cluster_shape,
           "no cluster of " + std::to_string(blocks) + " blocks fits on '" + device_.name() + "': " + residents(),
           "use smaller clusters or blocks");
}

inline void launch_check::cooperation() {
  if (!options_.is_cooperative) return;
  const device_limits& limits = device_.limits();
  if (!limits.has_cooperative_launch) refuse_feature("blocks wait for each other", "from sm_60 on");
  const auto count = [&] {
    int out = 0;
    device_.call(api().cuOccupancyMaxActiveBlocksPerMultiprocessor, &out, plan_.kernel->function, static_cast<int>(threads_),
                 std::size_t{plan_.shared_bytes});
    return out;
  };
  const int each = ask(launch_memory::question::resident_blocks, count, true);
  const std::uint64_t blocks = std::uint64_t{plan_.grid[0]} * plan_.grid[1] * plan_.grid[2];
  const std::uint64_t most = static_cast<std::uint64_t>(each) * static_cast<std::uint64_t>(limits.multiprocessors);
  if (blocks > most)
    refuse(not_resident,
           std::to_string(blocks) + " blocks wait for each other; at most " + std::to_string(most) +
               " run at once: " + residents(),
           "launch that many, and loop over the elements");
  add(driver::launch_attribute_id::cooperative).number = 1;
}

/// How many blocks a multiprocessor takes by each of its resources.
inline std::string launch_check::residents() const {
  const device_limits& limits = device_.limits();
  const std::int64_t shared = std::int64_t{plan_.kernel->static_shared_bytes} + plan_.shared_bytes;
  const analysis::occupancy o =
      analysis::find_occupancy(limits.multiprocessor(), {static_cast<int>(threads_), plan_.kernel->registers, shared});
  const std::array<std::pair<int, std::string>, 4> by{{
      {o.by_threads, std::to_string(threads_) + " threads"},
      {o.by_registers, std::to_string(plan_.kernel->registers) + " registers a thread"},
      {o.by_shared_memory, std::to_string(shared) + " bytes of shared memory"},
      {o.by_blocks, "the number of blocks"},
  }};
  const auto& least = *std::ranges::min_element(by, {}, [](const auto& b) { return b.first; });
  return std::to_string(limits.multiprocessors) + " multiprocessors take " + std::to_string(least.first) + " each, by " +
         least.second;
}

}  // namespace detail

TG_LIBRARY_FUNCTION launch_plan plan_launch(context& device, const compiled_kernel& kernel, const placement& where,
                                            const block_threads& block, const void* parameters) {
  launch_plan out{.kernel = &kernel,
                  .grid = to_blocks(where, block, device.limits().grid),
                  .block = launched(kernel, block),
                  .where = where.where};
  require_reach(kernel, out.grid, where);
  require_clusters(kernel, out.grid, where);
  const bool is_known = parameters != nullptr || !kernel.shared.depends_on_arguments;
  out.shared_bytes =
      is_known ? shared_bytes_for(kernel.name, kernel.shared, parameters, where.where) : kernel.shared.fixed_bytes;
  if (!where.has_options) return out;
  out.option_shared_bytes = static_cast<std::uint32_t>(std::min<std::size_t>(where.options.shared_bytes, 1u << 30));
  out.shared_bytes += out.option_shared_bytes;
  detail::launch_check check(device, where, out);
  check.shared_memory();
  check.carve_out();
  check.priority();
  check.overlap();
  check.cluster();
  check.cooperation();
  return out;
}

}  // namespace tg::runtime
