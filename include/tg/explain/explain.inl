// Puts an explanation together from what the passes, the cost, the analysis and the estimate of registers say.
#pragma once

#include <tg/explain/explain.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tg/base/dynamic_array.hpp>
#include <utility>

#include <tg/base/config.hpp>
#include <tg/driver/codes.hpp>
#include <tg/dsl/cost/cost.hpp>
#include <tg/dsl/kernel/record.hpp>
#include <tg/explain/access_lanes.hpp>
#include <tg/explain/source_text.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/ir/token_name.hpp>
#include <tg/ptx/meaning/instruction_work.hpp>
#include <tg/ptx/print/print.hpp>
#include <tg/ptx/registers/liveness.hpp>
#include <tg/ptx/registers/register_estimate.hpp>
#include <tg/runtime/codes.hpp>

namespace tg::detail {

inline const char* kind_of(const ptx::instruction& i, const access& a) {
  const ptx::opcode_row& row = ptx::row_of(i.op);
  if (row.does == ptx::effect::atomic) return "atomic";
  if (row.is(ptx::trait::matrix_rows)) return row.does == ptx::effect::writes_memory ? "matrix store" : "matrix load";
  if (ptx::has_trait(i.op, ptx::trait::copies)) return "copy";
  return a.is_write ? "store" : "load";
}

/// What to do about an access that was excused.
inline std::string fix_of(const access& a, const access_lanes& at) {
  if (a.verdict != verdict::allowed) return {};
  const std::string apart = at.has_strides ? "neighbouring lanes are rows of the matrix apart"
                            : at.lane_step_bytes != 0
                                ? "neighbouring lanes are " + std::to_string(at.lane_step_bytes) + " bytes apart"
                                : std::string();
  if (a.is_shared)
    return (apart.empty() ? "lanes meet in the same banks" : apart + " and meet in the same banks") +
           ": give the tile rows one vector longer (tg::pitch) or a tg::swizzle; tg::conflict_free_swizzle finds one";
  return (apart.empty() ? "lanes use parts of their sectors only" : apart) +
         ": let neighbouring lanes (thread.x) touch neighbouring elements, or go through a tile in shared memory";
}

/// Makes one explanation.
class explanation_maker {
 public:
  explanation_maker(const recordable& kernel, const dynamic_array<proof::parameter_fact>& parameters,
                    const analysis::device_figures& target, std::uint64_t blocks, source_location where) {
    if (blocks == 0)
      throw error(runtime::grid_size, "an explanation of '" + std::string(kernel.name) + "' with 0 blocks",
                  "name at least one block", where);
    traced_kernel traced = record(kernel, [&](tape& t) { lanes_ = access_tracer(t).run(); });
    std::string text = finish(traced.module);
    require_target(traced.module, kernel, target, where);
    lowered_ = {std::move(traced.module), std::move(traced.accesses), std::move(text)};
    out_.kernel = kernel.name;
    out_.block = kernel.launched();
    out_.device = target;
    out_.cost = cost_of(lowered_, kernel.launched(), blocks);
    const kernel_analysis proofs = analyze(kernel, parameters);
    out_.findings = proofs.verdicts();
    out_.redundant_barriers = proofs.redundant_barriers();
  }

  explanation operator()() {
    find_registers();
    find_roof();
    find_lines();
    find_ptx();
    find_accesses();
    return std::move(out_);
  }

 private:
  static void require_target(const ptx::module& m, const recordable& kernel, const analysis::device_figures& target,
                             source_location where) {
    const bool runs = m.target_suffix.empty() ? m.sm <= target.sm : m.sm == target.sm;
    if (runs) return;
    const auto architecture = [](int sm) { return "sm_" + std::to_string(sm); };
    throw error(driver::driver_too_old,
                "'" + std::string(kernel.name) + "' is made for " + architecture(m.sm) + m.target_suffix + ", and " +
                    std::string(target.name) + " is " + architecture(target.sm),
                "name a GPU that runs it, or a variant of the kernel for this one", where);
  }

