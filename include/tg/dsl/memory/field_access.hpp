// An access to one field of structs: judged as it is written, and the rest when it is recorded.
#pragma once

#include <cstddef>
#include <type_traits>

#include <tg/dsl/memory/judge.hpp>

namespace tg::detail {

/// What is wrong with an access to one field of structs as it is written, as a diagnosis. Which field it is, and so what
/// it costs, is known when it is recorded. Errors: TG109, TG116, TG196, TG204.
template <class Place, class Struct, class Field, class Excuse, class... I> struct field_judgement {
  static consteval auto pick() {
    using T = typename Place::element_type;
    using written = decltype(check_written<Place, T, Place::rank, 1, I...>());
    if constexpr (!std::is_same_v<Struct, T>)
      return std::type_identity<diagnosis::field_of_struct<false, diagnosis::types<T, Struct>>>{};
    else if constexpr (!is_element<Field>) return std::type_identity<typename element_check<Field>::type>{};
    else if constexpr (!std::is_same_v<written, std::type_identity<diagnosis::none>>) return written{};
    else if constexpr (std::is_same_v<linear_form<Place, I...>, index::data>) {
      using found = typename data_indices<diagnosis::types<>, diagnosis::types<I...>>::type;
      return std::type_identity<diagnosis::known_index<false, diagnosis::data_dependent_index<found>>>{};
    } else {
      return std::type_identity<diagnosis::none>{};
    }
  }
  using type = typename decltype(pick())::type;
};

/// What is recorded of an instruction that moves `piece` of the bytes `field` of structs.
inline access judge_field(recorded_request request, access a, analysis::struct_piece piece, analysis::struct_piece field) {
  a.access_bytes = piece.bytes;
  a.offset_bytes = piece.offset_bytes;
  request.together = field;
  if (request.is_gathered()) a.verdict = verdict::gather;
  judge_recorded(tracer::current(), request, a);
  return a;
}

/// The element that is one field of a struct at `p`.
template <class Field, mode Mode>
auto field_element(place p, const recorded_request& request, const access& a, int offset_bytes) {
  using element = element_of_type<Field, Mode, alignof(Field)>;
  constexpr auto& pieces = struct_pieces<Field, alignof(Field)>;
  const analysis::struct_piece field{offset_bytes, sizeof(Field)};
  p.address.value += offset_bytes;
  if constexpr (scalar_type<Field>) {
    p.entry = judge_field(request, a, field, field);
    return element(p);
  } else {
    struct_place<pieces.size()> out{p};
    for (std::size_t k = 0; k < pieces.size(); ++k)
      out.entries[k] = judge_field(request, a, {offset_bytes + pieces[k].offset_bytes, pieces[k].bytes}, field);
    return element(out);
  }
}

}  // namespace tg::detail
