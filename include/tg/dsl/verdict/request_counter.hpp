// The cost of one access in one warp, from the instructions that were recorded for its index, and what is said where it costs
// too much.
#pragma once

#include <string>

#include <tg/analysis/matrix_rows.hpp>
#include <tg/base/error.hpp>
#include <tg/dsl/recorder/open_judgement.hpp>
#include <tg/dsl/recorder/traced_index.hpp>

namespace tg::detail {

inline std::string count(int n, const char* what) { return std::to_string(n) + " " + what; }

[[noreturn]] inline void refuse_alignment(const recorded_request& r, const access& a) {
  if (r.matrices > 0)
    throw error(code{203}, "a row of a matrix is not provably aligned to 16 bytes",
                "multiply columns and the pitch by the elements in 16 bytes", a.where);
  const std::string fact = count(a.access_bytes, "bytes") + " is not provably aligned";
  if (r.is_gathered())
    throw error(code{203}, "a gathered vector access of " + fact,
                "multiply what is gathered by the vector width, or promise that it is a multiple: tg::gather<4>(index)",
                a.where);
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
  throw error(
      code{202},
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
              r.matrices > 0 ? "give the tile tg::conflict_free_swizzle with tg::matrix_access"
              : r.together.bytes > 0
                  ? "read the struct whole, pad it to an odd number of 16-byte pieces, or keep a tile for each field"
                  : "give the tile tg::pitch or tg::swizzle",
              a.where);
}

/// The cost of one pattern of lanes in one warp.
struct request_counter {
  const recorded_request& request;
  const access& a;
  analysis::lane_mask active;

  request_counter(const recorded_request& r, const access& own, analysis::block_extent block, int warp)
      : request(r), a(own), active(r.matrices > 0 ? analysis::matrix_lanes(r.matrices) : analysis::active_lanes(block, warp)) {}

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
    const analysis::global_cost whole = analysis::count_global(analysis::piece_byte(lanes, a.element_bytes, request.together),
                                                               1, request.together.bytes, request.align, active, falls);
    own.good = whole.good;
    own.fillable = whole.fillable;
    own.known = own.known && whole.known;
    return own;
  }
  analysis::shared_cost shared(const analysis::lane_value& lanes) const {
    if (request.matrices > 0) return analysis::count_matrix_rows(lanes, a.element_bytes, request.matrices);
    if (request.together.bytes > 0)
      return analysis::count_shared(analysis::piece_index(lanes, a.element_bytes, piece()), a.access_bytes, a.access_bytes,
                                    active);
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

/// What is recorded of an index: one pattern, or unknown. A stride that is known at run time is an unknown of its own, and what
/// is gathered is taken to be the same in all lanes.
template <class Value> analysis::lane_value sum_of_parts(const recorded_request& request, Value value) {
  analysis::lane_value out = analysis::constant(0);
  for (int k = 0; k < request.rank; ++k) {
    const index_part& p = request.parts[static_cast<std::size_t>(k)];
    const auto step = p.is_multiple ? analysis::stride(p.step) : analysis::constant(p.step);
    out = analysis::add(out, analysis::mul(p.multiple != 0 ? analysis::uniform(p.multiple) : value(p.index), step));
  }
  return out;
}

}  // namespace tg::detail