  const ptx::function& fn() const { return lowered_.module.functions.front(); }

  void find_registers() {
    const ptx::liveness live(fn());
    out_.registers.assign(live.registers_at().begin(), live.registers_at().end());
    out_.peak_instruction = live.peak().instruction;
    const auto& bounds = fn().bounds;
    out_.register_bound =
        analysis::register_cap(out_.device.multiprocessor, out_.block.threads(), static_cast<int>(bounds.min_blocks_per_sm),
                               static_cast<int>(bounds.max_registers));
    const ptx::register_estimate estimate = ptx::estimate_registers(fn(), out_.device.sm, out_.register_bound);
    out_.expected_registers = estimate.expected;
    out_.spills = estimate.spills(out_.register_bound);
    out_.occupancy = out_.cost.occupancy_on(out_.device.multiprocessor, out_.expected_registers);
  }

  void find_roof() {
    for (const ptx::instruction& i : fn().body)
      if (const auto work = ptx::matrix_work_of(i); work.multiply_adds != 0) out_.matrix_type = work.type;
    const double peak = tensor_peak(out_.device, out_.matrix_type);
    const bool is_double = std::any_of(fn().body.begin(), fn().body.end(), [](const ptx::instruction& i) {
      return i.type() == ptx::token::f64 && ptx::flops_of(i) != 0;
    });
    out_.roof = {is_double ? out_.device.f64_tflops : out_.device.f32_tflops, out_.device.memory_gb_per_s};
    out_.roof_name = is_double ? "f64" : "f32";
    if (peak == 0) return;
    out_.roof.tflops = peak;
    out_.roof_name = std::string(ptx::name(out_.matrix_type)) + " tensor cores";
  }

  void find_lines() {
    const double total = out_.cycles().total();
    dynamic_array<explained_line> used;
    for (const line_cost& c : out_.cost.lines) {
      if (c.where.line == 0) continue;
      explained_line& line = used.emplace_back();
      line.where = c.where;
      line.is_used = true;
      line.cost = c;
      line.share = total == 0 ? 0 : busy_cycles(c, out_.matrix_type, out_.device).total() / total;
    }
    out_.lines = with_source(used);
    for (std::uint32_t n = 0; n < out_.lines.size(); ++n)
      if (out_.lines[n].is_used) number_of_[{out_.lines[n].where.file, out_.lines[n].where.line}] = n;
    for (std::size_t n = 0; n < fn().body.size(); ++n)
      if (const std::uint32_t line = line_of(fn().body[n]); line != ptx::no_index)
        out_.lines[line].registers = std::max(out_.lines[line].registers, out_.registers[n]);
  }

  std::uint32_t line_of(const ptx::instruction& i) const {
    const auto found = number_of_.find({lowered_.module.files[i.where.file], i.where.line});
    return found == number_of_.end() ? ptx::no_index : found->second;
  }

  void find_ptx() {
    ptx::line_map numbers;
    for (const std::string& text : to_lines(ptx::print(lowered_.module, numbers))) out_.ptx.push_back({.text = text});
    for (std::uint32_t n = 0; n < fn().body.size(); ++n) {
      explained_ptx& line = out_.ptx[numbers[0][n] - 1];
      if (fn().body[n].op != ptx::opcode::label) line.instruction = n;
      line.source = line_of(fn().body[n]);
      line.registers = out_.registers[n];
    }
    // What places the text in the source is told by the links.
    tg::erase_if(out_.ptx, [](const explained_ptx& p) { return p.text.starts_with("\t.loc "); });
  }

  void find_accesses() {
    for (std::uint32_t n = 0; n < fn().body.size(); ++n) {
      const ptx::instruction& i = fn().body[n];
      if (i.access == ptx::no_index) continue;
      const access& a = lowered_.accesses[i.access];
      if (!ptx::has_trait(i.op, ptx::trait::copies)) {
        add_access(n, a, kind_of(i, a));
        continue;
      }
      // One instruction and two accesses: it writes to shared memory what it reads.
      access from = a, to = a;
      to.is_shared = to.is_write = true;
      if (a.verdict == verdict::allowed && a.global.good) from.verdict = verdict::proved;
      if (a.verdict == verdict::allowed && a.shared.good) to.verdict = verdict::proved;
      add_access(n, from, "copy");
      add_access(n, to, "copy");
    }
  }

