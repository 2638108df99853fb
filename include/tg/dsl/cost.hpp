// What a kernel costs before it runs: `tg::cost(kernel).sectors_per_request()`.
#pragma once

#include <algorithm>
#include <array>

#include <tg/dsl/kernel_cost.hpp>
#include <tg/dsl/loop_trips.hpp>
#include <tg/dsl/lower.hpp>
#include <tg/emulator/instruction_work.hpp>
#include <tg/ptx/pressure_profile.hpp>

namespace tg {

namespace detail {

inline instruction_class class_of(const ptx::instruction& i) {
  using enum ptx::opcode;
  switch (i.op) {
    case sin: case cos: case ex2: case lg2: case rcp: case rsqrt: case sqrt: case tanh: return instruction_class::special_function;
    case mma: case wgmma: case wmma: return instruction_class::matrix;
    case ld: case st: case ldmatrix: case stmatrix: case ldu: case cp: case prefetch: return instruction_class::memory;
    case atom: case red: return instruction_class::atomic;
    case shfl: case vote: case match: case redux: case activemask: case elect: return instruction_class::exchange;
    case bar: case barrier: case fence: case membar: case mbarrier: return instruction_class::barrier;
    case bra: case brx: case ret: case exit: case call: case trap: return instruction_class::control;
    default: return ptx::is_pure(i) ? instruction_class::arithmetic : instruction_class::other;
  }
}

/// Adds up the instructions of one kernel.
class cost_sum {
 public:
  cost_sum(const lowered_kernel& k, analysis::block_extent block, std::uint64_t blocks)
      : kernel_(k), f_(k.module.functions.front()), trips_(f_, block) {
    out_.name = f_.name;
    out_.blocks = blocks;
    out_.block_threads = block.threads();
    for (const ptx::variable& v : k.module.variables)
      if (v.space == ptx::token::shared) out_.shared_bytes += v.count * ptx::width_bits(v.type) / 8;
    out_.live_registers = ptx::liveness(f_).peak().registers;
  }

  kernel_cost operator()() {
    for (std::uint32_t n = 0; n < f_.body.size(); ++n)
      if (f_.body[n].op != ptx::opcode::label && f_.body[n].op != ptx::opcode::assume) add(n);
    for (const flat_loop& loop : trips_.loops())
      if (!loop.is_counted) out_.uncounted_loops.push_back(line_of(f_.body[loop.end].where));
    std::sort(out_.lines.begin(), out_.lines.end(), [](const line_cost& a, const line_cost& b) {
      return a.where.file != b.where.file ? a.where.file < b.where.file : a.where.line < b.where.line;
    });
    return std::move(out_);
  }

 private:
  using warp_runs = std::array<std::uint64_t, analysis::max_block_warps>;

  source_line line_of(ptx::location l) const { return {kernel_.module.files[l.file], l.line}; }

  void add(std::uint32_t n) {
    const ptx::instruction& i = f_.body[n];
    const auto per_thread = trips_.runs_of(n);
    warp_runs per_warp{};  // as often as the lane that runs it most
    std::uint64_t lanes = 0, warps = 0;
    for (std::size_t t = 0; t < per_thread.size(); ++t) {
      const std::uint64_t runs = per_thread[t] * out_.blocks;
      std::uint64_t& own = per_warp[t / analysis::warp_lanes];
      lanes += runs, own = std::max(own, runs);
    }
    for (const std::uint64_t runs : per_warp) warps += runs;

    cost_figures own;
    own.instructions = warps;
    own.flops = emulator::flops_of(i) * lanes;
    own.multiply_adds = emulator::matrix_work_of(i).multiply_adds * warps;
    if (i.op == ptx::opcode::bar || i.op == ptx::opcode::barrier) own.barriers = per_thread.front() * out_.blocks;
    if (i.access != ptx::no_index) add_access(own, kernel_.accesses[i.access], lanes, per_warp, warps);
    if (i.op == ptx::opcode::cp && i.access != ptx::no_index) own.shared_requests = warps;  // it writes what it reads
    out_ += own;
    out_.by_class[static_cast<std::size_t>(class_of(i))] += warps;
    line_of_instruction(i) += own;
  }

  void add_access(cost_figures& own, const access& a, std::uint64_t lanes, const warp_runs& per_warp, std::uint64_t warps) {
    (a.is_shared ? own.shared_requests : own.global_requests) = warps;
    if (!a.is_shared) own.bytes = static_cast<std::uint64_t>(a.access_bytes) * lanes;
    if (a.verdict == verdict::gather) ++out_.uncounted_accesses;
    for (std::size_t w = 0; w < per_warp.size(); ++w) {
      own.sectors += a.global_of_warp[w].sectors * per_warp[w];
      own.sectors_best += a.global_of_warp[w].sectors_best * per_warp[w];
      own.ideal_sectors += a.global_of_warp[w].ideal_sectors * per_warp[w];
      own.wavefronts += a.shared_of_warp[w].wavefronts * per_warp[w];
      own.ideal_wavefronts += a.shared_of_warp[w].ideal_wavefronts * per_warp[w];
    }
  }

  line_cost& line_of_instruction(const ptx::instruction& i) {
    const source_line where = line_of(i.where);
    const auto found = std::find_if(out_.lines.begin(), out_.lines.end(), [&](const line_cost& l) { return l.where == where; });
    if (found != out_.lines.end()) return *found;
    out_.lines.emplace_back().where = where;
    return out_.lines.back();
  }

  const lowered_kernel& kernel_;
  const ptx::function& f_;
  loop_trips trips_;
  kernel_cost out_;
};

}  // namespace detail

/// The cost of a launch of `blocks` full blocks.
template <class K> requires is_kernel<K>
kernel_cost cost(const K& kernel, std::uint64_t blocks = 1) {
  const lowered_kernel lowered = lower(kernel);
  return detail::cost_sum(lowered, {K::block.x, K::block.y, K::block.z}, blocks)();
}

}  // namespace tg
