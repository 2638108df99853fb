// Views: what a kernel sees of the buffers it is launched with.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/memory/field_access.hpp>
#include <tg/dsl/memory/found_place.hpp>
#include <tg/dsl/memory/judge.hpp>
#include <tg/dsl/memory/view_options.hpp>

namespace tg {

namespace detail {

/// C++ integers and constants are immediates and count as unsigned.
template <index_like X> TG_ALWAYS_INLINE index_operand to_index(const X& x) {
  constexpr ptx::token type = compute_type<index_type<X>>;
  if constexpr (device_value<X>) return {x.get().operand, type};
  else if constexpr (is_data_index<X>) return {x.operand, type, X::multiple};
  else if constexpr (is_constant<X>) return {ptx::operand::integer(X::value), type};
  else return {ptx::operand::integer(static_cast<std::int64_t>(x)), type};
}

// The form of each stride but the last, which is 1.
template <long long Elements, bool IsKnown>
using pitch_form = std::conditional_t<IsKnown, index::number<Elements>, index::single<index::uniform<Elements>>>;
template <class Dimensions, int Rank, class... Options> struct pitches_from;
template <int... K, int Rank, class... Options> struct pitches_from<detail::integer_sequence<int, K...>, Rank, Options...> {
  static constexpr const view_facts& facts = facts_of_view<Rank, Options...>;
  using type = pitch_list<pitch_form<facts.step(K).elements, facts.step(K).is_known>...>;
};
template <int Rank, class... Options>
using pitches_of =
    typename pitches_from<detail::make_integer_sequence<int, facts_of_view<Rank, Options...>.rank - 1>, Rank, Options...>::type;

}  // namespace detail

/// A buffer of T as a parameter of a kernel: `x(i)`, `a(row, col)`, `x.vec<4>(i)`, of rank 1 to 4. T is a number of the
/// language, or a struct of them (struct_element.hpp). Indices have 32 or 64
/// bits, addresses are exact in 64. Neighbours along the last dimension are neighbours in memory, those along others are
/// a stride apart that is known at run time, or from `tg::extents`. Reads of a read-only view go through the non-coherent
/// path.
/// Options, in any order: `tg::aligned`, `tg::multiple_of`, `tg::extents`, `tg::at_least`, `tg::covered`.
/// Errors: TG105, TG106, TG116, TG126, TG190, TG192 to TG196, TG202 to TG204.
/// PTX: ld.global(.nc), st.global.
template <class T, mode Mode, int Rank, class... Options>
class view : public detail::read_by_call<view<T, Mode, Rank, Options...>> {
  static_assert(((sizeof(Options) != 0) && ...), "a contract that is refused is the first error");
  static_assert(sizeof(typename detail::element_check<T>::type) != 0);
  // Structs begin at multiples of what the view promises, as far as their size keeps it up.
  static constexpr int promised_align = detail::facts_of_view<Rank, Options...>.alignment_bytes;
  static constexpr int struct_align = promised_align > int(alignof(T)) ? promised_align : int(alignof(T));
  using element_t = detail::element_of_type<T, Mode, struct_align>;
  template <int N> using vector_t = detail::vector_of_type<T, N, Mode>;
  template <class Field> using field_t = detail::element_of_type<Field, Mode, alignof(Field)>;

  // What is read at one address by all lanes of a warp is one number.
  template <class Excuse, class... I> static consteval auto pick_element() {
    if constexpr (!is_integer<T> || Mode != mode::read) return std::type_identity<element_t>{};
    else if constexpr (!std::is_same_v<typename detail::global_judgement<view, 1, Excuse, I...>::type, diagnosis::none>)
      return std::type_identity<element_t>{};
    else return std::type_identity<typename detail::element_of<view, I...>::type>{};
  }
  template <class Excuse, class... I> using element_at = typename decltype(pick_element<Excuse, I...>())::type;

 public:
  using element_type = T;
  static constexpr detail::view_facts facts = detail::facts_of_view<Rank, Options...>;
  static constexpr int rank = facts.rank;
  static constexpr mode access = Mode;
  static constexpr int alignment_bytes = facts.alignment_bytes;
  /// Rows begin at multiples of this many elements from each other.
  static constexpr long long leading_multiple_of = rank == 1 ? 1 : facts.step(rank - 2).elements;
  using pitches = detail::pitches_of<Rank, Options...>;
  /// Registers with the distances in bytes, outermost first; none for those that the type knows.
  using strides_t = fixed_array<ptx::operand, rank>;
  static_assert(sizeof(diagnosis::view_options<facts.is_valid, diagnosis::types<Options...>>) != 0);

  TG_ALWAYS_INLINE view(int number, const ptx::operand& base, const strides_t& strides)
      : number_(number), base_(base), strides_(strides) {}
  view(const view&) = default;

