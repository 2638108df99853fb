// One element, or one vector, of a view or tile: what stands between loads and stores and the expressions around them.
#pragma once

#include <tg/analysis/struct_piece.hpp>
#include <tg/base/fixed_array.hpp>
#include <tg/dsl/vector/vec.hpp>

namespace tg {

/// What a kernel may do with a parameter.
enum class mode { read, write, read_write };

namespace detail {

constexpr bool can_read(mode m) { return m != mode::write; }
constexpr bool can_write(mode m) { return m != mode::read; }

/// What is wrong with T as the element of a view or tile, as a diagnosis; structs come in with struct_element.hpp.
template <class T> struct element_check { using type = diagnosis::element_type<scalar_type<T>, diagnosis::types<T>>; };
template <scalar_type T> struct element_check<T> { using type = diagnosis::none; };
template <class T> inline constexpr bool is_element = std::is_same_v<typename element_check<T>::type, diagnosis::none>;

/// What the instructions of one access move, where elements begin at multiples of `AlignBytes`: a number in one piece.
template <class T, int AlignBytes> inline constexpr fixed_array struct_pieces{analysis::struct_piece{0, int(sizeof(T))}};

/// Where an element is and how it is reached.
struct place {
  ptx::operand address;
  ptx::token space = ptx::token::global;
  ptx::token cache = ptx::token::none;  // nc of read-only views
  access entry;
  ptx::token policy = ptx::token::none;  // of cache_hint.hpp, as is fetch
  ptx::token fetch = ptx::token::none;
};

/// Where a struct is, and what was found of the instruction that moves each of its pieces.
template <std::size_t Pieces> struct struct_place {
  place at = {};
  fixed_array<access, Pieces> entries = {};
};

/// Where the member is in its struct.
template <class Struct, class Field> int offset_of(Field Struct::* member) {
  const Struct probe{};
  return static_cast<int>(reinterpret_cast<const char*>(&(probe.*member)) - reinterpret_cast<const char*>(&probe));
}

template <class T> ptx::operand from_memory(tracer& t, ptx::operand raw) {
  if constexpr (!std::is_same_v<T, bool>) return raw;
  else return t.is_not_zero(raw);
}
template <class T> ptx::operand to_memory(tracer& t, ptx::operand own) {
  if constexpr (!std::is_same_v<T, bool>) return own;
  else
    return t.compute(ptx::token::b32, ptx::operation::select(ptx::token::b32),
                     {ptx::operand::integer(1), ptx::operand::integer(0), own});
}
template <class T> inline constexpr ptx::token raw_register = std::is_same_v<T, bool> ? ptx::token::b32 : register_type<T>;

inline ptx::token vector_token(std::size_t n) { return n == 2 ? ptx::token::v2 : n == 4 ? ptx::token::v4 : ptx::token::none; }

/// Loads `count` registers of type `reg`, each with a `type` from memory.
void load_registers(const place& p, ptx::token reg, ptx::token type, ptx::operand* registers, std::size_t count);
/// Stores `count` registers, each as a `type`.
void store_registers(const place& p, const ptx::operand* registers, std::size_t count, ptx::token type);

template <std::size_t N> fixed_array<ptx::operand, N> load(const place& p, ptx::token reg, ptx::token type) {
  fixed_array<ptx::operand, N> raw;
  load_registers(p, reg, type, &raw[0], N);
  return raw;
}

template <std::size_t N> void store(const place& p, const fixed_array<ptx::operand, N>& values, ptx::token type) {
  store_registers(p, &values[0], N, type);
}

template <class T> TG_ALWAYS_INLINE ptx::operand load_number(const place& p) {
  ptx::operand raw;
  load_registers(p, raw_register<T>, memory_type<T>, &raw, 1);
  if constexpr (std::is_same_v<T, bool>) return from_memory<T>(tracer::current(), raw);
  else return raw;
}
template <class T> TG_ALWAYS_INLINE void store_number(const place& p, const ptx::operand& number) {
  if constexpr (std::is_same_v<T, bool>) {
    const ptx::operand raw = to_memory<T>(tracer::current(), number);
    store_registers(p, &raw, 1, memory_type<T>);
  } else {
    store_registers(p, &number, 1, memory_type<T>);
  }
}

// How the registers of a vector are loaded and stored.
template <class T, int N> inline constexpr ptx::token vector_register = sizeof(T) < 4 ? ptx::token::b32 : register_type<T>;
template <class T, int N>
inline constexpr ptx::token vector_memory = sizeof(T) >= 4                              ? memory_type<T>
                                            : vec<T, N>::per_part * int(sizeof(T)) == 4 ? ptx::token::b32
                                            : vec<T, N>::per_part * int(sizeof(T)) == 2 ? ptx::token::b16
                                                                                        : ptx::token::b8;

}  // namespace detail

/// `x(i)`, `tile(row, col)`: read when it is written down; assigning stores. A named one is the number that was read.
/// Errors: TG136 for a store to a named element, TG105 for a store to a read-only view, TG106 for a read of a write-only
/// one, TG103 for a store of another type.
template <scalar_type T, mode Mode> class element : public detail::unknown_to_host<T> {
 public:
  using device_type = T;
  using form = index::data;
  static constexpr bool is_readable = detail::can_read(Mode);

  explicit element(const detail::place& p) : place_(p) {
    if constexpr (detail::can_read(Mode)) loaded_ = detail::load_number<T>(p);
  }
  element(const element&) = default;

  value<T> get() const {
    (void)sizeof(diagnosis::readable<detail::can_read(Mode), element>);
    return {loaded_};
  }
  operator value<T>() const { return get(); }

  template <operand_like X> void operator=(const X& x) const&& { set(x); }
  void operator=(const element& x) const&& { set(x); }
  // What other lanes do to the element in between is lost: counts that lanes share go through tg::atomic_add.
  template <operand_like X> void operator+=(const X& x) const&& { set(*this + x); }
  template <operand_like X> void operator-=(const X& x) const&& { set(*this - x); }
  template <operand_like X> void operator*=(const X& x) const&& { set(*this * x); }
  template <operand_like X> void operator/=(const X& x) const&& { set(*this / x); }
  template <operand_like X> void operator%=(const X& x) const&& { set(*this % x); }
  template <operand_like X> void operator&=(const X& x) const&& { set(*this & x); }
  template <operand_like X> void operator|=(const X& x) const&& { set(*this | x); }
  template <operand_like X> void operator^=(const X& x) const&& { set(*this ^ x); }
  template <operand_like X> void operator<<=(const X& x) const&& { set(*this << x); }
  template <operand_like X> void operator>>=(const X& x) const&& { set(*this >> x); }
  void operator++() const&& { set(*this + detail::one_of<T>()); }
  void operator++(int) const&& { set(*this + detail::one_of<T>()); }
  void operator--() const&& { set(*this - detail::one_of<T>()); }
  void operator--(int) const&& { set(*this - detail::one_of<T>()); }

  // Refuses a store to a named element. Errors: TG136.
  void operator=(const element&) const& { refuse<element>(); }
  template <operand_like X> void operator=(const X&) const& { refuse<X>(); }
  template <operand_like X> void operator+=(const X&) const& { refuse<X>(); }
  template <operand_like X> void operator-=(const X&) const& { refuse<X>(); }
  template <operand_like X> void operator*=(const X&) const& { refuse<X>(); }
  template <operand_like X> void operator/=(const X&) const& { refuse<X>(); }
  template <operand_like X> void operator%=(const X&) const& { refuse<X>(); }
  template <operand_like X> void operator&=(const X&) const& { refuse<X>(); }
  template <operand_like X> void operator|=(const X&) const& { refuse<X>(); }
  template <operand_like X> void operator^=(const X&) const& { refuse<X>(); }
  template <operand_like X> void operator<<=(const X&) const& { refuse<X>(); }
  template <operand_like X> void operator>>=(const X&) const& { refuse<X>(); }

  /// Where the element is; for atomics.
  const detail::place& where() const { return place_; }

 private:
  template <class X> static void refuse() { (void)sizeof(diagnosis::unnamed_element<sizeof(X) == 0, element>); }

  template <class X> void set(const X& x) const {
    using found = typename detail::assignment_check<T, X, detail::can_write(Mode), element>::type;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) detail::store_number<T>(place_, detail::operand_of<T>(x));
  }

