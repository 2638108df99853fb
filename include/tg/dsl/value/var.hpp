// Mutable registers.
#pragma once

#include <tg/dsl/value/operators.hpp>

namespace tg {

namespace detail {
struct same_registers {};

template <class> struct no_type {};
template <class T> inline constexpr bool is_no_type = false;
template <class None> inline constexpr bool is_no_type<no_type<None>> = true;
}  // namespace detail

/// A register that can be assigned: `tg::var<float> acc = 0.0f; acc += x(i);`. Reading it reads it there and then;
/// `x.copy()` is another variable. It is never in local memory. `tg::var<float> s;` has no number until one is assigned.
/// Errors: TG134 for a copy, such as a capture by [=], TG315 for a read that some path reaches without an assignment.
template <class T> requires(scalar_type<T> || detail::is_no_type<T>)
class var : public detail::unknown_to_host<T> {
 public:
  using device_type = T;
  using form = std::conditional_t<is_integer<T> && is_arithmetic<T>, index::traced, index::data>;

  var(source_location where = source_location::current()) : register_(make(where)) {}
  /// Requires: `x` is a T: a device value, or a C++ number that fits. Errors: TG101 to TG103, TG122.
  template <operand_like X> var(const X& x, source_location where = source_location::current()) : register_(make(where)) {
    set(x);
  }
  /// Another variable, which holds what `other` does.
  var(var&& other, source_location where = source_location::current()) : register_(make(where)) { set(other); }
  /// Another name of the register of `other`, for words that hand it on.
  var(const var& other, detail::same_registers) : register_(other.register_) {}
  var(const var& other) : register_(other.register_) { (void)sizeof(diagnosis::uncopied<sizeof(T) == 0, var>); }

  template <operand_like X> var& operator=(const X& x) {
    set(x);
    return *this;
  }
  var& operator=(const var& other) {
    set(other);
    return *this;
  }

  /// Another variable, which holds what this one does.
  var copy(source_location where = source_location::current()) const { return var(get(), where); }

  value<T, form> get() const { return {detail::tracer::current().copy(register_type<T>, move_type<T>, register_)}; }
  operator value<T>() const { return get(); }
  /// The register itself, for instructions that write it.
  const ptx::operand& target() const { return register_; }

  template <operand_like X> var& operator+=(const X& x) { return *this = *this + x; }
  template <operand_like X> var& operator-=(const X& x) { return *this = *this - x; }
  template <operand_like X> var& operator*=(const X& x) { return *this = *this * x; }
  template <operand_like X> var& operator/=(const X& x) { return *this = *this / x; }
  template <operand_like X> var& operator%=(const X& x) { return *this = *this % x; }
  template <operand_like X> var& operator&=(const X& x) { return *this = *this & x; }
  template <operand_like X> var& operator|=(const X& x) { return *this = *this | x; }
  template <operand_like X> var& operator^=(const X& x) { return *this = *this ^ x; }
  template <operand_like X> var& operator<<=(const X& x) { return *this = *this << x; }
  template <operand_like X> var& operator>>=(const X& x) { return *this = *this >> x; }

  // A variable that is const is most often a copy in a lambda that captures by [=]: the copy is an error, and its change is the
  // same one instead of a second. Errors: TG134.
  template <operand_like X> const var& operator=(const X&) const { return refused(); }
  template <operand_like X> const var& operator+=(const X&) const { return refused(); }
  template <operand_like X> const var& operator-=(const X&) const { return refused(); }
  template <operand_like X> const var& operator*=(const X&) const { return refused(); }
  template <operand_like X> const var& operator/=(const X&) const { return refused(); }
  template <operand_like X> const var& operator%=(const X&) const { return refused(); }
  template <operand_like X> const var& operator&=(const X&) const { return refused(); }
  template <operand_like X> const var& operator|=(const X&) const { return refused(); }
  template <operand_like X> const var& operator^=(const X&) const { return refused(); }
  template <operand_like X> const var& operator<<=(const X&) const { return refused(); }
  template <operand_like X> const var& operator>>=(const X&) const { return refused(); }

  var& operator++() { return *this += detail::one_of<T>(); }
  var& operator--() { return *this -= detail::one_of<T>(); }
  /// Adds one; returns what the variable held before.
  value<T> operator++(int) {
    return step([this] { ++*this; });
  }
  /// Subtracts one; returns what the variable held before.
  value<T> operator--(int) {
    return step([this] { --*this; });
  }

 private:
  template <class F> value<T> step(F f) {
    const value<T> before = get();
    f();
    return before;
  }
  const var& refused() const {
    (void)sizeof(diagnosis::uncopied<sizeof(T) == 0, var>);
    return *this;
  }
  static ptx::operand make(source_location where) {
    auto& t = detail::tracer::current(where);
    t.at(where);
    return t.new_register(register_type<T>);
  }

  template <class X> void set(const X& x) {
    using found = typename detail::assignment_check<T, X>::type;
    if constexpr (diagnosis::is_ok<sizeof(found), found>) {
      const auto from = detail::to_value<T>(x);
      detail::tracer::current().assign(move_type<T>, register_, from.operand);
    }
  }

  ptx::operand register_;
};

/// `tg::var peak = x(i);` and `tg::var count = 0u;` have the type of the number.
template <device_value X> var(const X&) -> var<device_type_of<X>>;
template <scalar_type T> var(T) -> var<T>;
template <class None = void> var() -> var<detail::no_type<None>>;

/// Does not compile: nothing says the type. Errors: TG127.
template <class None> class var<detail::no_type<None>> : public var<float> {
 public:
  var(source_location where = source_location::current()) : var<float>(where) {
    (void)sizeof(diagnosis::type_of_variable<sizeof(None*) == 0>);
  }
  using var<float>::operator=;
};

}  // namespace tg
