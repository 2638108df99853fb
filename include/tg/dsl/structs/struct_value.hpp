// Structs in registers: what an element of structs holds once it is read.
//
//   particle_of<float>   a class template, of types that fields have    particle_of<tg::value<float>>: p.x, the user's
//   operators particle             any other struct                               tg::struct_value<particle>: p(&particle::x)
#pragma once

#include <tuple>

#include <tg/base/integer_sequence.hpp>
#include <tg/dsl/structs/struct_fields.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/vector/bundle.hpp>

namespace tg {

template <class T> class struct_value;

namespace diagnosis {

template <bool Ok, class Facts = void> struct struct_count {
  static_assert(Ok, "TG197: a struct is made of one value for each of its fields, in their order");
};

}  // namespace diagnosis

namespace detail {

template <class T> struct device_form;

/// The template of S with the device forms of its arguments; void where S is of no such template.
template <class S> struct rebound { using type = void; };
template <template <class...> class Struct, class... T> requires requires { typename Struct<typename device_form<T>::type...>; }
struct rebound<Struct<T...>> {
  using type = Struct<typename device_form<T>::type...>;
};

template <class... T> constexpr auto device_forms(type_list<T...>) { return type_list<typename device_form<T>::type...>{}; }

/// Whether the fields of `Device` are the device forms of those of S.
template <class S, class Device> constexpr bool matches() {
  constexpr std::size_t count = fields_of<S>::size;
  if constexpr (std::is_void_v<Device> || count > most_fields) return false;
  else if constexpr (!std::is_aggregate_v<Device> || !has_exactly<Device, count>) return false;
  else
    return std::is_same_v<decltype(with_count<count>(
                              std::declval<Device&>(),
                              [](auto&... x) { return type_list<std::remove_cvref_t<decltype(x)>...>{}; })),
                          decltype(device_forms(fields_of<S>{}))>;
}

template <scalar_type T> struct device_form<T> { using type = value<T>; };
template <class T, std::size_t N> struct device_form<std::array<T, N>> {
  using type = std::array<typename device_form<T>::type, N>;
};
template <element_struct S> requires(!is_field_array<S>)
struct device_form<S> {
  using type = std::conditional_t<matches<S, typename rebound<S>::type>(), typename rebound<S>::type, struct_value<S>>;
};

template <class T> struct field_tuple;
template <class... T> struct field_tuple<type_list<T...>> { using type = std::tuple<typename device_form<T>::type...>; };

template <class T> inline constexpr bool has_flat_fields = false;
template <class... T> inline constexpr bool has_flat_fields<type_list<T...>> = (scalar_type<T> && ...);
template <class T> inline constexpr bool is_flat_struct<struct_value<T>> = has_flat_fields<fields_of<T>>;

/// `f` called with all fields of `s`, a T in registers.
template <class T, class Device, class F> decltype(auto) take_apart(const Device& s, F&& f) {
  if constexpr (is_field_array<T>) return std::apply(f, s);
  else if constexpr (std::is_same_v<Device, struct_value<T>>) return s.with_fields(f);
  else return with_count<fields_of<T>::size>(s, f);
}

/// A number of the program in a register, where any instruction takes it.
template <scalar_type F> ptx::operand in_register(const ptx::operand& x) {
  return x.is_reg() ? x : tracer::current().copy(register_type<F>, move_type<F>, x);
}

/// `x` as what a field of type F is in registers. Errors: TG102, TG103.
template <class F, class X> typename device_form<F>::type to_field(const X& x) {
  if constexpr (scalar_type<F> && operand_like<X>) {
    using found = typename assignment_check<F, X>::type;
    if constexpr (!diagnosis::is_ok<sizeof(found), found>) return {ptx::operand{}};
    else return {in_register<F>(to_value<F>(x).operand)};
  } else {
    return x;
  }
}

}  // namespace detail

/// A T in registers: what `tg::in<T>`, `tg::shared<T>` and the like give and take. A T that is a specialisation of a class
/// template becomes one of values, so that members and operators are the user's own; another is a `tg::struct_value`.
template <detail::element_struct T> using device_struct = typename detail::device_form<T>::type;

/// A T in registers, fixed once computed: `p(&particle::x)` is a field, `p.with(&particle::x, x)` the same struct with another
/// x, and `auto [x, y, z, m] = p;` names all. Errors: TG196.
template <class T> class struct_value {
  using tuple = typename detail::field_tuple<detail::fields_of<T>>::type;
  static constexpr std::size_t count = detail::fields_of<T>::size;

 public:
  /// Makes a struct from a value for each field: device values, or C++ numbers that fit. Errors: TG102, TG103, TG197.
  template <class... X> requires(sizeof...(X) == detail::fields_of<T>::size)
  explicit struct_value(const X&... x) : fields_(make(detail::fields_of<T>{}, x...)) {}
  struct_value(const struct_value&) = default;
  // Errors: TG127.
  void operator=(const struct_value&) { (void)sizeof(diagnosis::fixed_value<sizeof(T) == 0, struct_value>); }

  /// The field. Errors: TG196 for a member of another struct.
  template <class Field, class Struct> auto operator()(Field Struct::* field) const {
    using found = diagnosis::field_of_struct<std::is_same_v<Struct, T>, diagnosis::types<T, Struct>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>)
      return pick<Field>(detail::offset_of(field), detail::make_index_sequence<count>{});
    else return 0;
  }
  /// A copy of this struct with `x` in the field. Errors: TG102, TG103, TG196.
  template <class Field, class Struct, class X> struct_value with(Field Struct::* field, const X& x) const {
    using found = diagnosis::field_of_struct<std::is_same_v<Struct, T>, diagnosis::types<T, Struct>>;
    if constexpr (diagnosis::is_ok<sizeof(found), found>)
      return replaced<Field>(detail::offset_of(field), detail::to_field<Field>(x), detail::make_index_sequence<count>{});
    else return *this;
  }

