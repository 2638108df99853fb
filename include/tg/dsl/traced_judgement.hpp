// The verdict on an access whose type does not say what its lanes do: at once where the recorded instructions say it, else
// when the recording ends (end_judgement.hpp).
#pragma once

#include <algorithm>
#include <string>

#include <tg/analysis/matrix_rows.hpp>
#include <tg/dsl/judge.hpp>
#include <tg/dsl/traced_index.hpp>
#include <tg/ptx/known_multiples.hpp>

namespace tg::detail {

inline std::string count(int n, const char* what) { return std::to_string(n) + " " + what; }

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

[[noreturn]] inline void refuse_alignment(const recorded_request& r, const access& a) {
  if (r.matrices > 0)
    throw error(code{203}, "a row of a matrix is not provably aligned to 16 bytes",
                "multiply columns and the pitch by the elements in 16 bytes", a.where);
  const std::string fact = count(a.access_bytes, "bytes") + " is not provably aligned";
  if (r.is_gathered())
    throw error(code{203}, "a gathered vector access of " + fact,
                "multiply what is gathered by the vector width, or promise that it is a multiple: tg::gather<4>(index)", a.where);
  throw error(code{203}, "a vector access of " + fact,
              a.is_shared ? "multiply the index and the pitch by the vector width"
                          : "multiply the index by the vector width or promise tg::multiple_of and tg::aligned",
              a.where);
}

/// What is moved of a struct, for the text of an error; empty where elements are no structs or are moved whole.
inline std::string part_text(const recorded_request& r, const access& a) {
  if (r.together.bytes == 0 || r.together.bytes == a.element_bytes) return "";
  return "; it moves " + count(r.together.bytes, "bytes") + " of structs of " + std::to_string(a.element_bytes);
}

/// `together`: so many accesses of one line of statements use the same sectors.
[[noreturn]] inline void refuse_sectors(const recorded_request& r, const access& a, const analysis::global_cost& cost,
                                        int together = 1) {
  const std::string part = part_text(r, a);
  throw error(code{202},
              "uncoalesced global access: a warp touches " + count(cost.sectors, "sectors") + " where its bytes need " +
                  std::to_string(cost.ideal_sectors) +
                  (together > 1 ? "; it and " + count(together - 1, "more") + " of the view together do not use them in full" : "") +
                  part,
              part.empty() ? "let neighbouring lanes (thread.x) touch neighbouring elements or go through shared memory"
                           : "read the struct whole, p(i), or keep the field in a buffer of its own",
              a.where);
}

[[noreturn]] inline void refuse_wavefronts(const recorded_request& r, const access& a, const analysis::shared_cost& cost) {
  throw error(code{201},
              "shared memory bank conflict: " + count(cost.ways, "ways") + ", " + count(cost.wavefronts, "wavefronts") +
                  " where " + std::to_string(cost.ideal_wavefronts) + " would do" + part_text(r, a),
              r.matrices > 0         ? "give the tile tg::conflict_free_swizzle with tg::matrix_access"
              : r.together.bytes > 0 ? "read the struct whole, pad it to an odd number of 16-byte pieces, or keep a tile for each field"
                                     : "give the tile tg::pitch or tg::swizzle",
              a.where);
}

/// The cost of one pattern of lanes in one warp.
struct request_counter {
  const recorded_request& request;
  const access& a;
  analysis::lane_mask active;

  request_counter(const recorded_request& r, const access& own, analysis::block_extent block, int warp)
      : request(r),
        a(own),
        active(r.matrices > 0 ? analysis::matrix_lanes(r.matrices) : analysis::active_lanes(block, warp)) {}

  /// A counter of this request that leaves out all lanes but these.
  request_counter of(analysis::lane_mask lanes) const {
    request_counter out = *this;
    out.active &= lanes;
    return out;
  }

