// Spreads the blocks of a launch over host threads and adds up what they counted.
#pragma once

#include <tg/emulator/run/run.hpp>

#include <algorithm>
#include <atomic>
#include <deque>
#include <exception>
#include <mutex>
#include <thread>
#include <tuple>

#include <tg/base/config.hpp>
#include <tg/emulator/access/memory_traffic.hpp>
#include <tg/emulator/block/block_order.hpp>
#include <tg/emulator/check/conclusion.hpp>
#include <tg/emulator/decode/decode_arithmetic.hpp>
#include <tg/emulator/lanes/vector_unit.hpp>
#include <tg/emulator/launch/launch_text.hpp>
#include <tg/emulator/run/crew.hpp>
#include <tg/emulator/run/executor.hpp>
#include <tg/emulator/run/form_clusters.hpp>
#include <tg/ptx/meaning/instruction_work.hpp>

namespace tg::emulator::detail {

/// What the workers of one launch share.
struct grid_queue {
  std::uint64_t starts = 0;  // counts, as all here, what starts: clusters, or blocks that run as one
  std::uint64_t workers = 1;
  std::uint64_t most_at_once = 16;  // for one worker, which runs them one by one
  alignas(64) std::atomic<std::uint64_t> next{0};
  alignas(64) std::atomic<std::uint64_t> failed_block{~std::uint64_t{0}};
  std::mutex mutex;
  std::exception_ptr failure;
  launch_text text;
  block_order order;

  /// Numbers for one worker, from the first to before the second: fewer towards the end, so that all end together.
  std::pair<std::uint64_t, std::uint64_t> take() {
    std::uint64_t first = next.load(std::memory_order_relaxed), end;
    do {
      if (first >= starts) return {starts, starts};
      end = first + std::clamp<std::uint64_t>((starts - first) / (8 * workers), 1, most_at_once);
    } while (!next.compare_exchange_weak(first, end, std::memory_order_relaxed));
    return {first, end};
  }

  /// Keeps the failure of the earliest block; of blocks that run as one that which came first.
  void fail(std::uint64_t block, std::exception_ptr what) {
    const std::lock_guard lock(mutex);
    if (block >= failed_block.load()) return;
    failed_block = block;
    failure = std::move(what);
  }
};

/// One host thread: runs blocks one after another; blocks that do not end share it in turns.
class worker {
 public:
  worker(const machine& m, grid_queue& queue)
      : counts_(m.counts ? m.image.instructions.size() : 0),
        m_(m),
        queue_(queue),
        executor_(m, counts_),
        // Blocks of a cooperative grid are likely to spin, and waiting is slow where it is watched. Blocks that share a cache
        // take short turns.
        turn_instructions_(std::uint64_t{1} << (m.traffic != nullptr  ? 6
                                                : m.watch != nullptr  ? 12
                                                : m.shape.cooperative ? 14
                                                                      : 20)) {}

  void operator()() {
    const floating_mode scope(0);
    if (m_.shape.cooperative)
      for (std::uint64_t k = 0; k * queue_.workers < queue_.starts && open_cluster();) ++k;
    while (admit()) {
      block_cluster& c = *resident_.front();
      try {
        if (executor_.advance(c, turn_instructions_ * m_.abreast)) finish();
        else take_turns();
      } catch (...) {
        queue_.fail(c.number, std::current_exception());
        finish();
      }
    }
  }

  const dynamic_array<instruction_count>& counts() const { return counts_; }
  std::uint64_t barriers() const { return barriers_; }

 private:
  /// Makes sure that a cluster is there to run; false when all are done.
  bool admit() {
    while (!resident_.empty() && resident_.front()->number > queue_.failed_block) resident_.pop_front();
    return !resident_.empty() || open_cluster();
  }

  /// Takes the next number that no earlier failure makes idle. Returns: false when there is none.
  bool take_number(std::uint64_t& number) {
    do {
      if (next_ == end_) std::tie(next_, end_) = queue_.take();
      if (next_ == end_ || (!queue_.order.is_shuffled() && next_ > queue_.failed_block)) return false;
      number = queue_.order.at(next_++);
    } while (number > queue_.failed_block);
    return true;
  }

  bool open_cluster() {
    std::uint64_t number = 0;
    if (!take_number(number)) return false;
    if (spare_.empty()) spare_.push_back(std::make_unique<block_cluster>(m_));
    resident_.push_front(std::move(spare_.back()));
    spare_.pop_back();
    resident_.front()->start(number);
    if (m_.watch != nullptr)
      for (const auto& b : resident_.front()->blocks()) m_.watch->start(*b);
    return true;
  }

