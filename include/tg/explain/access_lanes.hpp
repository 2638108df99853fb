// Where the lanes of a warp go in each access of a recorded kernel: addresses to draw, of the worst warp at the best
// base.
//
// Unknown bases are multiples of 128 bytes here and unknown strides large, apart, and multiples of 4 KB. A drawing is
// kept only where its own count is what the verdict says.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <tg/base/dynamic_array.hpp>

#include <tg/analysis/matrix_rows.hpp>
#include <tg/dsl/recorder/traced_index.hpp>
#include <tg/ptx/ir/opcode_table.hpp>

namespace tg::detail {

/// What is known of the addresses of one access.
struct access_lanes {
  std::optional<analysis::request> global;
  std::optional<analysis::request> shared;
  std::string tile;                  // its name in the PTX; empty: none
  std::int64_t lane_step_bytes = 0;  // between neighbouring lanes, where it is the same for all; 0: it is not
  bool has_strides = false;          // rows of a matrix, whose distance is known at run time, lie between lanes
};

/// Follows the addresses of a recorded kernel.
class access_tracer {
 public:
  explicit access_tracer(tape& t) : tape_(t) {}

  /// What the lanes of each access in `tape::accesses` touch, in that order.
  dynamic_array<access_lanes> run() {
    dynamic_array<access_lanes> out(tape_.accesses.size());
    for (const ptx::instruction& i : tape_.fn().body)
      if (i.access != ptx::no_index) find(i, out[i.access]);
    return out;
  }

 private:
  // Distances that an unknown stride may have, no two of them alike.
  static constexpr std::int64_t stride_bytes = 4096;
  static constexpr std::int64_t strides_apart[] = {1, 67, 4099, 262147};

  void find(const ptx::instruction& i, access_lanes& out) {
    const access& said = tape_.accesses[i.access];
    if (said.verdict == verdict::gather) return;
    const bool is_copy = ptx::has_trait(i.op, ptx::trait::copies);  // to shared memory, from global memory
    bool is_first = true;
    for (const ptx::operand& o : i.operands()) {
      if (!o.is(ptx::operand_kind::address)) continue;
      const bool is_shared = is_copy ? is_first : said.is_shared;
      if (is_shared) find_shared(i, o, said, out);
      else find_global(o, said, out);
      is_first = false;
    }
  }

  void find_global(const ptx::operand& address, const access& said, access_lanes& out) {
    for (int w = 0; w < tape_.block.warps() && !out.global; ++w) {
      if (said.global_of_warp[static_cast<std::size_t>(w)] != to_share(said.global)) continue;
      const analysis::lane_value at = bytes_of(address, w, out);
      if (!at.known) return;
      for (std::int64_t base = 0; base < analysis::sector_bytes && !out.global;
           base += std::min(said.element_bytes, said.access_bytes)) {
        const analysis::request r = placed(at, base, analysis::active_lanes(tape_.block, w), said.access_bytes);
        if (analysis::count_global(r).sectors == said.global.sectors_best) note(out, out.global, r, at);
      }
    }
  }

  void find_shared(const ptx::instruction& i, const ptx::operand& address, const access& said, access_lanes& out) {
    analysis::lane_mask lanes = analysis::all_lanes;
    if (ptx::has_trait(i.op, ptx::trait::matrix_rows))
      lanes = analysis::matrix_lanes(i.has(ptx::token::x4) ? 4 : i.has(ptx::token::x2) ? 2 : 1);
    for (int w = 0; w < tape_.block.warps() && !out.shared; ++w) {
      if (said.shared_of_warp[static_cast<std::size_t>(w)] != to_share(said.shared)) continue;
      const analysis::lane_value at = bytes_of(address, w, out);
      if (!at.known) return;
      const analysis::request r = placed(at, 0, lanes & analysis::active_lanes(tape_.block, w), said.access_bytes);
      if (analysis::count_shared(r).wavefronts == said.shared.wavefronts) note(out, out.shared, r, at);
    }
  }

  // [base + index * bytes + row * stride]: what is known of the parts behind the base.
  analysis::lane_value bytes_of(const ptx::operand& address, int warp, access_lanes& out) {
    const auto immediate = analysis::constant(address.value);
    if (address.base == ptx::operand_kind::variable) {
      out.tile = tape_.mod().variables[address.id].name;
      return immediate;
    }
    traced_index follow(tape_, warp);
    analysis::lane_value offset = immediate;
    const ptx::instruction* sum = definition(address.id);
    if (sum == nullptr) return analysis::unknown();
    ptx::operand base = ptx::operand::reg(address.id);
    for (; sum != nullptr && ptx::computes(sum->op, ptx::calculation::add);
         sum = base.is_reg() ? definition(base.id) : nullptr) {
      offset = analysis::add(offset, part_of((*sum)[2], follow));
      base = (*sum)[1];
    }
    note_tile(base, out);
    return offset;
  }

  // A product that widens is followed in front of it, as the verdict is.
  analysis::lane_value part_of(const ptx::operand& o, traced_index& follow) {
    const ptx::instruction* const product = o.is_reg() ? definition(o.id) : nullptr;
    if (product == nullptr || !ptx::computes(product->op, ptx::calculation::mul)) return follow(o);
    return analysis::mul(follow((*product)[1]), follow((*product)[2]));
  }

  const ptx::instruction* definition(std::uint32_t reg) { return tape_.definition_of(reg); }

  void note_tile(const ptx::operand& base, access_lanes& out) {
    const ptx::instruction* const origin = base.is_reg() ? definition(base.id) : nullptr;
    if (origin == nullptr) return;
    const ptx::operand& from = (*origin)[1];
    if (from.is(ptx::operand_kind::variable)) out.tile = tape_.mod().variables[from.id].name;
  }

  static analysis::request placed(const analysis::lane_value& lanes, std::int64_t base, analysis::lane_mask active, int bytes) {
    const analysis::lane_value at = analysis::interior(lanes);
    analysis::request r{at.offset, active, bytes};
    for (int l = 0; l < analysis::warp_lanes; ++l) {
      std::int64_t& own = r.address_bytes[static_cast<std::size_t>(l)];
      own += base;
      for (int k = 0; k < at.stride_count; ++k) {
        const analysis::lane_stride& s = at.strides[static_cast<std::size_t>(k)];
        own += s.coef[static_cast<std::size_t>(l)] * std::max<std::int64_t>(s.divisor, 1) * stride_bytes * strides_apart[k];
      }
    }
    return r;
  }

  static void note(access_lanes& out, std::optional<analysis::request>& where, const analysis::request& r,
                   const analysis::lane_value& at) {
    where = r;
    for (int k = 0; k < at.stride_count; ++k) {
      const analysis::lane_stride& s = at.strides[static_cast<std::size_t>(k)];
      out.has_strides = out.has_strides || (s.kind != analysis::lane_term::clamped && !analysis::is_same(s.coef));
    }
    const std::int64_t step = r.address_bytes[1] - r.address_bytes[0];
    for (std::size_t l = 2; l < analysis::warp_lanes; ++l)
      if (r.address_bytes[l] - r.address_bytes[l - 1] != step) return;
    out.lane_step_bytes = step;
  }

  tape& tape_;
};

}  // namespace tg::detail
