// Conditional execution.
#pragma once

#include <utility>

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
  /// Records what the lanes do where the condition does not hold.
  template <class Body>
  void else_(Body&& body, source_location where = source_location::current()) && {
    auto& t = detail::tracer::current();
    t.at(where);
    t.take_back();
    t.emit(ptx::opcode::else_, {}, {});
    std::forward<Body>(body)();
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

/// Records `body` for the lanes where `condition` holds: `tg::if_(i < n, [&] { y(i) = x(i); });`. Errors: TG104.
/// PTX: a predicate on short bodies, a branch around long ones.
template <class C, class Body>
if_statement if_(const C& condition, Body&& body, source_location where = source_location::current()) {
  auto& t = detail::tracer::current(where);
  t.at(where);
  t.emit(ptx::opcode::if_, {}, {detail::condition_of(condition)});
  std::forward<Body>(body)();
  t.emit(ptx::opcode::endif, {}, {});
  return detail::if_maker::make();
}

}  // namespace tg
