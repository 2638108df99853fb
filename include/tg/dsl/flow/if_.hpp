// Conditional execution.
#pragma once

#include <tg/dsl/flow/body.hpp>
#include <tg/dsl/value/operators.hpp>

namespace tg {

namespace detail {

template <class C> ptx::operand condition_of(const C& condition) {
  constexpr bool fits = [] {
    if constexpr (device_value<C>) return std::is_same_v<device_type_of<C>, bool>;
    else return false;
  }();
  using found = diagnosis::condition<fits, C>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) return condition.get().operand;
  else return {};
}

}  // namespace detail

namespace detail { struct if_maker; }

class else_if_statement;

/// What `if_` returns, so that `.else_(body)` can follow at once.
class if_statement {
 public:
  /// Records what the lanes do where the condition does not hold. Errors: TG128, TG129.
  template <class Body> void else_(Body&& body, source_location where = source_location::current()) && {
    auto& t = detail::tracer::current();
    t.at(where);
    t.take_back();
    t.emit(ptx::opcode::else_, {}, {});
    detail::record_body(t, "else_", where, body);
    t.end_branch(true);
  }

  /// Records what the lanes do where the condition before does not hold and this one does. A number is computed in any case
  /// (of reads, what only it needs is read where it counts); what a lambda says is done where it counts:
  /// `.else_if_([&] { return x(j) < 0.0f; }, [&] {...})`. Errors: TG104, TG128, TG129.
  template <class C, class Body>
  else_if_statement else_if_(const C& condition, Body&& body, source_location where = source_location::current()) &&;

 private:
  explicit if_statement(const ptx::operand& condition) : condition_(condition) {}
  friend struct detail::if_maker;

  ptx::operand condition_;
};

namespace detail {
struct if_maker {
  static if_statement make(const ptx::operand& condition) { return if_statement(condition); }
};
}  // namespace detail

/// Records `body` for the lanes where `condition` holds: `tg::if_(i < n, [&] { y(i) = x(i); });`. The body is called once,
/// while the kernel is recorded, whatever the condition will be: what it does to C++ variables happens once, what it does
/// to device variables in the lanes where the condition holds. A `return` leaves the body, not the kernel.
/// Errors: TG104, TG128 for a body that records nothing, TG129 for one that returns something.
/// PTX: a predicate on short bodies, a branch around long ones.
template <class C, class Body>
if_statement if_(const C& condition, Body&& body, source_location where = source_location::current()) {
  auto& t = detail::tracer::current(where);
  t.at(where);
  const ptx::operand chosen = detail::condition_of(condition);
  t.begin_branch(chosen);
  detail::record_body(t, "tg::if_", where, body);
  t.end_branch(false);
  return detail::if_maker::make(chosen);
}

/// What `else_if_` returns, so that another one or `.else_(body)` can follow at once.
class else_if_statement {
 public:
  explicit else_if_statement(const value<bool>& is_open) : is_open_(is_open) {}

  /// As `if_statement::else_if_`.
  template <class C, class Body>
  else_if_statement else_if_(const C& condition, Body&& body, source_location where = source_location::current()) && {
    detail::tracer::current().at(where);
    const value<bool> chosen = is_open_ && condition;
    tg::if_(chosen, body, where);
    return else_if_statement(is_open_ && !chosen);
  }

  /// Records what the lanes do where no condition before holds. Errors: TG128, TG129.
  template <class Body> void else_(Body&& body, source_location where = source_location::current()) && {
    tg::if_(is_open_, body, where);
  }

 private:
  value<bool> is_open_;  // where no condition so far holds
};

template <class C, class Body>
else_if_statement if_statement::else_if_(const C& condition, Body&& body, source_location where) && {
  detail::tracer::current().at(where);
  return else_if_statement(!value<bool>(condition_)).else_if_(condition, body, where);
}

}  // namespace tg