  template <std::size_t K> friend const auto& get(const struct_value& s) { return std::get<K>(s.fields_); }
  /// `f` called with all fields.
  template <class F> decltype(auto) with_fields(F&& f) const { return std::apply(f, fields_); }
  template <class F> decltype(auto) with_fields(F&& f) { return std::apply(f, fields_); }

 private:
  template <class... F, class... X> static tuple make(detail::type_list<F...>, const X&... x) {
    return tuple(detail::to_field<F>(x)...);
  }

  template <class Field, std::size_t... K>
  typename detail::device_form<Field>::type pick(int offset, detail::index_sequence<K...>) const {
    using field = typename detail::device_form<Field>::type;
    const field* found = nullptr;
    const auto look = [&](const auto& own, int at) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(own)>, field>)
        if (at == offset) found = &own;
    };
    (look(std::get<K>(fields_), detail::field_offsets<T>[K]), ...);
    return *found;
  }
  template <class Field, std::size_t... K>
  struct_value replaced(int offset, const typename detail::device_form<Field>::type& x, detail::index_sequence<K...>) const {
    const auto choose = [&](const auto& own, int at) {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(own)>, typename detail::device_form<Field>::type>)
        return at == offset ? x : own;
      else return own;
    };
    return struct_value(choose(std::get<K>(fields_), detail::field_offsets<T>[K])...);
  }

  tuple fields_;
};

/// `tg::make_struct<particle>(x, y, z, 1.0f)`: a T in registers of a value for each field, in their order: device values, or
/// C++ numbers that fit. Errors: TG102, TG103, TG197.
template <detail::element_struct T, class... X> device_struct<T> make_struct(const X&... x) {
  using found = diagnosis::struct_count<sizeof...(X) == detail::fields_of<T>::size, diagnosis::given_count<sizeof...(X)>>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>)
    return [&]<class... F>(detail::type_list<F...>) {
      return device_struct<T>{detail::to_field<F>(x)...};
    }(detail::fields_of<T>{});
}

namespace detail {

// A struct that was computed is fixed already.
template <bundle S> struct let_rule<S> {
  static S read(const S& s) { return s; }
};

}  // namespace detail

}  // namespace tg

template <class T>
struct std::tuple_size<tg::struct_value<T>> : std::integral_constant<std::size_t, tg::detail::fields_of<T>::size> {};
template <std::size_t K, class T> struct std::tuple_element<K, tg::struct_value<T>> {
  using type = const std::tuple_element_t<K, typename tg::detail::field_tuple<tg::detail::fields_of<T>>::type>;
};
