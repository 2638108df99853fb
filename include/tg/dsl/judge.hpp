// The verdict on an access: while the C++ compiler runs where the type of its index says enough, else when it is recorded.
#pragma once

#include <tg/dsl/access_check.hpp>
#include <tg/dsl/check.hpp>
#include <tg/dsl/element.hpp>
#include <tg/dsl/open_judgement.hpp>

namespace tg::detail {

/// One index of an access: a register, or an immediate of the program.
struct index_operand {
  ptx::operand operand;
  ptx::token type;
  std::int64_t multiple = 0;  // of one that is gathered, as it was promised; 0: it is not gathered
};

/// An index of an access to a tile: its operand and what is known about it. `Gathered` when part of it was said to depend on
/// data; `Form` then is that of the index in which the gathered part is the same multiple in all lanes.
template <class Form, bool Gathered>
struct linear_index {
  ptx::operand operand;
  ptx::operand rest = {};     // what is not gathered; none where all is
  std::int64_t multiple = 0;  // of the gathered part; 0: nothing is gathered
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

/// Whether the recorded instructions have to say what a request costs: the type does not know its lanes, or knows that each
/// of several patterns is possible.
template <class Check, class Form>
constexpr bool is_left_to_recorder() {
  if constexpr (std::is_same_v<Form, index::traced>) return true;
  else return !index::worst_of<Check, Form>.known;
}

/// Whether accesses beside this one may use what it leaves of its sectors, so that only all of them together are judged.
constexpr bool may_have_siblings(const analysis::global_cost& cost) { return !cost.good && cost.fillable; }
constexpr bool may_have_siblings(const analysis::shared_cost&) { return false; }

/// What is wrong with an access whose index has this form, as a diagnosis, where `Check` counts its cost.
template <class Check, class Form, class Excuse, int Code, int ElementBytes, int AccessBytes, int Align, bool Gathered,
          class Data, class Finding>
constexpr auto check_form(Finding finding) {
  if constexpr (std::is_same_v<Form, index::data>) {
    using found = typename data_indices<diagnosis::types<>, Data>::type;
    return std::type_identity<diagnosis::known_index<false, diagnosis::data_dependent_index<found>>>{};
  } else if constexpr (!is_excuse<Excuse> || is_left_to_recorder<Check, Form>()) {
    return std::type_identity<diagnosis::none>{};
  } else {
    constexpr auto cost = index::worst_of<Check, Form>;
    if constexpr (!Gathered && AccessBytes > ElementBytes && !all_aligned<Check, Form>)
      return std::type_identity<diagnosis::aligned_access<
          false, diagnosis::misaligned_vector<
                     diagnosis::access_bytes<AccessBytes>,
                     diagnosis::proved_alignment_bytes<proved_alignment<Form, ElementBytes, Align>>>>>{};
    else if constexpr (!cost.good && excused_code<Excuse> != Code && !may_have_siblings(cost))
      return finding.template operator()<cost>();
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
    } else {
      using form = linear_form<View, I...>;
      return check_form<global_check<form, sizeof(T), N * int(sizeof(T)), View::alignment_bytes>, form, Excuse, 202,
                        sizeof(T), N * int(sizeof(T)), View::alignment_bytes, are_gathered<I...>,
                        diagnosis::types<I...>>([]<analysis::global_cost Cost> {
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
    } else if constexpr (are_gathered<I...> && Tile::permutes) {
      return std::type_identity<diagnosis::none>{};
    } else {
      constexpr int bytes = N * Tile::element_bytes;
      using form = typename Tile::template form_of<I...>;
      return check_form<shared_check<form, Tile::element_bytes, bytes>, form, Excuse, 201, Tile::element_bytes, bytes,
                        16, are_gathered<I...>, diagnosis::types<I...>>([]<analysis::shared_cost Cost> {
        return std::type_identity<
            diagnosis::shared_access<false, typename shared_finding<Tile, bytes, Cost.ways, I...>::type>>{};
      });
    }
  }
  using type = typename decltype(pick())::type;
};

/// Judges an access by what is recorded, at once or, where that takes all that is still to come, when the recording ends.
/// Errors: TG201 to TG204 with the C++ line.
void judge_recorded(tracer& t, const recorded_request& request, access& a);

/// The access, whose costs are known, uses part of its sectors: others beside it have to use the rest.
/// Errors: TG202 when the recording ends.
void judge_with_siblings(tracer& t, const recorded_request& request, access& a);

/// Keeps what the compiler counted: the worst, and of each warp the distinct cost that its own is like.
void keep_costs(access& a, const analysis::global_cost& worst, const analysis::global_cost* distinct, const std::uint8_t* like);
void keep_costs(access& a, const analysis::shared_cost& worst, const analysis::shared_cost* distinct, const std::uint8_t* like);

template <class Check, class Form>
void keep_costs(access& a) {
  keep_costs(a, index::worst_of<Check, Form>, index::costs_of<Check, Form>.data(), index::distinct_warps<Check, Form>::like.data());
}

/// The element of a read-only view of integers at these indices.
template <class View, class... I>
struct element_of {
  static consteval auto pick() {
    using T = typename View::element_type;
    if constexpr (are_gathered<I...>) {
      return std::type_identity<element<T, mode::read>>{};
    } else {
      using form = linear_form<View, I...>;
      using check = global_check<form, sizeof(T), sizeof(T), View::alignment_bytes>;
      if constexpr (is_left_to_recorder<check, form>()) {
        return std::type_identity<known_element<T, index::traced>>{};
      } else {
        constexpr bool is_one_address = [] {
          for (const analysis::global_cost& cost : index::costs_of<check, form>)
            if (cost.touched_bytes != sizeof(T)) return false;
          return true;
        }();
        if constexpr (!is_one_address) return std::type_identity<element<T, mode::read>>{};
        else return std::type_identity<known_element<T, index::single<index::uniform<1, std::is_signed_v<T>>>>>{};
      }
    }
  }
  using type = typename decltype(pick())::type;
};

// What `Check` or the recorder says of an access.
template <class Check, class Form, bool Gathered, int Code>
void judge_access(const recorded_request& request, access& a) {
  auto& t = tracer::current();
  if constexpr (Gathered) a.verdict = verdict::gather;
  if constexpr (Gathered || is_left_to_recorder<Check, Form>()) {
    judge_recorded(t, request, a);
  } else {
    keep_costs<Check, Form>(a);
    if constexpr (may_have_siblings(index::worst_of<Check, Form>))
      if (request.excused != Code) judge_with_siblings(t, request, a);
  }
}

/// What is recorded of a global access to N elements that `global_judgement` let pass. `at`: its indices, as in I.
template <class View, class Excuse, int N, class... I>
access judge_global(const index_operand* at, source_location where) {
  constexpr int bytes = sizeof(typename View::element_type);
  using form = linear_form<View, I...>;
  access a{.where = where, .element_bytes = bytes, .access_bytes = N * bytes};
  recorded_request request{.rank = View::rank, .align = View::alignment_bytes, .excused = excused_code<Excuse>};
  for (int k = 0; k < View::rank; ++k)
    request.parts[static_cast<std::size_t>(k)] = {at[k].operand, View::facts.step(k).elements, !View::facts.step(k).is_known,
                                                  at[k].multiple};
  judge_access<global_check<form, bytes, N * bytes, View::alignment_bytes>, form, are_gathered<I...>, 202>(request, a);
  return a;
}

/// The request of an access to a tile.
template <class Form, bool Gathered>
recorded_request to_request(const linear_index<Form, Gathered>& index, int excused) {
  recorded_request out{.excused = excused};
  if constexpr (Gathered) {
    out.parts[0] = {.index = index.operand, .multiple = index.multiple};
    if (!index.rest.is(ptx::operand_kind::none)) out.parts[out.rank++] = {.index = index.rest};
  } else {
    out.parts[0].index = index.operand;
  }
  return out;
}

/// What is recorded of a shared access that `shared_judgement` let pass.
template <class Tile, class Excuse, int AccessBytes, class Form, bool Gathered>
access judge_shared(const linear_index<Form, Gathered>& index, source_location where) {
  access a{.where = where, .is_shared = true, .element_bytes = Tile::element_bytes, .access_bytes = AccessBytes};
  judge_access<shared_check<Form, Tile::element_bytes, AccessBytes>, Form, Gathered, 201>(
      to_request(index, excused_code<Excuse>), a);
  return a;
}

}  // namespace tg::detail

#ifndef TG_COMPILED
#include <tg/dsl/traced_judgement.hpp>
#endif