  bool is_aligned(const analysis::lane_value& lanes) const {
    const int bytes = a.access_bytes;
    return (bytes <= a.element_bytes && request.matrices == 0) ||
           analysis::is_aligned(lanes, a.element_bytes, bytes, request.matrices > 0 ? bytes : request.align, active);
  }
  analysis::global_cost global(const analysis::lane_value& lanes, int falls = 0) const {
    if (request.together.bytes == 0)
      return analysis::count_global(lanes, a.element_bytes, a.access_bytes, request.align, active, falls);
    analysis::global_cost own = analysis::count_global(analysis::piece_index(lanes, a.element_bytes, piece()), a.access_bytes,
                                                       a.access_bytes, request.align, active, falls);
    if (request.together == piece()) return own;
    const analysis::global_cost whole =
        analysis::count_global(analysis::piece_byte(lanes, a.element_bytes, request.together), 1, request.together.bytes,
                               request.align, active, falls);
    own.good = whole.good;
    own.fillable = whole.fillable;
    own.known = own.known && whole.known;
    return own;
  }
  analysis::shared_cost shared(const analysis::lane_value& lanes) const {
    if (request.matrices > 0) return analysis::count_matrix_rows(lanes, a.element_bytes, request.matrices);
    if (request.together.bytes > 0)
      return analysis::count_shared(analysis::piece_index(lanes, a.element_bytes, piece()), a.access_bytes, a.access_bytes, active);
    return analysis::count_shared(lanes, a.element_bytes, a.access_bytes, active);
  }
  analysis::struct_piece piece() const { return {a.offset_bytes, a.access_bytes}; }
  /// What lanes cost that have nothing to do with each other.
  int alone() const {
    int lanes = 0;
    for (int l = 0; l < analysis::warp_lanes; ++l) lanes += static_cast<int>(active >> l & 1);
    return lanes;
  }
};

/// The power of two, up to 16, that divides what a recorded operand holds in every lane.
inline std::int64_t known_multiple(tape& t, const ptx::operand& o, int depth = 0) {
  if (o.is(ptx::operand_kind::integer)) return ptx::power_in(o.value);
  if (!o.is_reg() || depth > 64) return 1;
  const analysis::lane_value lanes = traced_index(t, 0)(o);
  if (lanes.known) return ptx::power_in(analysis::granularity(lanes));
  const ptx::instruction* const i = t.definition_of(o.id);
  if (i == nullptr) return 1;
  std::vector<std::int64_t> known;
  ptx::instruction own = *i;
  for (std::size_t k = 1; k < own.operand_count; ++k) {
    known.push_back(known_multiple(t, own[k], depth + 1));
    own[k] = ptx::operand::reg(static_cast<std::uint32_t>(k - 1));
  }
  if (i->op == ptx::opcode::cvt) return known[0];
  return ptx::detail::multiple_of_result(own, known);
}

/// Leaves the judgement to the end of the recording.
inline void leave_open(tape& t, const recorded_request& request, access& a, open_question question) {
  t.open.push_back({request, a, question});
  a.open = static_cast<std::uint32_t>(t.open.size());
}

inline void judge_with_siblings(tracer& t, const recorded_request& request, access& a) {
  leave_open(t.recorded(), request, a, open_question::siblings);
}

/// The cost of one warp where its lanes have one pattern. Returns: whether it is known.
template <class Cost>
bool keep_cost(access& a, const Cost& cost, int warp, Cost access::*worst) {
  if (!cost.known) return false;
  a.*worst = warp == 0 ? cost : worst_warp::worse(a.*worst, cost);
  return true;
}

/// What is recorded of an index: one pattern, or unknown. A stride that is known at run time is an unknown of its own, and what
/// is gathered is taken to be the same in all lanes.
template <class Value>
analysis::lane_value sum_of_parts(const recorded_request& request, Value value) {
  analysis::lane_value out = analysis::constant(0);
  for (int k = 0; k < request.rank; ++k) {
    const index_part& p = request.parts[static_cast<std::size_t>(k)];
    const auto step = p.is_multiple ? analysis::stride(p.step) : analysis::constant(p.step);
    out = analysis::add(out, analysis::mul(p.multiple != 0 ? analysis::uniform(p.multiple) : value(p.index), step));
  }
  return out;
}

/// Whether vectors of a gathered index are aligned by what its own instructions and promises say.
inline bool is_gather_aligned(tape& t, const recorded_request& request, const access& a) {
  std::int64_t elems = 0;
  for (int k = 0; k < request.rank; ++k) {
    const index_part& p = request.parts[static_cast<std::size_t>(k)];
    const std::int64_t own = p.multiple == 0 ? known_multiple(t, p.index)
                                             : std::max(known_multiple(t, p.index), ptx::power_in(p.multiple));
    elems = analysis::gcd(elems, own * p.step);
  }
  return request.align % a.access_bytes == 0 && elems * a.element_bytes % a.access_bytes == 0;
}

inline void judge_recorded(tracer& t, const recorded_request& request, access& a) {
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
