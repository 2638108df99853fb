// Counted loops.
#pragma once

#include <concepts>
#include <type_traits>

#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/index/evaluate.hpp>

namespace tg {

namespace detail {
/// What a loop of C++ over a range would count with.
struct refused_counter {
  value<unsigned> operator*() const { return {ptx::operand{}}; }
  refused_counter& operator++() { return *this; }
  friend bool operator!=(const refused_counter&, const refused_counter&) { return false; }
};

/// A body that takes nothing; one that takes `auto` is not asked.
template <class Body>
concept takes_no_counter = requires { &std::remove_cvref_t<Body>::operator(); } && std::invocable<Body&>;
}  // namespace detail

/// Half-open range of a counted loop; see `range`.
template <class Start, class Stop, class Step> struct range_t {
  Start start;
  Stop stop;
  Step step;
  int at_once = 0;  // iterations for one test, of tg::unroll_by; 0: the passes decide

  /// Does not compile: a loop of C++ ends while the kernel is recorded. Errors: TG135.
  auto begin() const {
    (void)sizeof(diagnosis::loop_body<sizeof(Start) == 0, range_t>);
    return detail::refused_counter{};
  }
  /// Does not compile. Errors: TG135, of `begin`.
  auto end() const { return detail::refused_counter{}; }
};

/// 0, 1, … up to `stop`, not included.
template <operand_like Stop> auto range(const Stop& stop) { return range_t<constant<0>, Stop, constant<1>>{{}, stop, {}}; }
/// start, start + 1, … up to `stop`, not included. It counts in the type of its device values; of C++ numbers alone in
/// int where the start is one or a bound or the step is a negative constant, else in unsigned.
template <operand_like Start, operand_like Stop> auto range(const Start& start, const Stop& stop) {
  return range_t<Start, Stop, constant<1>>{start, stop, {}};
}
/// start, start + step, … below `stop`; above it when `step` is a negative constant or C++ number.
/// Requires: stop + step fits the type; for an unsigned counter that goes down it may be below 0.
template <operand_like Start, operand_like Stop, operand_like Step>
auto range(const Start& start, const Stop& stop, const Step& step) {
  return range_t<Start, Stop, Step>{start, stop, step};
}

namespace detail {

template <class X> inline constexpr bool is_negative_constant = false;
template <long long N> inline constexpr bool is_negative_constant<constant<N>> = N < 0;

// What a range counts in. A start of type int may turn out to be negative when the kernel is recorded.
template <class Start, class Stop, class Step> struct counter_type {
  static consteval auto pick() {
    if constexpr (device_value<Start>) return std::type_identity<device_type_of<Start>>{};
    else if constexpr (device_value<Stop>) return std::type_identity<device_type_of<Stop>>{};
    else if constexpr (device_value<Step>) return std::type_identity<device_type_of<Step>>{};
    else if constexpr (is_negative_constant<Start> || is_negative_constant<Stop> || is_negative_constant<Step>)
      return std::type_identity<int>{};
    else if constexpr (!host_number<Start>) return std::type_identity<unsigned>{};
    else if constexpr (!std::is_signed_v<Start>) return std::type_identity<unsigned>{};
    else return std::type_identity<std::conditional_t<sizeof(Start) == 8, long long, int>>{};
  }
  using type = typename decltype(pick())::type;
};

// A loop from an unsigned start to a constant keeps its multiple of the step below that constant.
template <class Start, class Stop> inline constexpr long long stop_limit = 0;
template <class Start, long long N> requires(N > 0)
inline constexpr long long stop_limit<Start, constant<N>> = [] {
  if constexpr (device_value<Start>) return std::is_unsigned_v<device_type_of<Start>> ? N : 0;
  else if constexpr (is_constant<Start>) return Start::value >= 0 ? N : 0;
  else return 0;
}();

// Whether every thread of the block enters: the start is known in every lane and below the constant stop.
template <class Form, class Stop, bool IsSigned = false> inline constexpr bool always_enters = false;
template <class Form, long long N, bool IsSigned> requires index::is_known_form<Form>
inline constexpr bool always_enters<Form, constant<N>, IsSigned> = [] {
  for (int w = 0; w < index::block_of<Form>.warps(); ++w) {
    const analysis::lane_value start = index::evaluate<Form>(w);
    if (!analysis::is_exact(start)) return false;
    for (const auto first : start.offset)
      if ((first < 0 && !IsSigned) || first >= N) return false;
  }
  return true;
}();

/// Whether the range counts down. Errors: TG135 for a step of 0.
template <class Step> bool is_downward(const Step& step, source_location where) {
  if constexpr (device_value<Step>) return false;
  else if constexpr (is_constant<Step>) {
    (void)sizeof(diagnosis::range_step<Step::value != 0, Step>);
    return Step::value < 0;
  } else {
    if (step == Step{}) refuse_range("a range with a step of 0 never ends", where);
    return step < Step{};
  }
}

/// How much an unsigned counter goes down at a time where that is known and more than 1, so that it can jump over 0.
template <class T, class Step> std::int64_t downward_jump(const Step& step) {
  std::int64_t out = 0;
  if constexpr (is_constant<Step>) out = -Step::value;
  else if constexpr (host_number<Step>) out = -static_cast<std::int64_t>(step);
  return std::is_unsigned_v<T> && out > 1 ? out : 0;
}

/// `step` as a T; a negative one wraps, so that an unsigned counter can go down.
template <class T, class Step> auto to_step(const Step& step) {
  if constexpr (host_number<Step> && std::is_unsigned_v<T>) {
    if (step < Step{}) return value<T, index::traced>{ptx::operand::integer(static_cast<std::int64_t>(step))};
  }
  return to_value<T>(step);
}

}  // namespace detail

/// Repeats `body(i)` for the counter's values: `tg::for_(tg::range(block.thread.x, n, 256_c), [&](auto i) { … });`.
/// The counter keeps its lane pattern: it is the start plus a uniform multiple of the step. The body is called once,
/// while the kernel is recorded: what it does to C++ variables happens once, what it does to device variables in each
/// iteration. `tg::unroll` calls its body as often as it says. A `return` leaves the body, like `continue`.
/// Errors: TG101 for limits of different types, TG128 for a body that records nothing, TG129 for one that returns
/// something, TG135 for a negative bound beside an unsigned one and for a step of 0.
template <class Start, class Stop, class Step, class Body>
void for_(const range_t<Start, Stop, Step>& range, Body&& body, source_location where = source_location::current()) {
  using T = typename detail::counter_type<Start, Stop, Step>::type;
  (void)sizeof(diagnosis::integer_index < is_integer<T> && is_arithmetic<T>, T >);
  if constexpr (device_value<Start> && device_value<Stop>) (void)sizeof(detail::joint_type<Start, Stop>);
  if constexpr (device_value<Start> && device_value<Step>) (void)sizeof(detail::joint_type<Start, Step>);
  constexpr bool has_negative = detail::is_negative_constant<Start> || detail::is_negative_constant<Stop>;
  (void)sizeof(diagnosis::range_bounds < !has_negative || std::is_signed_v<T>, diagnosis::types < Start, Stop >>);
  auto& t = detail::tracer::current(where);
  t.at(where);
  detail::counted_loop loop{.registers = register_type<T>, .type = compute_type<T>, .at_once = range.at_once};
  loop.is_downward = detail::is_downward(range.step, where);
  loop.downward_jump = detail::downward_jump<T>(range.step);
  const auto start = detail::to_value<T>(range.start);
  loop.start = start.operand;
  loop.stop = detail::to_value<T>(range.stop).operand;
  const auto step = detail::to_step<T>(range.step);
  loop.step = step.operand;
  using step_form = typename decltype(step)::form;
  constexpr long long limit = detail::stop_limit<Start, Stop>;
  using form =
      index::plus<typename decltype(start)::form, std::conditional_t<index::is_known_form<step_form>,
                                                                     index::single<index::steps<step_form, limit>>, step_form>>;
  constexpr bool is_upward = device_value<Step> || (is_constant<Step> && !detail::is_negative_constant<Step>);
  loop.is_guarded = !is_upward || !detail::always_enters<typename decltype(start)::form, Stop, std::is_signed_v<T>>;
  const value<T, form> own{t.begin_loop(loop)};
  detail::record_body<true>(t, "tg::for_", where, body, own);
  t.at(where);
  t.end_loop(loop);
}

/// Does not compile: the body takes the counter. Errors: TG135.
template <class Start, class Stop, class Step, detail::takes_no_counter Body>
void for_(const range_t<Start, Stop, Step>&, Body&&, source_location /*where*/ = source_location::current()) {
  (void)sizeof(diagnosis::loop_body<sizeof(Start) == 0, Body>);
}
/// Does not compile: a loop takes its bounds as a range. Errors: TG135.
template <class Stop, class Body> void for_(int, const Stop&, Body&&) {
  (void)sizeof(diagnosis::loop_range<sizeof(Stop) == 0>);
}
template <class Stop, class Step, class Body> void for_(int, const Stop&, const Step&, Body&&) {
  (void)sizeof(diagnosis::loop_range<sizeof(Stop) == 0>);
}

}  // namespace tg
