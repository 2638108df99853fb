// The verdict on an access whose type does not say what its lanes do: at once where the recorded instructions say it, else
// when the recording ends (end_judgement.hpp).
#pragma once

#include <tg/dsl/memory/judge.hpp>

#include <algorithm>

#include <tg/base/config.hpp>
#include <tg/base/dynamic_array.hpp>
#include <tg/dsl/verdict/request_counter.hpp>
#include <tg/ptx/ir/opcode_table.hpp>
#include <tg/ptx/meaning/known_multiples.hpp>

namespace tg::detail {

TG_LIBRARY_FUNCTION void keep_costs(access& a, const analysis::global_cost& worst, const analysis::global_cost* distinct,
                                    const std::uint8_t* like) {
  a.global = worst;
  for (global_share& own : a.global_of_warp) own = to_share(distinct[*like++]);
  if (!worst.good) a.verdict = verdict::allowed;
}

TG_LIBRARY_FUNCTION void keep_costs(access& a, const analysis::shared_cost& worst, const analysis::shared_cost* distinct,
                                    const std::uint8_t* like) {
  a.shared = worst;
  for (shared_share& own : a.shared_of_warp) own = to_share(distinct[*like++]);
  if (!worst.good) a.verdict = verdict::allowed;
}

TG_LIBRARY_FUNCTION recorded_request to_request(const view_facts& facts, const index_operand* at, int excused) {
  recorded_request out{.rank = facts.rank, .align = facts.alignment_bytes, .excused = excused};
  for (int k = 0; k < facts.rank; ++k) {
    const dimension_step step = facts.step(k);
    out.parts[static_cast<std::size_t>(k)] = {at[k].operand, step.elements, !step.is_known, at[k].multiple};
  }
  return out;
}

TG_LIBRARY_FUNCTION recorded_request to_request(const recorded_index& index, int excused) {
  recorded_request out{.excused = excused};
  out.parts[0] = {.index = index.operand, .multiple = index.multiple};
  if (index.multiple != 0 && !index.rest.is(ptx::operand_kind::none)) out.parts[out.rank++] = {.index = index.rest};
  return out;
}

inline std::int64_t known_multiple(tape& t, const ptx::operand& o, int depth = 0) {
  if (o.is(ptx::operand_kind::integer)) return ptx::power_in(o.value);
  if (!o.is_reg() || depth > 64) return 1;
  const analysis::lane_value lanes = traced_index(t, 0)(o);
  if (lanes.known) return ptx::power_in(analysis::granularity(lanes));
  const ptx::instruction* const i = t.definition_of(o.id);
  if (i == nullptr) return 1;
  dynamic_array<std::int64_t> known;
  ptx::instruction own = *i;
  for (std::size_t k = 1; k < own.operand_count; ++k) {
    known.push_back(known_multiple(t, own[k], depth + 1));
    own[k] = ptx::operand::reg(static_cast<std::uint32_t>(k - 1));
  }
  if (ptx::computes(i->op, ptx::calculation::convert)) return known[0];
  return ptx::detail::multiple_of_result(own, known);
}

TG_LIBRARY_FUNCTION std::int64_t multiple_in(tracer& t, const ptx::operand& o) { return known_multiple(t.recorded(), o); }

/// Leaves the judgement to the end of the recording.
inline void leave_open(tape& t, const recorded_request& request, access& a, open_question question) {
  t.open.push_back({request, a, question});
  a.open = static_cast<std::uint32_t>(t.open.size());
}

TG_LIBRARY_FUNCTION void judge_with_siblings(tracer& t, const recorded_request& request, access& a) {
  leave_open(t.recorded(), request, a, open_question::siblings);
}

/// The cost of one warp where its lanes have one pattern. Returns: whether it is known.
template <class Cost> bool keep_cost(access& a, const Cost& cost, int warp, Cost access::* worst) {
  if (!cost.known) return false;
  a.*worst = warp == 0 ? cost : worst_warp::worse(a.*worst, cost);
  return true;
}

/// Whether vectors of a gathered index are aligned by what its own instructions and promises say.
inline bool is_gather_aligned(tape& t, const recorded_request& request, const access& a) {
  std::int64_t elems = 0;
  for (int k = 0; k < request.rank; ++k) {
    const index_part& p = request.parts[static_cast<std::size_t>(k)];
    const std::int64_t own =
        p.multiple == 0 ? known_multiple(t, p.index) : std::max(known_multiple(t, p.index), ptx::power_in(p.multiple));
    elems = analysis::gcd(elems, own * p.step);
  }
  return request.align % a.access_bytes == 0 && elems * a.element_bytes % a.access_bytes == 0;
}

TG_LIBRARY_FUNCTION void judge_recorded(tracer& t, const recorded_request& request, access& a) {
  tape& own = t.recorded();
  const bool is_gathered = request.is_gathered();
  if (!is_gathered) a.verdict = verdict::traced;
  else if (a.access_bytes > a.element_bytes && !is_gather_aligned(own, request, a)) refuse_alignment(request, a);
  access found = a;
  bool is_open = false;
  for (int w = 0; w < own.block.warps(); ++w) {
    traced_index follow(own, w);
    const analysis::lane_value lanes = sum_of_parts(request, [&](const ptx::operand& o) { return follow(o); });
    const request_counter counter(request, a, own.block, w);
    bool is_known = lanes.known, is_good = true, is_excused = false;
    if (is_known && a.is_shared) {
      const auto cost = counter.shared(lanes);
      is_known = keep_cost(found, cost, w, &access::shared);
      found.shared_of_warp[static_cast<std::size_t>(w)] = to_share(cost);
      is_good = cost.good;
      is_excused = request.excused == 201;
    } else if (is_known) {
      const auto cost = counter.global(lanes);
      is_known = keep_cost(found, cost, w, &access::global);
      found.global_of_warp[static_cast<std::size_t>(w)] = to_share(cost);
      is_good = cost.good;
      is_excused = request.excused == 202;
    }
    if (!is_known) return leave_open(own, request, a, open_question::cost);
    if (!is_gathered && !counter.is_aligned(lanes)) refuse_alignment(request, a);
    if (!is_good && !is_excused) {
      if (a.is_shared) refuse_wavefronts(request, a, found.shared);
      if (!may_have_siblings(found.global) || is_gathered) refuse_sectors(request, a, found.global);
      is_open = true;
    }
    if (!is_good && is_excused) found.verdict = verdict::allowed;
  }
  if (is_gathered) return;
  a = found;
  if (is_open) leave_open(own, request, a, open_question::siblings);
}

}  // namespace tg::detail
