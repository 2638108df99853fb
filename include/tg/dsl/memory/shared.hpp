// Tiles in shared memory, with the layout in their type.
#pragma once

#include <tg/analysis/capability_table.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/memory/field_access.hpp>
#include <tg/dsl/memory/tile_index.hpp>
#include <tg/layout/pitch.hpp>
#include <tg/layout/shape.hpp>
#include <tg/layout/swizzle.hpp>

namespace tg {

namespace detail {

// Row-major without padding unless the layout says otherwise.
template <class Layout, int Columns> struct layout_rules {
  static constexpr int pitch = Columns;
  static constexpr bool permutes = false;  // whether the layout changes the order of elements
  template <class Form> using physical = Form;
  static constexpr fixed_array<analysis::swizzle_bits, 0> terms{};
  static constexpr bool fits(int) { return true; }
};
template <int Elems, int Columns> struct layout_rules<pitch_t<Elems>, Columns> : layout_rules<void, Columns> {
  static constexpr int pitch = Elems;
  static constexpr bool fits(int) { return Elems >= Columns; }
};
// One term of a swizzle: (index >> S) & mask.
template <class Term> struct swizzle_term;
template <int B, int M, int S> struct swizzle_term<swizzle_t<B, M, S>> {
  static constexpr std::int64_t mask = swizzle_t<B, M, S>::mask;
  template <class Form> using masked = index::node<Form, index::number<S>, index::shift_right<Form, index::number<S>, false>>;
  template <class Form>
  using picked = index::node<masked<Form>, index::number<mask>, index::bit_and<masked<Form>, index::number<mask>>>;
  // `Form` with the term of `Index` xored to it.
  template <class Form, class Index> using added = index::node<Form, picked<Index>, index::bit_xor<Form, picked<Index>>>;
};

template <class Form, class Index, class... Terms> struct swizzled_form { using type = Form; };
template <class Form, class Index, class First, class... Rest>
struct swizzled_form<Form, Index, First, Rest...>
    : swizzled_form<typename swizzle_term<First>::template added<Form, Index>, Index, Rest...> {};

template <class... Terms> struct swizzle_rules {
  static constexpr bool permutes = true;
  template <class Form> using physical = typename swizzled_form<Form, Form, Terms...>::type;

  static constexpr fixed_array<analysis::swizzle_bits, sizeof...(Terms)> terms{{{Terms::bits, Terms::base, Terms::shift}...}};
  // The permutation stays inside the tile when the tile is made of whole periods.
  static constexpr bool fits(int size) { return ((size % (1 << Terms::period_bits) == 0) && ...); }
};
template <int B, int M, int S, int Columns>
struct layout_rules<swizzle_t<B, M, S>, Columns> : swizzle_rules<swizzle_t<B, M, S>> {
  static constexpr int pitch = Columns;
};
template <class... Terms, int Columns> struct layout_rules<swizzles_t<Terms...>, Columns> : swizzle_rules<Terms...> {
  static constexpr int pitch = Columns;
};

/// How far neighbours along each dimension are apart: rows by the pitch, planes without gaps between them.
template <class Shape, int Pitch, class Dimensions = detail::make_integer_sequence<int, Shape::rank>> struct tile_pitches;
template <class Shape, int Pitch, int... K> struct tile_pitches<Shape, Pitch, detail::integer_sequence<int, K...>> {
  static constexpr auto elements = [] {
    fixed_array<int, sizeof...(K)> out{};
    for (int k = Shape::rank - 1, own = 1; k >= 0; --k) {
      out[static_cast<std::size_t>(k)] = own;
      own = k == Shape::rank - 1 ? Pitch : own * Shape::extent(k);
    }
    return out;
  }();
  static constexpr int extents[] = {Shape::extent(K)...};
  template <class Outer> struct list;
  template <int... O> struct list<detail::integer_sequence<int, O...>> {
    using type = pitch_list<index::number<elements[O]>...>;
  };
  using type = typename list<detail::make_integer_sequence<int, Shape::rank - 1>>::type;
};

struct same_memory {};

/// The address of each element of a tile is a multiple of that where its size is. Source: PTX ISA, "Vectors": no access
/// needs more.
inline constexpr int tile_align_bytes = analysis::widest_access_bytes;

/// Where a struct of a tile is, and what was found of the instructions that move it. `index`: after the layout.
template <class Tile, class Excuse, class Form, bool Gathered>
auto find_struct(const Tile& tile, const linear_index<Form, Gathered>& index, source_location where, const char* reason) {
  constexpr auto& pieces = struct_pieces<typename Tile::element_type, tile_align_bytes>;
  struct_place<pieces.size()> out{{tile.address(index.operand), ptx::token::shared, ptx::token::none, {}}};
  [&]<std::size_t... K>(detail::index_sequence<K...>) {
    ((out.entries[K] = judge_shared_piece<Tile, Excuse, pieces[K]>(index, where)), ...);
  }(detail::make_index_sequence<pieces.size()>{});
  for (access& entry : out.entries) entry.reason = reason;
  return out;
}

/// One field of a struct of a tile.
template <class Field, class Excuse, class Tile, class Form, bool Gathered>
auto find_field(const Tile& tile, const linear_index<Form, Gathered>& index, source_location where, const char* reason,
                int offset_bytes) {
  const access entry{.where = where, .is_shared = true, .element_bytes = Tile::element_bytes, .reason = reason};
  return field_element<Field, mode::read_write>({tile.address(index.operand), ptx::token::shared, ptx::token::none, {}},
                                                to_request(index, excused_code<Excuse>), entry, offset_bytes);
}

}  // namespace detail

/// A tile of T in shared memory, one per block, of rank 1 to 4: `tile(row, col)`, `tile(i)`, `tile.vec<4>(row, col)`. T is
/// a number of the language, or a struct of them (struct_element.hpp).
/// Every access is checked for bank conflicts. Pass it by reference. Tiles of more than 48 KB together lie in dynamic
/// shared memory; the launch asks for it. Errors: TG116, TG119 for a C++ number outside of the extents, TG123, TG124, TG201,
/// TG203, TG204.
/// PTX: ld.shared, st.shared with 32-bit addresses.
template <class T, class Shape, class Layout> class tile : public detail::read_by_call<tile<T, Shape, Layout>> {
  static_assert(sizeof(typename detail::element_check<T>::type) != 0);
  using element_t = detail::element_of_type<T, mode::read_write, detail::tile_align_bytes>;
  template <int N> using vector_t = detail::vector_of_type<T, N, mode::read_write>;
  template <class Field> using field_t = detail::element_of_type<Field, mode::read_write, alignof(Field)>;

 public:
  using element_type = T;
  static constexpr int rank = Shape::rank;
  static constexpr int columns = Shape::extent(rank - 1);
  static constexpr int rows = Shape::size / columns;
  static constexpr int element_bytes = sizeof(T);
  using rules = detail::layout_rules<Layout, columns>;
  static constexpr int pitch_elems = rules::pitch;
  static constexpr int size_bytes = rows * pitch_elems * element_bytes;
  static constexpr bool has_layout = true;
  using pitches = typename detail::tile_pitches<Shape, pitch_elems>::type;
  static constexpr bool permutes = rules::permutes;
  template <class... I> using form_of = typename rules::template physical<detail::linear_form<tile, I...>>;
  static_assert(rank >= 1 && rank <= detail::most_ranks, "TG116: a tile has rank 1 to 4");

  explicit tile(source_location where) {
    (void)sizeof(diagnosis::layout<rules::fits(rows * columns), diagnosis::types<Shape, Layout>>);
    (void)sizeof(diagnosis::shared_bytes<(size_bytes <= analysis::most_shared_bytes), diagnosis::bytes<size_bytes>>);
    registers_ = detail::make_tile(size_bytes, where);
  }
  tile(tile&&) = default;
  // Errors: TG134, TG127.
  tile(const tile& other) : tile(other, detail::same_memory{}) { (void)sizeof(diagnosis::uncopied<sizeof(T) == 0, tile>); }
  void operator=(const tile&) { (void)sizeof(diagnosis::fixed_handle<sizeof(T) == 0, tile>); }
  /// Another name of the memory of `other`, for words that keep one.
  TG_ALWAYS_INLINE tile(const tile& other, detail::same_memory) : registers_(other.registers_) {}

  template <index_like I, detail::excuse_like Excuse = detail::checked>
  element_t operator()(const I& i, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<element_t, 1>(excuse, where, i);
  }
  template <index_like I, index_like J, detail::excuse_like Excuse = detail::checked>
  element_t operator()(const I& i, const J& j, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<element_t, 1>(excuse, where, i, j);
  }
  template <index_like I, index_like J, index_like K, detail::excuse_like Excuse = detail::checked>
  element_t operator()(const I& i, const J& j, const K& k, Excuse excuse = {},
                       source_location where = source_location::current()) const {
    return make<element_t, 1>(excuse, where, i, j, k);
  }
  template <index_like I, index_like J, index_like K, index_like L, detail::excuse_like Excuse = detail::checked>
  element_t operator()(const I& i, const J& j, const K& k, const L& l, Excuse excuse = {},
                       source_location where = source_location::current()) const {
    return make<element_t, 1>(excuse, where, i, j, k, l);
  }

  /// One field of a struct, which is all that is read or written: `tile(i, &particle::x)`. Errors: TG196, those of an element.
  template <index_like I, class Field, class Struct, detail::excuse_like Excuse = detail::checked>
  field_t<Field> operator()(const I& i, Field Struct::* field, Excuse excuse = {},
                            source_location where = source_location::current()) const {
    return make_field(field, excuse, where, i);
  }
  template <index_like I, index_like J, class Field, class Struct, detail::excuse_like Excuse = detail::checked>
  field_t<Field> operator()(const I& i, const J& j, Field Struct::* field, Excuse excuse = {},
                            source_location where = source_location::current()) const {
    return make_field(field, excuse, where, i, j);
  }
  template <index_like I, index_like J, index_like K, class Field, class Struct, detail::excuse_like Excuse = detail::checked>
  field_t<Field> operator()(const I& i, const J& j, const K& k, Field Struct::* field, Excuse excuse = {},
                            source_location where = source_location::current()) const {
    return make_field(field, excuse, where, i, j, k);
  }
  template <index_like I, index_like J, index_like K, index_like L, class Field, class Struct,
            detail::excuse_like Excuse = detail::checked>
  field_t<Field> operator()(const I& i, const J& j, const K& k, const L& l, Field Struct::* field, Excuse excuse = {},
                            source_location where = source_location::current()) const {
    return make_field(field, excuse, where, i, j, k, l);
  }

  /// N consecutive elements in one instruction. Errors: TG111, TG203.
  template <int N, index_like I, detail::excuse_like Excuse = detail::checked>
  vector_t<N> vec(const I& i, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<vector_t<N>, N>(excuse, where, i);
  }
  template <int N, index_like I, index_like J, detail::excuse_like Excuse = detail::checked>
  vector_t<N> vec(const I& i, const J& j, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<vector_t<N>, N>(excuse, where, i, j);
  }
  template <int N, index_like I, index_like J, index_like K, detail::excuse_like Excuse = detail::checked>
  vector_t<N> vec(const I& i, const J& j, const K& k, Excuse excuse = {},
                  source_location where = source_location::current()) const {
    return make<vector_t<N>, N>(excuse, where, i, j, k);
  }
  template <int N, index_like I, index_like J, index_like K, index_like L, detail::excuse_like Excuse = detail::checked>
  vector_t<N> vec(const I& i, const J& j, const K& k, const L& l, Excuse excuse = {},
                  source_location where = source_location::current()) const {
    return make<vector_t<N>, N>(excuse, where, i, j, k, l);
  }

  /// Where elements are, for words that move them in their own way. Requires: `shared_judgement` let the access pass.
  template <int N, class Excuse, class... I>
  TG_ALWAYS_INLINE detail::place find(source_location where, const char* reason, const I&... indices) const {
    return find(detail::shared_facts<form_of<I...>, detail::are_gathered<I...>, Excuse, element_bytes, N * element_bytes>,
                where, reason, indices...);
  }
  /// As the compiler found it.
  template <class... I>
  TG_ALWAYS_INLINE detail::place find(const detail::access_facts<analysis::shared_cost>& known, source_location where,
                                      const char* reason, const I&... indices) const {
    detail::tracer::begin(where);
    const detail::index_operand at[] = {detail::to_index(indices)...};
    return detail::find_in_tile(layout, registers_, known, at, detail::gathered_multiple<tile, I...>, where, reason);
  }
  /// The index of an element after the layout; nothing is judged.
  template <class... I> auto locate(source_location where, const I&... indices) const {
    detail::tracer::begin(where);
    const detail::index_operand at[] = {detail::to_index(indices)...};
    return detail::linear_index<form_of<I...>, detail::are_gathered<I...>>{
        detail::to_physical(layout, at, detail::gathered_multiple<tile, I...>)};
  }
  /// The variable of the tile and its address in a register.
  const detail::tile_registers& registers() const { return registers_; }
  /// The address of element `index` after the layout.
  ptx::operand address(const ptx::operand& index) const { return detail::tile_address(registers_, element_bytes, index); }

 private:
  template <class Element, int N, class Excuse, class... I>
  TG_ALWAYS_INLINE Element make(const Excuse& excuse, source_location where, const I&... indices) const {
    using found = typename detail::shared_judgement<tile, N, Excuse, I...>::type;
    if constexpr (!detail::is_element<T> || !diagnosis::is_ok<sizeof(found), found>) return Element({});
    else if constexpr (scalar_type<T>) return Element(find<N, Excuse>(where, excuse.reason, indices...));
    else return Element(detail::find_struct<tile, Excuse>(*this, locate(where, indices...), where, excuse.reason));
  }

  template <class Field, class Struct, class Excuse, class... I>
  field_t<Field> make_field(Field Struct::* field, const Excuse& excuse, source_location where, const I&... indices) const {
    using found = typename detail::field_judgement<tile, Struct, Field, Excuse, I...>::type;
    if constexpr (!detail::is_element<T> || !diagnosis::is_ok<sizeof(found), found>) return field_t<Field>({});
    else
      return detail::find_field<Field, Excuse>(*this, locate(where, indices...), where, excuse.reason,
                                               detail::offset_of(field));
  }

  using dimensions = detail::tile_pitches<Shape, pitch_elems>;
  static constexpr detail::tile_layout layout{dimensions::elements.data(), dimensions::extents, rank, rules::terms.data(),
                                              static_cast<int>(rules::terms.size())};

  detail::tile_registers registers_;
};

/// `auto tile = tg::shared<float>(tg::shape<32, 32>, tg::swizzle<5>);` The layout is row-major, with `tg::pitch<P>` rows
/// P elements apart, or with `tg::swizzle<B, M, S>` permuted, or with several: `tg::swizzle<2> ^ tg::swizzle<2, 2, 3>`.
template <class T, int... Extents, class Layout = void*>
tile<T, shape_t<Extents...>, Layout> shared(shape_t<Extents...>, Layout = {},
                                            source_location where = source_location::current()) {
  return tile<T, shape_t<Extents...>, Layout>(where);
}

}  // namespace tg