  detail::place place_;
  ptx::operand loaded_;
};

/// An element of a read-only view of which more is known as an index than that it is data: all lanes of a warp read it
/// at one address.
template <scalar_type T, class Form> class known_element : public element<T, mode::read> {
 public:
  using form = Form;
  using element<T, mode::read>::element;
  using element<T, mode::read>::operator=;

  value<T, Form> get() const { return {element<T, mode::read>::get().operand}; }
};

/// `x.vec<4>(i)`: N consecutive elements in one instruction.
template <scalar_type T, int N, mode Mode> class vector_element {
 public:
  explicit vector_element(const detail::place& p) : place_(p) {
    if constexpr (detail::can_read(Mode))
      loaded_ = detail::load<parts>(p, detail::vector_register<T, N>, detail::vector_memory<T, N>);
  }

  vec<T, N> get() const {
    (void)sizeof(diagnosis::readable<detail::can_read(Mode), vector_element>);
    return {loaded_};
  }
  operator vec<T, N>() const { return get(); }
  template <class I> value<T> operator()(I i) const { return get()(i); }

  void operator=(const vec<T, N>& v) const&& {
    (void)sizeof(diagnosis::writable<detail::can_write(Mode), vector_element>);
    detail::store<parts>(place_, v.parts, detail::vector_memory<T, N>);
  }
  template <class U, int M> void operator=(const vec<U, M>&) const&& {
    (void)sizeof(diagnosis::assignable<std::is_same_v<vec<U, M>, vec<T, N>>, diagnosis::types<vec<T, N>, vec<U, M>>>);
  }
  void operator=(const vector_element& v) const&& { static_cast<const vector_element&&>(*this) = v.get(); }
  template <scalar_type U, int M, mode Other> void operator=(const vector_element<U, M, Other>& v) const&& {
    static_cast<const vector_element&&>(*this) = v.get();
  }

  // Refuses a store to named elements. Errors: TG136.
  void operator=(const vector_element&) const& { refuse<vector_element>(); }
  template <class X> void operator=(const X&) const& { refuse<X>(); }

  /// Where the elements are; for asynchronous copies.
  const detail::place& where() const { return place_; }

 private:
  template <class X> static void refuse() { (void)sizeof(diagnosis::unnamed_element<sizeof(X) == 0, vector_element>); }

  static constexpr std::size_t parts = vec<T, N>::part_count;

  detail::place place_;
  fixed_array<ptx::operand, parts> loaded_{};
};

namespace detail {

/// What an access gives to elements that begin at multiples of `AlignBytes`. That of a type that is none is never made.
template <class T, mode Mode, int AlignBytes> struct element_kind { using type = element<unsigned, Mode>; };
template <scalar_type T, mode Mode, int AlignBytes> struct element_kind<T, Mode, AlignBytes> { using type = element<T, Mode>; };
template <class T, mode Mode, int AlignBytes> using element_of_type = typename element_kind<T, Mode, AlignBytes>::type;

template <class T, int N, mode Mode> struct vector_kind { using type = vector_element<unsigned, 2, Mode>; };
template <scalar_type T, int N, mode Mode> struct vector_kind<T, N, Mode> { using type = vector_element<T, N, Mode>; };
template <class T, int N, mode Mode> using vector_of_type = typename vector_kind<T, N, Mode>::type;

}  // namespace detail

}  // namespace tg