  /// The register with the address of the first element.
  const ptx::operand& address() const { return base_; }

  // Errors: TG127.
  void operator=(const view&) { (void)sizeof(diagnosis::fixed_handle<sizeof(T) == 0, view>); }

  template <index_like I, detail::excuse_like Excuse = detail::checked>
  element_at<Excuse, I> operator()(const I& i, Excuse excuse = {}, source_location where = source_location::current()) const {
    return make<element_at<Excuse, I>, 1>(excuse, where, i);
  }
  template <index_like I, index_like J, detail::excuse_like Excuse = detail::checked>
  element_at<Excuse, I, J> operator()(const I& i, const J& j, Excuse excuse = {},
                                      source_location where = source_location::current()) const {
    return make<element_at<Excuse, I, J>, 1>(excuse, where, i, j);
  }
  template <index_like I, index_like J, index_like K, detail::excuse_like Excuse = detail::checked>
  element_at<Excuse, I, J, K> operator()(const I& i, const J& j, const K& k, Excuse excuse = {},
                                         source_location where = source_location::current()) const {
    return make<element_at<Excuse, I, J, K>, 1>(excuse, where, i, j, k);
  }
  template <index_like I, index_like J, index_like K, index_like L, detail::excuse_like Excuse = detail::checked>
  element_at<Excuse, I, J, K, L> operator()(const I& i, const J& j, const K& k, const L& l, Excuse excuse = {},
                                            source_location where = source_location::current()) const {
    return make<element_at<Excuse, I, J, K, L>, 1>(excuse, where, i, j, k, l);
  }

  /// One field of a struct, which is all that is read or written: `p(i, &particle::x)`. Neighbours are a whole struct
  /// apart, and so judged. Errors: TG196, those of an element.
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

  /// N consecutive elements from the element on, in one instruction. Errors: TG111, TG203.
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

  /// The registers that it is recorded with, for other words of the language.
  detail::view_registers registers() const { return {&facts, number_, base_, strides_.data()}; }

 private:
  static constexpr ptx::token cache = Mode == mode::read ? ptx::token::nc : ptx::token::none;

  template <class Element, int N, class Excuse, class... I>
  TG_ALWAYS_INLINE Element make(const Excuse& excuse, source_location where, const I&... indices) const {
    using found = typename detail::global_judgement<view, N, Excuse, I...>::type;
    if constexpr (!detail::is_element<T> || !diagnosis::is_ok<sizeof(found), found>) return Element({});
    else if constexpr (scalar_type<T>) return Element(find<N>(excuse, where, indices...));
    else return Element(find_struct(excuse, where, indices...));
  }

  template <int N, class Excuse, class... I>
  TG_ALWAYS_INLINE detail::place find(const Excuse& excuse, source_location where, const I&... indices) const {
    detail::tracer::begin(where);
    const detail::index_operand at[] = {detail::to_index(indices)...};
    return detail::find_in_view(registers(), detail::global_facts<view, Excuse, N, I...>, cache, at, where, excuse.reason);
  }

  // As `find`, of each instruction that moves a piece of a struct.
  template <class Excuse, class... I> auto find_struct(const Excuse& excuse, source_location where, const I&... indices) const {
    detail::tracer::begin(where);
    const detail::index_operand at[] = {detail::to_index(indices)...};
    constexpr auto& pieces = detail::struct_pieces<T, struct_align>;
    detail::struct_place<pieces.size()> out{{detail::view_address(registers(), sizeof(T), at), ptx::token::global, cache, {}}};
    [&]<std::size_t... K>(detail::index_sequence<K...>) {
      ((out.entries[K] = detail::judge_global_piece<view, Excuse, pieces[K], I...>(at, where)), ...);
    }(detail::make_index_sequence<pieces.size()>{});
    for (tg::access& entry : out.entries) {
      entry.reason = excuse.reason;
      entry.parameter = number_;
    }
    return out;
  }

  template <class Field, class Struct, class Excuse, class... I>
  field_t<Field> make_field(Field Struct::* field, const Excuse& excuse, source_location where, const I&... indices) const {
    using found = typename detail::field_judgement<view, Struct, Field, Excuse, I...>::type;
    if constexpr (!detail::is_element<T> || !diagnosis::is_ok<sizeof(found), found>) {
      return field_t<Field>({});
    } else {
      detail::tracer::begin(where);
      const detail::index_operand at[] = {detail::to_index(indices)...};
      const tg::access entry{.where = where, .element_bytes = sizeof(T), .reason = excuse.reason, .parameter = number_};
      return detail::field_element<Field, Mode>(
          {detail::view_address(registers(), sizeof(T), at), ptx::token::global, cache, {}},
          detail::to_request(facts, at, detail::excused_code<Excuse>), entry, detail::offset_of(field));
    }
  }

