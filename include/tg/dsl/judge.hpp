// The verdict on an access: at compile time where its form is known, when recording where C++ integers take part.
#pragma once

#include <string>

#include <tg/dsl/check.hpp>
#include <tg/dsl/element.hpp>
#include <tg/dsl/gather.hpp>
#include <tg/dsl/traced_index.hpp>

namespace tg::detail {

/// An index of an access: its operand and what is known about it. `Gathered` when it was said to depend on data.
template <class Form, bool Gathered>
struct linear_index {
  ptx::operand operand;
  ptx::token type = ptx::token::u32;  // how it widens to an address
};

/// Lanes in shared memory: row and column of a rank-2 access, for the advice in the error.
template <class Row, class Col, int Rows, int Cols, int ElementBytes, int AccessBytes>
inline constexpr analysis::tile_access tile_request = [] {
  constexpr analysis::lane_value row = index::evaluate<Row>(0);
  constexpr analysis::lane_value col = index::evaluate<Col>(0);
  return analysis::tile_access{row.offset,
                               col.offset,
                               analysis::active_lanes(index::block_of<Row, Col>, 0),
                               Rows,
                               Cols,
                               ElementBytes,
                               AccessBytes};
}();

template <class Tile, class Row, class Col, int AccessBytes>
struct shared_finding {
  static consteval auto pick() {
    constexpr auto cost = index::worst_of<shared_check<typename Tile::template physical<Row, Col>, Tile::element_bytes, AccessBytes>,
                                          typename Tile::template physical<Row, Col>>;
    constexpr auto& request = tile_request<Row, Col, Tile::rows, Tile::columns, Tile::element_bytes, AccessBytes>;
    constexpr int pitch = analysis::try_pitch(request);
    constexpr analysis::swizzle_bits bits = analysis::try_swizzle(request);
    using ways = diagnosis::ways<cost.ways>;
    using now = diagnosis::pitch_words<Tile::pitch_elems * Tile::element_bytes / 4>;
    if constexpr (bits.bits > 0)
      return diagnosis::shared_bank_conflict<ways, now, diagnosis::try_pitch<pitch>,
                                             diagnosis::try_swizzle<bits.bits, bits.base, bits.shift>>{};
    else return diagnosis::shared_bank_conflict<ways, now, diagnosis::try_pitch<pitch>>{};
  }
  using type = decltype(pick());
};

inline std::string count(int n, const char* what) { return std::to_string(n) + " " + what; }

/// Judged while recording. Errors: TG202, TG203, TG204 with the C++ line.
template <class Excuse>
void judge_traced_global(tracer& t, const ptx::operand& index, access& a, int align, source_location where) {
  a.verdict = verdict::traced;
  for (int w = 0; w < t.block.warps(); ++w) {
    const analysis::lane_mask active = analysis::active_lanes(t.block, w);
    const analysis::lane_value lanes = traced_index(t, t.block, w)(index);
    if (!lanes.known)
      throw error(code{204}, "the index depends on data", "write tg::gather(index) to read or tg::scatter(index) to write", where);
    if (a.access_bytes > a.element_bytes && !analysis::is_aligned(lanes, a.element_bytes, a.access_bytes, align, active))
      throw error(code{203}, "a vector access of " + count(a.access_bytes, "bytes") + " is not provably aligned",
                  "multiply the index by the vector width or promise tg::multiple_of and tg::aligned", where);
    const auto cost = analysis::count_global(lanes, a.element_bytes, a.access_bytes, align, active);
    if (!cost.good && excused_code<Excuse> != 202)
      throw error(code{202}, "uncoalesced global access: a warp touches " + count(cost.sectors, "sectors") + " where its bytes need " +
                                 std::to_string(cost.ideal_sectors),
                  "let neighbouring lanes (thread.x) touch neighbouring elements or go through shared memory", where);
    if (!cost.good) a.verdict = verdict::allowed;
    if (w == 0 || cost.sectors > a.global.sectors) a.global = cost;
  }
}

/// Judged while recording. Errors: TG201, TG203, TG204 with the C++ line.
template <class Excuse>
void judge_traced_shared(tracer& t, const ptx::operand& index, access& a, source_location where) {
  a.verdict = verdict::traced;
  for (int w = 0; w < t.block.warps(); ++w) {
    const analysis::lane_mask active = analysis::active_lanes(t.block, w);
    const analysis::lane_value lanes = traced_index(t, t.block, w)(index);
    const auto cost = analysis::count_shared(lanes, a.element_bytes, a.access_bytes, active);
    if (!lanes.known || !cost.known)
      throw error(code{204}, "the index depends on data", "write tg::gather(index) to read or tg::scatter(index) to write", where);
    if (a.access_bytes > a.element_bytes && !analysis::is_aligned(lanes, a.element_bytes, a.access_bytes, 16, active))
      throw error(code{203}, "a vector access of " + count(a.access_bytes, "bytes") + " is not provably aligned",
                  "multiply the index and the pitch by the vector width", where);
    if (!cost.good && excused_code<Excuse> != 201)
      throw error(code{201}, "shared memory bank conflict: " + count(cost.ways, "ways") + ", " + count(cost.wavefronts, "wavefronts") +
                                 " where " + std::to_string(cost.ideal_wavefronts) + " would do",
                  "give the tile tg::pitch or tg::swizzle", where);
    if (!cost.good) a.verdict = verdict::allowed;
    if (w == 0 || cost.wavefronts > a.shared.wavefronts) a.shared = cost;
  }
}

/// The verdict on a global access of AccessBytes per lane. Compile errors: TG202, TG203, TG204.
template <class Excuse, int ElementBytes, int AccessBytes, int Align, class Form, bool Gathered>
access judge_global(const linear_index<Form, Gathered>& index, source_location where) {
  access a{.where = where, .element_bytes = ElementBytes, .access_bytes = AccessBytes};
  if constexpr (Gathered) {
    a.verdict = verdict::gather;
  } else if constexpr (std::is_same_v<Form, index::traced>) {
    judge_traced_global<Excuse>(tracer::current(), index.operand, a, Align, where);
  } else {
    using check = global_check<Form, ElementBytes, AccessBytes, Align>;
    constexpr analysis::global_cost cost = index::worst_of<check, Form>;
    (void)sizeof(diagnosis::known_index<cost.known, diagnosis::data_dependent_index<Form>>);
    if constexpr (cost.known) {
      if constexpr (AccessBytes > ElementBytes)
        (void)sizeof(diagnosis::aligned_access<all_aligned<check, Form>,
                                               diagnosis::misaligned_vector<diagnosis::access_bytes<AccessBytes>,
                                                                            diagnosis::proved_alignment_bytes<proved_alignment<Form, ElementBytes, Align>>>>);
      (void)sizeof(diagnosis::global_access<
                   cost.good || excused_code<Excuse> == 202,
                   diagnosis::uncoalesced_access<diagnosis::sectors<cost.sectors>, diagnosis::ideal_sectors<cost.ideal_sectors>>>);
      if constexpr (!cost.good) a.verdict = verdict::allowed;
    }
    a.global = cost;
  }
  return a;
}

/// The verdict on a shared access. Compile errors: TG201, TG203, TG204.
template <class Tile, class Excuse, int AccessBytes, class Row, class Col, class Form, bool Gathered>
access judge_shared(const linear_index<Form, Gathered>& index, source_location where) {
  access a{.where = where, .is_shared = true, .element_bytes = Tile::element_bytes, .access_bytes = AccessBytes};
  if constexpr (Gathered) {
    a.verdict = verdict::gather;
  } else if constexpr (std::is_same_v<Form, index::traced>) {
    judge_traced_shared<Excuse>(tracer::current(), index.operand, a, where);
  } else {
    using check = shared_check<Form, Tile::element_bytes, AccessBytes>;
    constexpr analysis::shared_cost cost = index::worst_of<check, Form>;
    (void)sizeof(diagnosis::known_index<cost.known, diagnosis::data_dependent_index<Form>>);
    if constexpr (cost.known) {
      if constexpr (AccessBytes > Tile::element_bytes)
        (void)sizeof(diagnosis::aligned_access<all_aligned<check, Form>,
                                               diagnosis::misaligned_vector<diagnosis::access_bytes<AccessBytes>,
                                                                            diagnosis::proved_alignment_bytes<proved_alignment<Form, Tile::element_bytes, 16>>>>);
      if constexpr (!cost.good && excused_code<Excuse> != 201)
        (void)sizeof(diagnosis::shared_access<false, typename shared_finding<Tile, Row, Col, AccessBytes>::type>);
      if constexpr (!cost.good) a.verdict = verdict::allowed;
    }
    a.shared = cost;
  }
  return a;
}

}  // namespace tg::detail
