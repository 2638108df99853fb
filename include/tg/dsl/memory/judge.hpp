// The verdict on an access: while the C++ compiler runs where the type of its index says enough, else when it is recorded.
#pragma once

#include <tg/dsl/memory/access_check.hpp>
#include <tg/dsl/memory/element.hpp>
#include <tg/dsl/memory/view_options.hpp>
#include <tg/dsl/recorder/open_judgement.hpp>
#include <tg/dsl/verdict/check.hpp>

namespace tg::detail {

/// One index of an access: a register, or an immediate of the program.
struct index_operand {
  ptx::operand operand;
  ptx::token type;
  std::int64_t multiple = 0;  // of one that is gathered, as it was promised; 0: it is not gathered
};

/// An index of an access to a tile.
struct recorded_index {
  ptx::operand operand;
  ptx::operand rest = {};     // what is not gathered; none where all is
  std::int64_t multiple = 0;  // of the gathered part; 0: nothing is gathered
};

/// An index of an access to a tile and what is known about it. `Gathered` when part of it was said to depend on data; `Form`
/// then is that of the index in which the gathered part is the same multiple in all lanes.
template <class Form, bool Gathered> struct linear_index : recorded_index {};

/// What the compiler found an access to cost; nothing where the recorder has to find it.
template <class Cost> struct found_costs {
  const Cost* worst = nullptr;
  const Cost* distinct = nullptr;
  const std::uint8_t* like = nullptr;  // of each warp: which of the distinct costs is its own
};

/// What the types of an access say of it, so that one function records accesses of all types.
template <class Cost> struct access_facts {
  int element_bytes;
  int access_bytes;
  int excused;       // code of the finding that is excused
  int matrices = 0;  // rows of that many matrices; 0: elements
  bool is_gathered = false;
  found_costs<Cost> costs = {};
};

/// Lanes in shared memory: row and column of a rank-2 access, for the advice in the error.
template <class Row, class Col, int Rows, int Cols, int ElementBytes, int AccessBytes>
inline constexpr analysis::tile_access tile_request = [] {
  constexpr analysis::lane_value row = index::evaluate<Row>(0);
  constexpr analysis::lane_value col = index::evaluate<Col>(0);
  return analysis::tile_access{row.offset,   col.offset, analysis::active_lanes(index::block_of<Row, Col>, 0), Rows, Cols,
                               ElementBytes, AccessBytes};
}();

template <class Tile, int AccessBytes, int Ways, class... I> struct shared_finding {
  using ways = diagnosis::ways<Ways>;

  // Advice is a layout that frees warp 0; there is none to give where its lanes are not known exactly.
  template <class Row, class Col> static consteval auto advise() {
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
template <class Check, class Form> constexpr bool is_left_to_recorder() {
  if constexpr (std::is_same_v<Form, index::traced>) return true;
  else return !index::worst_of<Check, Form>.known;
}

/// Whether accesses beside this one may use what it leaves of its sectors, so that only all of them together are judged.
constexpr bool may_have_siblings(const analysis::global_cost& cost) { return !cost.good && cost.fillable; }
constexpr bool may_have_siblings(const analysis::shared_cost&) { return false; }

/// What is wrong with an access whose index has this form, as a diagnosis, where `Check` counts its cost.
/// `Finding`: the diagnosis of a cost that is not good.
template <class Check, class Form, class Excuse, int Code, int ElementBytes, int AccessBytes, int Align, bool Gathered,
          class Data, class Finding>
constexpr auto check_form() {
  if constexpr (std::is_same_v<Form, index::data>) {
    using found = typename data_indices<diagnosis::types<>, Data>::type;
    return std::type_identity<diagnosis::known_index<false, diagnosis::data_dependent_index<found>>>{};
  } else if constexpr (!is_excuse<Excuse> || is_left_to_recorder<Check, Form>()) {
    return std::type_identity<diagnosis::none>{};
  } else {
    constexpr auto cost = index::worst_of<Check, Form>;
    if constexpr (!Gathered && AccessBytes > ElementBytes && !all_aligned<Check, Form>)
      return std::type_identity<diagnosis::aligned_access<
          false,
          diagnosis::misaligned_vector<diagnosis::access_bytes<AccessBytes>,
                                       diagnosis::proved_alignment_bytes<proved_alignment<Form, ElementBytes, Align>>>>>{};
    else if constexpr (!cost.good && excused_code<Excuse> != Code && !may_have_siblings(cost))
      return std::type_identity<typename Finding::template type<cost>>{};
    else return std::type_identity<diagnosis::none>{};
  }
}

struct global_finding {
  template <analysis::global_cost Cost>
  using type = diagnosis::global_access<
      false, diagnosis::uncoalesced_access<diagnosis::sectors<Cost.sectors>, diagnosis::ideal_sectors<Cost.ideal_sectors>>>;
};

/// What is wrong with an access of N elements of a view, as a diagnosis. Errors: TG109, TG111, TG116, TG202 to TG204.
template <class View, int N, class Excuse, class... I> struct global_judgement {
  using T = typename View::element_type;
  static consteval auto pick() {
    using written = decltype(check_written<View, T, View::rank, N, I...>());
    if constexpr (!std::is_same_v<written, std::type_identity<diagnosis::none>>) {
      return written{};
    } else {
      using form = linear_form<View, I...>;
      return check_form<global_check<form, sizeof(T), N* int(sizeof(T)), View::alignment_bytes>, form, Excuse, 202, sizeof(T),
                        N* int(sizeof(T)), View::alignment_bytes, are_gathered<I...>, diagnosis::types<I...>, global_finding>();
    }
  }
  using type = typename decltype(pick())::type;
};

template <int StructBytes> struct shared_piece_finding {
  template <analysis::shared_cost Cost>
  using type = diagnosis::shared_struct_access<
      false, diagnosis::shared_bank_conflict<diagnosis::ways<Cost.ways>, diagnosis::struct_bytes<StructBytes>>>;
};

/// The first piece of a struct, from number `First` on, that has bank conflicts, as a diagnosis.
template <class Tile, class Excuse, std::size_t First, class... I> constexpr auto check_shared_pieces() {
  constexpr auto& pieces = struct_pieces<typename Tile::element_type, analysis::widest_access_bytes>;
  if constexpr (First == pieces.size()) {
    return std::type_identity<diagnosis::none>{};
  } else {
    using form = typename Tile::template form_of<I...>;
    constexpr int bytes = Tile::element_bytes;
    using found =
        decltype(check_form<shared_piece_check<form, bytes, pieces[First]>, form, Excuse, 201, bytes, pieces[First].bytes, 16,
                            are_gathered<I...>, diagnosis::types<I...>, shared_piece_finding<bytes>>());
    if constexpr (std::is_same_v<found, std::type_identity<diagnosis::none>>)
      return check_shared_pieces<Tile, Excuse, First + 1, I...>();
    else return found{};
  }
}

template <class Tile, int AccessBytes, class... I> struct shared_tile_finding {
  template <analysis::shared_cost Cost>
  using type = diagnosis::shared_access<false, typename shared_finding<Tile, AccessBytes, Cost.ways, I...>::type>;
};

/// The verdict on an access to a tile. Errors: TG109, TG111, TG116, TG201, TG203, TG204.
template <class Tile, int N, class Excuse, class... I> struct shared_judgement {
  static consteval auto pick() {
    using written = decltype(check_written<Tile, typename Tile::element_type, Tile::rank, N, I...>());
    if constexpr (!std::is_same_v<written, std::type_identity<diagnosis::none>>) {
      return written{};
    } else if constexpr (are_gathered<I...> && Tile::permutes) {
      return std::type_identity<diagnosis::none>{};
    } else if constexpr (!scalar_type<typename Tile::element_type>) {
      return check_shared_pieces<Tile, Excuse, 0, I...>();
    } else {
      constexpr int bytes = N * Tile::element_bytes;
      using form = typename Tile::template form_of<I...>;
      return check_form<shared_check<form, Tile::element_bytes, bytes>, form, Excuse, 201, Tile::element_bytes, bytes, 16,
                        are_gathered<I...>, diagnosis::types<I...>, shared_tile_finding<Tile, bytes, I...>>();
    }
  }
  using type = typename decltype(pick())::type;
};

/// The power of two, up to 16, that divides what a recorded operand holds in every lane.
std::int64_t multiple_in(tracer& t, const ptx::operand& o);

/// Judges an access by what is recorded, at once or, where that takes all that is still to come, when the recording ends.
/// Errors: TG201 to TG204 with the C++ line.
void judge_recorded(tracer& t, const recorded_request& request, access& a);

/// The access, whose costs are known, uses part of its sectors: others beside it have to use the rest.
/// Errors: TG202 when the recording ends.
void judge_with_siblings(tracer& t, const recorded_request& request, access& a);

/// Keeps what the compiler counted: the worst, and of each warp the distinct cost that its own is like.
void keep_costs(access& a, const analysis::global_cost& worst, const analysis::global_cost* distinct, const std::uint8_t* like);
void keep_costs(access& a, const analysis::shared_cost& worst, const analysis::shared_cost* distinct, const std::uint8_t* like);

template <class Check, class Form> void keep_costs(access& a) {
  keep_costs(a, index::worst_of<Check, Form>, index::costs_of<Check, Form>.data(),
             index::distinct_warps<Check, Form>::like.data());
}

/// The element of a read-only view of integers at these indices.
template <class View, class... I> struct element_of {
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
template <class Check, class Form, bool Gathered, int Code> void judge_access(const recorded_request& request, access& a) {
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

/// What the compiler found of an access that is not gathered.
template <class Check, class Form> constexpr auto find_costs() {
  using found = found_costs<std::remove_cvref_t<decltype(index::worst_of<Check, Form>)>>;
  if constexpr (is_left_to_recorder<Check, Form>()) return found{};
  else
    return found{&index::worst_of<Check, Form>, index::costs_of<Check, Form>.data(),
                 index::distinct_warps<Check, Form>::like.data()};
}

/// The facts of an access to N elements of a view at indices of these types that `global_judgement` let pass.
template <class View, class Excuse, int N, class... I> constexpr access_facts<analysis::global_cost> find_global_facts() {
  constexpr int bytes = sizeof(typename View::element_type);
  using form = linear_form<View, I...>;
  access_facts<analysis::global_cost> out{bytes, N * bytes, excused_code<Excuse>};
  out.is_gathered = are_gathered<I...>;
  if constexpr (!are_gathered<I...>)
    out.costs = find_costs<global_check<form, bytes, N * bytes, View::alignment_bytes>, form>();
  return out;
}
template <class View, class Excuse, int N, class... I>
inline constexpr access_facts<analysis::global_cost> global_facts = find_global_facts<View, Excuse, N, I...>();

/// The facts of an access to a tile of elements of so many bytes, at an index of this form, that `shared_judgement` let pass.
template <class Form, bool Gathered, class Excuse, int ElementBytes, int AccessBytes>
constexpr access_facts<analysis::shared_cost> find_shared_facts() {
  access_facts<analysis::shared_cost> out{ElementBytes, AccessBytes, excused_code<Excuse>};
  out.is_gathered = Gathered;
  if constexpr (!Gathered) out.costs = find_costs<shared_check<Form, ElementBytes, AccessBytes>, Form>();
  return out;
}
template <class Form, bool Gathered, class Excuse, int ElementBytes, int AccessBytes>
inline constexpr access_facts<analysis::shared_cost> shared_facts =
    find_shared_facts<Form, Gathered, Excuse, ElementBytes, AccessBytes>();

/// The request of an access to a view. `at`: its indices.
recorded_request to_request(const view_facts& facts, const index_operand* at, int excused);

/// The request of an access to a tile.
recorded_request to_request(const recorded_index& index, int excused);

/// What is recorded of an access to a tile. Errors: TG201, TG203.
access judge_shared(const access_facts<analysis::shared_cost>& known, const recorded_index& index, source_location where);

/// What is recorded of the instruction that moves `Piece` of structs of a view that `global_judgement` let pass: its own
/// costs, and the verdict on the whole struct.
template <class View, class Excuse, analysis::struct_piece Piece, class... I>
access judge_global_piece(const index_operand* at, source_location where) {
  constexpr int bytes = sizeof(typename View::element_type);
  using form = linear_form<View, I...>;
  using whole = global_check<form, bytes, bytes, View::alignment_bytes>;
  access a{.where = where, .element_bytes = bytes, .access_bytes = Piece.bytes, .offset_bytes = Piece.offset_bytes};
  recorded_request request = to_request(View::facts, at, excused_code<Excuse>);
  request.together = {0, bytes};
  if constexpr (are_gathered<I...> || is_left_to_recorder<whole, form>()) {
    judge_access<whole, form, are_gathered<I...>, 202>(request, a);
  } else {
    using check = global_piece_check<form, bytes, Piece, View::alignment_bytes>;
    static constexpr analysis::global_cost worst = [] {
      analysis::global_cost out = index::worst_of<check, form>;
      out.good = index::worst_of<whole, form>.good;
      out.fillable = index::worst_of<whole, form>.fillable;
      return out;
    }();
    keep_costs(a, worst, index::costs_of<check, form>.data(), index::distinct_warps<check, form>::like.data());
    if constexpr (may_have_siblings(worst))
      if (request.excused != 202) judge_with_siblings(tracer::current(), request, a);
  }
  return a;
}

/// What is recorded of the instruction that moves `Piece` of structs of a tile that `shared_judgement` let pass.
template <class Tile, class Excuse, analysis::struct_piece Piece, class Form, bool Gathered>
access judge_shared_piece(const linear_index<Form, Gathered>& index, source_location where) {
  constexpr int bytes = Tile::element_bytes;
  access a{.where = where,
           .is_shared = true,
           .element_bytes = bytes,
           .access_bytes = Piece.bytes,
           .offset_bytes = Piece.offset_bytes};
  recorded_request request = to_request(index, excused_code<Excuse>);
  request.together = {0, bytes};
  judge_access<shared_piece_check<Form, bytes, Piece>, Form, Gathered, 201>(request, a);
  return a;
}

}  // namespace tg::detail