  void finish() {
    for (const auto& b : resident_.front()->blocks()) {
      if (m_.watch != nullptr) m_.watch->finish(*b);
      barriers_ += std::exchange(b->completed_barriers, 0);
      queue_.text.add(b->number, b->printed, b->asserted);
    }
    spare_.push_back(std::move(resident_.front()));
    resident_.pop_front();
    since_last_end_ = 0;
  }

  /// The blocks have had their turn: they may wait for one that has not started.
  void take_turns() {
    since_last_end_ += turn_instructions_;
    if (m_.options.watchdog_instructions != 0 && since_last_end_ >= m_.options.watchdog_instructions)
      throw error(code{425},
                  "kernel '" + m_.name + "' ran " + std::to_string(since_last_end_) +
                      " warp instructions without a block ending" + waiting_lanes(*resident_.front()),
                  "find the loop that does not end, or raise options::watchdog_instructions");
    resident_.push_back(std::move(resident_.front()));
    resident_.pop_front();
    if (resident_.size() < m_.options.resident_blocks) open_cluster();
  }

  dynamic_array<instruction_count> counts_;
  const machine& m_;
  grid_queue& queue_;
  executor executor_;
  std::uint64_t next_ = 0, end_ = 0;  // what it has taken and not started
  std::uint64_t turn_instructions_;
  std::deque<std::unique_ptr<block_cluster>> resident_;
  dynamic_array<std::unique_ptr<block_cluster>> spare_;
  std::uint64_t since_last_end_ = 0;
  std::uint64_t barriers_ = 0;
};

inline void check_launch(const machine& m, const kernel_info& kernel, std::span<const std::byte> params) {
  const auto& b = m.shape.block;
  const std::string who = "launch of '" + kernel.name + "'";
  const std::string block_text = std::to_string(b.x) + " x " + std::to_string(b.y) + " x " + std::to_string(b.z) + " threads";
  if (m.shape.block.count() == 0 || m.shape.block.count() > 1024)
    throw error(code{431}, who + " with blocks of " + block_text, "use 1 to 1024 threads per block");
  if (m.shape.grid.count() == 0) throw error(code{432}, who + " with an empty grid", "launch at least one block");
  if (params.size() < kernel.parameter_bytes)
    throw error(code{433},
                who + " with " + std::to_string(params.size()) + " bytes of parameters, it has " +
                    std::to_string(kernel.parameter_bytes),
                "pass every parameter of the kernel");
  const auto& need = kernel.required_threads;
  if (need[0] != 0 && (b.x != need[0] || b.y != std::max(need[1], 1u) || b.z != std::max(need[2], 1u)))
    throw error(code{434},
                who + " with blocks of " + block_text + ", but it requires " + std::to_string(need[0]) + " x " +
                    std::to_string(std::max(need[1], 1u)) + " x " + std::to_string(std::max(need[2], 1u)),
                "launch it with the block shape it was written for");
  const auto& most = kernel.max_threads;
  if (most[0] != 0 && b.count() > std::uint64_t{most[0]} * std::max(most[1], 1u) * std::max(most[2], 1u))
    throw error(code{434}, who + " with blocks of " + block_text + ", more than its .maxntid", "launch smaller blocks");
}

/// How many blocks of this launch run as one on `cores` host threads.
inline std::uint32_t blocks_abreast(const machine& m, std::uint64_t cores) {
  constexpr std::uint64_t frame_bytes = std::uint64_t{1} << 20;  // stays in a core's cache
  if (!m.kernel.may_run_abreast || !m.options.patterns || m.options.seed != 0 || m.watch != nullptr || m.counts ||
      m.shape.cooperative || m.cluster.count() != 1 || m.threads % 32 != 0)
    return 1;
  const std::uint64_t enough_for_all = cores == 1 ? most_abreast : m.shape.grid.count() / (4 * cores),
                      by_frame = frame_bytes / (std::uint64_t{m.kernel.slot_end} * 4 * m.threads);
  return static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
      std::min({std::uint64_t{m.shape.grid.x}, std::uint64_t{most_warps / m.warps}, enough_for_all, by_frame}), 1,
      most_abreast));
}