  void add_access(std::uint32_t n, const access& a, const char* kind) {
    const access_lanes& at = lanes_[fn().body[n].access];
    explained_access own{.judged = a, .kind = kind};
    own.object = a.is_shared ? at.tile : a.parameter >= 0 ? "parameter " + std::to_string(a.parameter) : "";
    own.lanes =
        a.is_shared ? near_zero(at.shared, analysis::banks * analysis::word_bytes) : near_zero(at.global, analysis::line_bytes);
    own.fix = fix_of(a, at);
    own.block_total = a.is_shared ? sum_where_unlike(a.shared_of_warp, &shared_share::wavefronts)
                                  : sum_where_unlike(a.global_of_warp, &global_share::sectors_best);
    const auto [row, is_new] = alike_.try_emplace(key_of(own), out_.accesses.size());
    if (is_new) out_.accesses.push_back(std::move(own));
    out_.accesses[row->second].instructions.push_back(n);
  }

  template <class Shares, class Figure> std::uint64_t sum_where_unlike(const Shares& of_warp, Figure figure) const {
    std::uint64_t sum = 0;
    bool is_alike = true;
    for (std::size_t w = 0; w < static_cast<std::size_t>(out_.block.warps()); ++w) {
      sum += of_warp[w].*figure;
      is_alike = is_alike && of_warp[w] == of_warp[0];
    }
    return is_alike ? 0 : sum;
  }

  // Less a uniform shift by whole pieces, which changes no count.
  static std::optional<analysis::request> near_zero(std::optional<analysis::request> r, std::int64_t piece) {
    if (!r) return r;
    std::int64_t least = 0;
    bool is_first = true;
    for (std::size_t l = 0; l < analysis::warp_lanes; ++l) {
      if ((r->active >> l & 1) == 0) continue;
      least = is_first ? r->address_bytes[l] : std::min(least, r->address_bytes[l]);
      is_first = false;
    }
    const std::int64_t shift = (least >= 0 ? least / piece : -((-least + piece - 1) / piece)) * piece;
    for (auto& a : r->address_bytes) a -= shift;
    return r;
  }

  static std::string key_of(const explained_access& a) {
    std::string key = a.judged.where.file;
    const auto add = [&](std::int64_t n) { key += "," + std::to_string(n); };
    for (const int n : {a.judged.where.line, static_cast<int>(a.judged.verdict), a.judged.access_bytes, a.judged.global.sectors,
                        a.judged.global.sectors_best, a.judged.shared.wavefronts, static_cast<int>(a.judged.is_shared),
                        static_cast<int>(a.block_total)})
      add(n);
    key += a.kind + a.object;
    // A shift by whole sectors, or by whole words where it turns the banks, changes no count.
    if (const auto lanes = near_zero(a.lanes, a.judged.is_shared ? analysis::word_bytes : analysis::sector_bytes))
      for (const auto address : lanes->address_bytes) add(address);
    return key;
  }

  lowered_kernel lowered_;
  dynamic_array<access_lanes> lanes_;                                         // of each access
  std::map<std::pair<std::string, std::uint32_t>, std::uint32_t> number_of_;  // of a line, in `explanation::lines`
  std::map<std::string, std::size_t> alike_;                                  // of an access, in `explanation::accesses`
  explanation out_;
};

TG_LIBRARY_FUNCTION explanation explain(const recordable& kernel, const dynamic_array<proof::parameter_fact>& parameters,
                                        const analysis::device_figures& target, std::uint64_t blocks, source_location where) {
  return explanation_maker(kernel, parameters, target, blocks, where)();
}

}  // namespace tg::detail
