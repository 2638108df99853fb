// The verdict on an access: at compile time where its form is known, when recording where C++ integers take part.
#pragma once

#include <span>

#include <tg/dsl/access_check.hpp>
#include <tg/dsl/check.hpp>
#include <tg/dsl/element.hpp>

namespace tg::detail {

/// One index of an access: a register, or an immediate of the program.
struct index_operand {
  ptx::operand operand;
  ptx::token type;
};

/// One dimension of an access that is judged while it is recorded: neighbours along it are as many elements apart as
/// `step` says, or by an unknown multiple of `step`.
struct index_part {
  ptx::operand index;
  std::int64_t step = 1;
  bool is_multiple = false;
};

/// An index of an access to a tile: its operand and what is known about it. `Gathered` when it was said to depend on data.
template <class Form, bool Gathered>
struct linear_index {
  ptx::operand operand;
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

template <class Tile, int AccessBytes, int Ways, class... I>
struct shared_finding {
  using ways = diagnosis::ways<Ways>;

  // Advice is a layout that frees warp 0; there is none to give where its lanes are not known exactly.
  template <class Row, class Col>
  static consteval auto advise() {
    using now = diagnosis::pitch_words<Tile::pitch_elems * Tile::element_bytes / 4>;
    constexpr auto& request = tile_request<Row, Col, Tile::rows, Tile::columns, Tile::element_bytes, AccessBytes>;
    constexpr int pitch = analysis::try_pitch(request);
    constexpr analysis::swizzle_bits bits = analysis::try_swizzle(request);
    if constexpr (pitch > 0 && bits.bits > 0)
      return diagnosis::shared_bank_conflict<ways, now, diagnosis::try_pitch<pitch>,
                                             diagnosis::try_swizzle<bits.bits, bits.base, bits.shift>>{};
    else if constexpr (pitch > 0) return diagnosis::shared_bank_conflict<ways, now, diagnosis::try_pitch<pitch>>{};
    else if constexpr (bits.bits > 0)
      return diagnosis::shared_bank_conflict<ways, now, diagnosis::try_swizzle<bits.bits, bits.base, bits.shift>>{};
    else return diagnosis::shared_bank_conflict<ways, now>{};
  }
  static consteval auto pick() {
    if constexpr (!Tile::has_layout) return diagnosis::shared_bank_conflict<ways>{};
    else if constexpr (sizeof...(I) == 2) return advise<index_form<I>...>();
    else return diagnosis::shared_bank_conflict<ways, diagnosis::pitch_words<Tile::pitch_elems * Tile::element_bytes / 4>>{};
  }
  using type = decltype(pick());
};

/// What is wrong with an access whose index has this form, as a diagnosis, where `Check` counts its cost.
template <class Check, class Form, class Excuse, int Code, int ElementBytes, int AccessBytes, int Align, class Finding>
constexpr auto check_form(Finding finding) {
  if constexpr (std::is_same_v<Form, index::traced> || !is_excuse<Excuse>) {
    return std::type_identity<diagnosis::none>{};
  } else {
    constexpr auto cost = index::worst_of<Check, Form>;
    if constexpr (!cost.known)
      return std::type_identity<diagnosis::known_index<false, diagnosis::data_dependent_index<Form>>>{};
    else if constexpr (AccessBytes > ElementBytes && !all_aligned<Check, Form>)
      return std::type_identity<diagnosis::aligned_access<
          false, diagnosis::misaligned_vector<
                     diagnosis::access_bytes<AccessBytes>,
                     diagnosis::proved_alignment_bytes<proved_alignment<Form, ElementBytes, Align>>>>>{};
    else if constexpr (!cost.good && excused_code<Excuse> != Code) return finding.template operator()<cost>();
    else return std::type_identity<diagnosis::none>{};
  }
}

/// What is wrong with an access of N elements of a view, as a diagnosis. Errors: TG109, TG111, TG116, TG202 to TG204.
template <class View, int N, class Excuse, class... I>
struct global_judgement {
  using T = typename View::element_type;
  static consteval auto pick() {
    using written = decltype(check_written<View, T, View::rank, N, I...>());
    if constexpr (!std::is_same_v<written, std::type_identity<diagnosis::none>>) {
      return written{};
    } else if constexpr (are_gathered<I...>) {
      return std::type_identity<diagnosis::none>{};
    } else {
      using form = linear_form<View, I...>;
      return check_form<global_check<form, sizeof(T), N * int(sizeof(T)), View::alignment_bytes>, form, Excuse, 202,
                        sizeof(T), N * int(sizeof(T)), View::alignment_bytes>([]<analysis::global_cost Cost> {
        return std::type_identity<diagnosis::global_access<
            false, diagnosis::uncoalesced_access<diagnosis::sectors<Cost.sectors>,
                                                 diagnosis::ideal_sectors<Cost.ideal_sectors>>>>{};
      });
    }
  }
  using type = typename decltype(pick())::type;
};

/// The same of a tile. Errors: TG109, TG111, TG116, TG201, TG203, TG204.
template <class Tile, int N, class Excuse, class... I>
struct shared_judgement {
  static consteval auto pick() {
    using written = decltype(check_written<Tile, typename Tile::element_type, Tile::rank, N, I...>());
    if constexpr (!std::is_same_v<written, std::type_identity<diagnosis::none>>) {
      return written{};
    } else if constexpr (are_gathered<I...>) {
      return std::type_identity<diagnosis::none>{};
    } else {
      constexpr int bytes = N * Tile::element_bytes;
      using form = typename Tile::template form_of<I...>;
      return check_form<shared_check<form, Tile::element_bytes, bytes>, form, Excuse, 201, Tile::element_bytes, bytes,
                        16>([]<analysis::shared_cost Cost> {
        return std::type_identity<
            diagnosis::shared_access<false, typename shared_finding<Tile, bytes, Cost.ways, I...>::type>>{};
      });
    }
  }
  using type = typename decltype(pick())::type;
};

/// Judged while recording, unless excused from the finding of this code. Errors: TG202, TG203, TG204 with the C++ line.
void judge_traced_global(tracer& t, std::span<const index_part> index, access& a, int align, int excused, source_location where);
/// Errors: TG201, TG203, TG204 with the C++ line.
void judge_traced_shared(tracer& t, const ptx::operand& index, access& a, int excused, source_location where);

/// Keeps what the compiler counted: the worst, and of each warp the distinct cost that its own is like.
void keep_costs(access& a, const analysis::global_cost& worst, const analysis::global_cost* distinct, const std::uint8_t* like);
void keep_costs(access& a, const analysis::shared_cost& worst, const analysis::shared_cost* distinct, const std::uint8_t* like);

template <class Check, class Form>
void keep_costs(access& a) {
  keep_costs(a, index::worst_of<Check, Form>, index::costs_of<Check, Form>.data(), index::distinct_warps<Check, Form>::like.data());
}

/// What is recorded of a global access to N elements that `global_judgement` let pass. `at`: its indices, as in I.
template <class View, class Excuse, int N, class... I>
access judge_global(const index_operand* at, source_location where) {
  constexpr int bytes = sizeof(typename View::element_type);
  using form = linear_form<View, I...>;
  access a{.where = where, .element_bytes = bytes, .access_bytes = N * bytes};
  if constexpr (are_gathered<I...>) {
    a.verdict = verdict::gather;
  } else if constexpr (std::is_same_v<form, index::traced>) {
    index_part parts[View::rank];
    for (int k = 0; k < View::rank; ++k) parts[k] = {at[k].operand, View::facts.step(k).elements, !View::facts.step(k).is_known};
    judge_traced_global(tracer::current(), parts, a, View::alignment_bytes, excused_code<Excuse>, where);
  } else {
    keep_costs<global_check<form, bytes, N * bytes, View::alignment_bytes>, form>(a);
  }
  return a;
}

/// What is recorded of a shared access that `shared_judgement` let pass.
template <class Tile, class Excuse, int AccessBytes, class Form, bool Gathered>
access judge_shared(const linear_index<Form, Gathered>& index, source_location where) {
  access a{.where = where, .is_shared = true, .element_bytes = Tile::element_bytes, .access_bytes = AccessBytes};
  if constexpr (Gathered) {
    a.verdict = verdict::gather;
  } else if constexpr (std::is_same_v<Form, index::traced>) {
    judge_traced_shared(tracer::current(), index.operand, a, excused_code<Excuse>, where);
  } else {
    keep_costs<shared_check<Form, Tile::element_bytes, AccessBytes>, Form>(a);
  }
  return a;
}

}  // namespace tg::detail

#ifndef TG_COMPILED
#include <tg/dsl/traced_judgement.hpp>
#endif