/// One row per PTX instruction of the kernels and functions, in their order.
inline void add_counts(const machine& m, const dynamic_array<instruction_count>& from, counters& to) {
  const ptx::module& source = m.loaded.source();
  std::size_t row = 0;
  const bool is_new = to.instructions.empty();
  for (std::size_t k = 0; k < from.size(); ++k) {
    const instruction_info& info = m.image.instructions[k];
    const ptx::function& f = source.functions[info.function];
    if (info.index >= f.body.size()) continue;
    const ptx::instruction& i = f.body[info.index];
    if (is_new) {
      instruction_counters& made = to.instructions.emplace_back();
      made.function = f.name;
      made.index = info.index;
      made.ptx_line = m.loaded.ptx_line(info.function, info.index);
      made.access = i.access;
      if (i.where.line != 0) made.file = source.files[i.where.file], made.line = i.where.line;
      made.op = i.op;
      made.type = i.type();
    }
    if (row >= to.instructions.size()) break;
    instruction_counters& sum = to.instructions[row++];
    const instruction_count& c = from[k];
    const bool had_full = sum.full_requests != 0;
    sum.executions += c.executions;
    sum.active_lanes += c.active_lanes;
    sum.divergent += c.divergent;
    sum.requests += c.requests;
    sum.full_requests += c.full_requests;
    sum.bytes += c.bytes;
    sum.sectors += c.sectors;
    sum.lines += c.lines;
    sum.wavefronts += c.wavefronts;
    sum.copied_bytes += c.copied_bytes;
    if (c.space != ptx::token::none) sum.space = c.space;
    if (c.full_requests != 0 && c.sectors_max != 0) {
      sum.full_sectors_min = had_full ? std::min(sum.full_sectors_min, c.sectors_min) : c.sectors_min;
      sum.full_sectors_max = std::max(sum.full_sectors_max, c.sectors_max);
    }
    if (c.full_requests != 0 && c.wavefronts_max != 0) {
      sum.full_wavefronts_min = had_full ? std::min(sum.full_wavefronts_min, c.wavefronts_min) : c.wavefronts_min;
      sum.full_wavefronts_max = std::max(sum.full_wavefronts_max, c.wavefronts_max);
    }
    to.warp_instructions += c.executions;
    to.thread_instructions += c.active_lanes;
    const std::uint64_t flops = ptx::flops_of(i) * c.active_lanes;
    sum.flops += flops;
    (i.type() == ptx::token::f64 ? to.flops_f64 : i.type() == ptx::token::f32 ? to.flops_f32 : to.flops_f16) += flops;
    const ptx::matrix_work matrix = ptx::matrix_work_of(i);
    if (matrix.multiply_adds == 0 || c.executions == 0) continue;
    sum.matrix_type = matrix.type;
    sum.multiply_adds += matrix.multiply_adds * c.executions;
    to.multiply_adds[matrix.type] += matrix.multiply_adds * c.executions;
  }
}

}  // namespace tg::emulator::detail

TG_LIBRARY_FUNCTION void tg::emulator::run(memory& memory, const program& program, std::size_t kernel_index,
                                           const launch_shape& shape, std::span<const std::byte> params, const options& options,
                                           counters* counted) {
  static const lane_code lanes = find_lane_code();
  if (program.image().uses_heap) memory.heap(options.heap_bytes);
  emulator::options how = options;
  if (how.check.watches()) how.check.memory = true, how.threads = 1;
  if (counted != nullptr && how.cache_bytes != 0) how.threads = 1;
  if (!how.check.init) memory.trust_contents();
  const detail::grid_workspace workspace(memory, shape);
  machine m(memory, program, kernel_index, shape, how, lanes);
  detail::check_launch(m, program.kernels()[kernel_index], params);
  detail::form_clusters(m, kernel_index);
  m.workspace = workspace.address();
  m.params.assign(params.begin(), params.end());
  m.counts = counted != nullptr;
  std::optional<check::watch> watch;
  if (how.check.watches()) m.watch = &watch.emplace(m);
  std::optional<memory_traffic> traffic;
  if (m.counts && how.cache_bytes != 0) m.traffic = &traffic.emplace(how.cache_bytes);
  detail::grid_queue queue;
  const std::uint64_t cores = how.threads != 0 ? how.threads : std::max(1u, std::thread::hardware_concurrency());
  m.abreast = detail::blocks_abreast(m, cores);
  queue.starts = m.starts();
  queue.order = block_order(options.seed, queue.starts);
  if (shape.cooperative) queue.most_at_once = 1;  // each holds its share
  crew hands(static_cast<std::size_t>(std::min(cores, queue.starts)));
  queue.workers = hands.size();
  dynamic_array<std::unique_ptr<detail::worker>> workers;
  for (std::size_t k = 0; k < hands.size(); ++k) workers.push_back(std::make_unique<detail::worker>(m, queue));
  hands.run([&](std::size_t k) { (*workers[k])(); });
  queue.text.flush(options, queue.failure ? queue.failed_block * m.cluster.count() : queue.failed_block.load());
  check::conclude(how, m.watch, queue.failure);
  if (how.touched != nullptr && m.watch != nullptr) m.watch->collect(*how.touched);
  if (counted == nullptr) return;
  for (const auto& w : workers) {
    detail::add_counts(m, w->counts(), *counted);
    counted->barriers += w->barriers();
  }
  if (!traffic) return;
  traffic->finish();
  counted->memory_read_bytes += traffic->read_bytes();
  counted->memory_written_bytes += traffic->written_bytes();
  counted->memory_least_bytes += traffic->least_bytes();
}
