// One of several bodies, chosen by an integer.
#pragma once

#include <initializer_list>

#include <tg/dsl/flow/if_.hpp>

namespace tg {

/// What `switch_` returns.
template <class T> class switch_statement {
 public:
  explicit switch_statement(const value<T>& number) : number_(number) {}
  switch_statement(const switch_statement&) = delete;

  /// Records what the lanes do whose number is `label`. Errors: TG122 for a label that does not fit, TG128, TG129, TG186 for a
  /// label that has a case already.
  template <class Body>
  switch_statement&& case_(long long label, Body&& body, source_location where = source_location::current()) && {
    return static_cast<switch_statement&&>(*this).case_({label}, body, where);
  }
  /// Records what the lanes do whose number is one of `labels`: `.case_({1, 2, 3}, [&] {...})`. Errors: TG122, TG128, TG129,
  /// TG186.
  template <class Body>
  switch_statement&& case_(std::initializer_list<long long> labels, Body&& body,
                           source_location where = source_location::current()) && {
    auto& t = detail::tracer::current(where);
    t.at(where);
    ptx::operand chosen;
    for (const long long label : labels) {
      t.add_label(own_, label, where);
      const ptx::operand one = (number_ == detail::checked_number<T>(label)).operand;
      chosen = chosen.is_reg() ? (condition(chosen) | condition(one)).operand : one;
    }
    if (!chosen.is_reg()) return static_cast<switch_statement&&>(*this);
    const ptx::operand other = (!condition(chosen)).operand;
    open_ = open_.is_reg() ? (condition(open_) & condition(other)).operand : other;
    tg::if_(condition(chosen), body, where);
    return static_cast<switch_statement&&>(*this);
  }

  /// Records what the lanes do whose number has no case. Errors: TG128, TG129.
  template <class Body> void default_(Body&& body, source_location where = source_location::current()) && {
    detail::tracer::current(where).at(where);
    if (open_.is_reg()) tg::if_(condition(open_), body, where);
    else body();
  }

 private:
  // Depends on T, so that a file without a switch compiles none of its operators.
  using condition = value<decltype(T{} == T{})>;

  value<T> number_;
  std::uint32_t own_ = detail::tracer::current().new_switch();
  ptx::operand open_;  // where no case so far has the number
};

/// Records one body for each number: `tg::switch_(kind(i)).case_(0, [&] {...}).case_({1, 2}, [&] {...}).default_([&] {...});`.
/// The number is read once. No body falls through to the next; `tg::break_` in one leaves the loop around. The cases are
/// compared one after the other. Errors: TG110 for what is no integer.
template <device_value X> auto switch_(const X& x, source_location where = source_location::current()) {
  using T = device_type_of<X>;
  using found = diagnosis::operation<is_integer<T>, T>;
  detail::tracer::current(where).at(where);
  if constexpr (diagnosis::is_ok<sizeof(found), found>) return switch_statement<T>(value<T>(x.get().operand));
  else return switch_statement<int>(value<int>(ptx::operand{}));
}

}  // namespace tg
