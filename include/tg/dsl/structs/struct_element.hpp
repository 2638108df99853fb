// Elements of views and tiles that are structs: `p(i)` moves a whole struct, `p(i, &particle::x)` one field of it. A whole
// struct is one access with one verdict, in as few instructions as its alignment permits.
//
//   struct particle { float x, y, z, m; };
//   BOOST_HANA_ADAPT_STRUCT(particle, x, y, z, m);
//
//   tg::in<particle> p, ...     const auto a = p(i);  a(&particle::x) + a(&particle::y)     or     auto [x, y, z, m] = a;
#pragma once

#include <tg/dsl/structs/struct_memory.hpp>

namespace tg {

namespace detail {

namespace held {

/// The device struct that an element reads, as its base; nothing where it only writes.
struct unread_struct {};

}  // namespace held

template <class T, mode Mode>
using struct_base = std::conditional_t<can_read(Mode), typename device_form<T>::type, unread_struct>;

template <class T, class X>
concept makes_struct = std::is_convertible_v<const X&, const typename device_form<T>::type&>;

}  // namespace detail

/// `p(i)` of structs: read when it is written down, and then what `tg::device_struct<T>` is; assigning stores all of it.
/// Errors: TG136 for a store to a named element, TG105 for a store to a read-only view, TG106 for a read of a write-only
/// one, TG103 for a store of anything else than a T in registers.
template <detail::element_struct T, mode Mode, int AlignBytes> class struct_element : public detail::struct_base<T, Mode> {
  using words = detail::struct_words<T, AlignBytes>;
  using own = typename detail::device_form<T>::type;

 public:
  using struct_type = T;
  using place_type = typename words::place_type;
  static constexpr bool is_readable = detail::can_read(Mode);

  explicit struct_element(const place_type& p) : detail::struct_base<T, Mode>(read(p)), place_(p) {}
  struct_element(const struct_element&) = default;

  own get() const {
    (void)sizeof(diagnosis::readable<detail::can_read(Mode), struct_element>);
    if constexpr (detail::can_read(Mode)) return *this;
    else return words::load(place_).template read<T, 0>();
  }

  void operator=(const own& x) const&& { set(x); }
  void operator=(const struct_element& x) const&& { set(x.get()); }
  template <class X> void operator=(const X& x) const&& {
    if constexpr (detail::makes_struct<T, X>) set(x);
    else if constexpr (!detail::is_readable<X>()) (void)sizeof(diagnosis::readable<false, X>);
    else (void)sizeof(diagnosis::assignable<sizeof(X) == 0, diagnosis::types<own, X>>);
  }
  /// With the user's own operators.
  template <class X> requires requires(const own& a, const X& x) {
    { a + x } -> std::convertible_to<own>;
  }
  void operator+=(const X& x) const&& {
    set(get() + x);
  }
  template <class X> requires requires(const own& a, const X& x) {
    { a - x } -> std::convertible_to<own>;
  }
  void operator-=(const X& x) const&& {
    set(get() - x);
  }
  template <class X> requires requires(const own& a, const X& x) {
    { a * x } -> std::convertible_to<own>;
  }
  void operator*=(const X& x) const&& {
    set(get() * x);
  }

  // Refuses a store to a named element. Errors: TG136.
  void operator=(const struct_element&) const& { refuse<struct_element>(); }
  template <class X> void operator=(const X&) const& { refuse<X>(); }
  template <class X> void operator+=(const X&) const& { refuse<X>(); }
  template <class X> void operator-=(const X&) const& { refuse<X>(); }
  template <class X> void operator*=(const X&) const& { refuse<X>(); }

  /// The field with that number, for `const auto [x, y] = p(i);`.
  template <std::size_t K> friend auto get(const struct_element& e) {
    const own all = e.get();
    return detail::take_apart<T>(all, [](const auto&... x) { return std::get<K>(std::tie(x...)); });
  }

  /// Where the struct is; for cache hints and asynchronous copies.
  const place_type& where() const { return place_; }

 private:
  template <class X> static void refuse() { (void)sizeof(diagnosis::unnamed_element<sizeof(X) == 0, struct_element>); }

  static detail::struct_base<T, Mode> read(const place_type& p) {
    if constexpr (detail::can_read(Mode)) return words::load(p).template read<T, 0>();
    else return {};
  }
  void set(const own& x) const {
    using found = diagnosis::writable<detail::can_write(Mode), struct_element>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      detail::require_layout<T>(place_.entries[0].where);
      words all;
      all.template write<T, 0>(x);
      all.store(place_);
    }
  }

  place_type place_;
};

namespace detail {

template <element_struct T, mode Mode, int AlignBytes> struct element_kind<T, Mode, AlignBytes> {
  using type = struct_element<T, Mode, AlignBytes>;
};

template <class T, mode Mode, int AlignBytes> struct let_rule<struct_element<T, Mode, AlignBytes>> {
  static device_struct<T> read(const struct_element<T, Mode, AlignBytes>& x) { return x.get(); }
};

}  // namespace detail

}  // namespace tg

template <class T, tg::mode Mode, int AlignBytes>
struct std::tuple_size<tg::struct_element<T, Mode, AlignBytes>>
    : std::integral_constant<std::size_t, tg::detail::fields_of<T>::size> {};
template <std::size_t K, class T, tg::mode Mode, int AlignBytes>
struct std::tuple_element<K, tg::struct_element<T, Mode, AlignBytes>> {
  using type = const std::tuple_element_t<K, typename tg::detail::field_tuple<tg::detail::fields_of<T>>::type>;
};
