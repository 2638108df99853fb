// Conditional execution.
#pragma once

#include <tg/dsl/body.hpp>
#include <tg/dsl/operators.hpp>

namespace tg {

namespace detail {

template <class C>
ptx::operand condition_of(const C& condition) {
  constexpr bool fits = [] {
    if constexpr (device_value<C>) return std::is_same_v<device_type_of<C>, bool>;
    else return false;
  }();
  using found = diagnosis::condition<fits, C>;
  if constexpr (diagnosis::is_ok<sizeof(found), found>) return condition.get().operand;
  else return {};
}

}  // namespace detail

namespace detail {
struct if_maker;
}

/// What `if_` returns, so that `.else_(body)` can follow at once.
class if_statement {
 public:
  /// Records what the lanes do where the condition does not hold. Errors: TG128, TG129.
  template <class Body>
  void else_(Body&& body, source_location where = source_location::current()) && {
    auto& t = detail::tracer::current();
    t.at(where);
    t.take_back();
    t.emit(ptx::opcode::else_, {}, {});
    detail::record_body(t, "else_", where, body);
    t.emit(ptx::opcode::endif, {}, {});
  }

 private:
  if_statement() = default;
  friend struct detail::if_maker;
};

namespace detail {
struct if_maker {
  static if_statement make() { return {}; }
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
  t.emit(ptx::opcode::if_, {}, {detail::condition_of(condition)});
  detail::record_body(t, "tg::if_", where, body);
  t.emit(ptx::opcode::endif, {}, {});
  return detail::if_maker::make();
}

}  // namespace tg