  int number_;
  ptx::operand base_;
  strides_t strides_;
};

/// Read-only, not aliased by anything the kernel writes: `tg::in<float, tg::aligned<32>>`. The digit is the rank:
/// `tg::in2<float, tg::multiple_of<4>>`, `tg::in3<float>`, and so for all.
template <class T, class... Options> using in = view<T, mode::read, 1, Options...>;
/// A read-only view of rank 2; options as for `in`.
template <class T, class... Options> using in2 = view<T, mode::read, 2, Options...>;
/// A read-only view of rank 3; options as for `in`.
template <class T, class... Options> using in3 = view<T, mode::read, 3, Options...>;
/// A read-only view of rank 4; options as for `in`.
template <class T, class... Options> using in4 = view<T, mode::read, 4, Options...>;
/// Write-only.
template <class T, class... Options> using out = view<T, mode::write, 1, Options...>;
/// A write-only view of rank 2; options as for `out`.
template <class T, class... Options> using out2 = view<T, mode::write, 2, Options...>;
/// A write-only view of rank 3; options as for `out`.
template <class T, class... Options> using out3 = view<T, mode::write, 3, Options...>;
/// A write-only view of rank 4; options as for `out`.
template <class T, class... Options> using out4 = view<T, mode::write, 4, Options...>;
/// Read and written.
template <class T, class... Options> using inout = view<T, mode::read_write, 1, Options...>;
/// A view that is read and written, of rank 2; options as for `inout`.
template <class T, class... Options> using inout2 = view<T, mode::read_write, 2, Options...>;
/// A view that is read and written, of rank 3; options as for `inout`.
template <class T, class... Options> using inout3 = view<T, mode::read_write, 3, Options...>;
/// A view that is read and written, of rank 4; options as for `inout`.
template <class T, class... Options> using inout4 = view<T, mode::read_write, 4, Options...>;

namespace diagnosis {

// Names of parameters in messages, as a kernel declares them: `parameter::in<float>` for tg::in<float>.
namespace parameter {
template <class T, class... Options> struct in;      ///< tg::in
template <class T, class... Options> struct in2;     ///< tg::in2
template <class T, class... Options> struct in3;     ///< tg::in3
template <class T, class... Options> struct in4;     ///< tg::in4
template <class T, class... Options> struct out;     ///< tg::out
template <class T, class... Options> struct out2;    ///< tg::out2
template <class T, class... Options> struct out3;    ///< tg::out3
template <class T, class... Options> struct out4;    ///< tg::out4
template <class T, class... Options> struct inout;   ///< tg::inout
template <class T, class... Options> struct inout2;  ///< tg::inout2
template <class T, class... Options> struct inout3;  ///< tg::inout3
template <class T, class... Options> struct inout4;  ///< tg::inout4
}  // namespace parameter

/// Maps a view to its name above; what else a kernel takes is its own name.
template <class P> struct written_parameter { using type = P; };
template <class T, class... O> struct written_parameter<view<T, mode::read, 1, O...>> { using type = parameter::in<T, O...>; };
template <class T, class... O> struct written_parameter<view<T, mode::read, 2, O...>> { using type = parameter::in2<T, O...>; };
template <class T, class... O> struct written_parameter<view<T, mode::read, 3, O...>> { using type = parameter::in3<T, O...>; };
template <class T, class... O> struct written_parameter<view<T, mode::read, 4, O...>> { using type = parameter::in4<T, O...>; };
template <class T, class... O> struct written_parameter<view<T, mode::write, 1, O...>> {
  using type = parameter::out<T, O...>;
};
template <class T, class... O> struct written_parameter<view<T, mode::write, 2, O...>> {
  using type = parameter::out2<T, O...>;
};
template <class T, class... O> struct written_parameter<view<T, mode::write, 3, O...>> {
  using type = parameter::out3<T, O...>;
};
template <class T, class... O> struct written_parameter<view<T, mode::write, 4, O...>> {
  using type = parameter::out4<T, O...>;
};
template <class T, class... O> struct written_parameter<view<T, mode::read_write, 1, O...>> {
  using type = parameter::inout<T, O...>;
};
template <class T, class... O> struct written_parameter<view<T, mode::read_write, 2, O...>> {
  using type = parameter::inout2<T, O...>;
};
template <class T, class... O> struct written_parameter<view<T, mode::read_write, 3, O...>> {
  using type = parameter::inout3<T, O...>;
};
template <class T, class... O> struct written_parameter<view<T, mode::read_write, 4, O...>> {
  using type = parameter::inout4<T, O...>;
};

/// What a kernel declares its parameter as, for messages.
template <class P> using as_written = typename written_parameter<P>::type;

}  // namespace diagnosis

}  // namespace tg
