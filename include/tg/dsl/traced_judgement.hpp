// The verdict on an access whose index plain C++ integers take part in: judged while the kernel is recorded.
#pragma once

#include <string>

#include <tg/dsl/judge.hpp>
#include <tg/dsl/traced_index.hpp>

namespace tg::detail {

inline std::string count(int n, const char* what) { return std::to_string(n) + " " + what; }

[[noreturn]] inline void refuse_unknown_lanes(source_location where) {
  throw error(code{204},
              "the lanes of this index are not known: it depends on data, divides by a number known at run time, or takes "
              "bits of a clamped index",
              "write tg::gather(index) to read or tg::scatter(index) to write", where);
}

inline void keep_costs(access& a, const analysis::global_cost& worst, const analysis::global_cost* distinct,
                       const std::uint8_t* like) {
  a.global = worst;
  for (global_share& own : a.global_of_warp) own = to_share(distinct[*like++]);
  if (!worst.good) a.verdict = verdict::allowed;
}

inline void keep_costs(access& a, const analysis::shared_cost& worst, const analysis::shared_cost* distinct,
                       const std::uint8_t* like) {
  a.shared = worst;
  for (shared_share& own : a.shared_of_warp) own = to_share(distinct[*like++]);
  if (!worst.good) a.verdict = verdict::allowed;
}

/// The sum of all dimensions, in elements; a stride that is known at run time is an unknown of its own.
inline analysis::lane_value lanes_of(tape& own, std::span<const index_part> index, int warp) {
  analysis::lane_value out = analysis::constant(0);
  traced_index follow(own, warp);
  for (const index_part& p : index) {
    const auto step = p.is_multiple ? analysis::stride(p.step) : analysis::constant(p.step);
    out = analysis::add(out, analysis::mul(follow(p.index), step));
  }
  return out;
}

inline void judge_traced_global(tracer& t, std::span<const index_part> index, access& a, int align, int excused,
                                source_location where) {
  a.verdict = verdict::traced;
  tape& own = t.recorded();
  for (int w = 0; w < own.block.warps(); ++w) {
    const analysis::lane_mask active = analysis::active_lanes(own.block, w);
    const analysis::lane_value lanes = lanes_of(own, index, w);
    const auto cost = analysis::count_global(lanes, a.element_bytes, a.access_bytes, align, active);
    if (!lanes.known || !cost.known) refuse_unknown_lanes(where);
    if (a.access_bytes > a.element_bytes &&
        !analysis::is_aligned(lanes, a.element_bytes, a.access_bytes, align, active))
      throw error(code{203}, "a vector access of " + count(a.access_bytes, "bytes") + " is not provably aligned",
                  "multiply the index by the vector width or promise tg::multiple_of and tg::aligned", where);
    if (!cost.good && excused != 202)
      throw error(code{202},
                  "uncoalesced global access: a warp touches " + count(cost.sectors, "sectors") +
                      " where its bytes need " + std::to_string(cost.ideal_sectors),
                  "let neighbouring lanes (thread.x) touch neighbouring elements or go through shared memory", where);
    if (!cost.good) a.verdict = verdict::allowed;
    a.global = w == 0 ? cost : worst_warp::worse(a.global, cost);
    a.global_of_warp[static_cast<std::size_t>(w)] = to_share(cost);
  }
}

/// One warp's part of the verdict on a shared access; `a` keeps the worst. Errors: TG201.
inline void judge_wavefronts(access& a, const analysis::shared_cost& cost, int warp, int excused, const char* fix,
                             source_location where) {
  if (!cost.good && excused != 201)
    throw error(code{201},
                "shared memory bank conflict: " + count(cost.ways, "ways") + ", " +
                    count(cost.wavefronts, "wavefronts") + " where " + std::to_string(cost.ideal_wavefronts) +
                    " would do",
                fix, where);
  if (!cost.good) a.verdict = verdict::allowed;
  a.shared = warp == 0 ? cost : worst_warp::worse(a.shared, cost);
  a.shared_of_warp[static_cast<std::size_t>(warp)] = to_share(cost);
}

inline void judge_traced_shared(tracer& t, const ptx::operand& index, access& a, int excused, source_location where) {
  a.verdict = verdict::traced;
  tape& own = t.recorded();
  for (int w = 0; w < own.block.warps(); ++w) {
    const analysis::lane_mask active = analysis::active_lanes(own.block, w);
    const analysis::lane_value lanes = traced_index(own, w)(index);
    const auto cost = analysis::count_shared(lanes, a.element_bytes, a.access_bytes, active);
    if (!lanes.known || !cost.known) refuse_unknown_lanes(where);
    if (a.access_bytes > a.element_bytes && !analysis::is_aligned(lanes, a.element_bytes, a.access_bytes, 16, active))
      throw error(code{203}, "a vector access of " + count(a.access_bytes, "bytes") + " is not provably aligned",
                  "multiply the index and the pitch by the vector width", where);
    judge_wavefronts(a, cost, w, excused, "give the tile tg::pitch or tg::swizzle", where);
  }
}

}  // namespace tg::detail
