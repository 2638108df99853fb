// Counted loops.
#pragma once

#include <tg/dsl/if_.hpp>
#include <tg/dsl/index/evaluate.hpp>

namespace tg {

/// Half-open range of a counted loop; see `range`.
template <class Start, class Stop, class Step>
struct range_t {
  Start start;
  Stop stop;
  Step step;
};

/// 0, 1, … up to `stop`, not included.
template <operand_like Stop>
auto range(const Stop& stop) { return range_t<constant<0>, Stop, constant<1>>{{}, stop, {}}; }
/// start, start + 1, … up to `stop`, not included.
template <operand_like Start, operand_like Stop>
auto range(const Start& start, const Stop& stop) { return range_t<Start, Stop, constant<1>>{start, stop, {}}; }
/// start, start + step, … below `stop`; above it when `step` is a negative constant.
/// Requires: stop + step fits the type.
template <operand_like Start, operand_like Stop, operand_like Step>
auto range(const Start& start, const Stop& stop, const Step& step) { return range_t<Start, Stop, Step>{start, stop, step}; }

namespace detail {

template <class... X> struct counter_type { using type = unsigned; };
template <class X, class... Rest> struct counter_type<X, Rest...> : counter_type<Rest...> {};
template <device_value X, class... Rest> struct counter_type<X, Rest...> { using type = device_type_of<X>; };

// A loop from an unsigned start to a constant keeps its multiple of the step below that constant.
template <class Start, class Stop> inline constexpr long long stop_limit = 0;
template <class Start, long long N> requires(N > 0)
inline constexpr long long stop_limit<Start, constant<N>> = [] {
  if constexpr (device_value<Start>) return std::is_unsigned_v<device_type_of<Start>> ? N : 0;
  else if constexpr (is_constant<Start>) return Start::value >= 0 ? N : 0;
  else return 0;
}();

// Whether every thread of the block enters: the start is known in every lane and below the constant stop.
template <class Form, class Stop> inline constexpr bool always_enters = false;
template <class Form, long long N> requires index::is_known_form<Form>
inline constexpr bool always_enters<Form, constant<N>> = [] {
  for (int w = 0; w < index::block_of<Form>.warps(); ++w) {
    const analysis::lane_value start = index::evaluate<Form>(w);
    if (!analysis::is_exact(start)) return false;
    for (const auto first : start.offset)
      if (first < 0 || first >= N) return false;
  }
  return true;
}();

template <class Step> inline constexpr bool counts_down = false;
template <long long N> inline constexpr bool counts_down<constant<N>> = (N < 0);

}  // namespace detail

/// Repeats `body(i)` for the counter's values: `tg::for_(tg::range(block.thread.x, n, 256_c), [&](auto i) { … });`.
/// The counter keeps its lane pattern: it is the start plus a uniform multiple of the step.
/// Errors: TG101 for limits of different types.
template <class Start, class Stop, class Step, class Body>
void for_(const range_t<Start, Stop, Step>& range, Body&& body, source_location where = source_location::current()) {
  using T = typename detail::counter_type<Start, Stop, Step>::type;
  (void)sizeof(diagnosis::integer_index<is_integer<T> && is_arithmetic<T>, T>);
  if constexpr (device_value<Start> && device_value<Stop>) (void)sizeof(detail::joint_type<Start, Stop>);
  if constexpr (device_value<Start> && device_value<Step>) (void)sizeof(detail::joint_type<Start, Step>);
  auto& t = detail::tracer::current(where);
  t.at(where);
  const auto start = detail::to_value<T>(range.start);
  const auto stop = detail::to_value<T>(range.stop);
  const auto step = detail::to_value<T>(range.step);
  using step_form = typename decltype(step)::form;
  constexpr long long limit = detail::stop_limit<Start, Stop>;
  using form = index::plus<typename decltype(start)::form,
                           std::conditional_t<index::is_known_form<step_form>,
                                              index::single<index::steps<step_form, limit>>, step_form>>;
  constexpr ptx::token type = compute_type<T>;
  constexpr ptx::token relation = detail::counts_down<Step> ? ptx::token::gt : ptx::token::lt;

  const ptx::operand counter = t.new_register(register_type<T>);
  t.emit(ptx::opcode::mov, {type}, {counter, start.operand});
  t.add_counter(counter, start.operand, step.operand);
  constexpr bool guarded = detail::counts_down<Step> || !detail::always_enters<typename decltype(start)::form, Stop>;
  if constexpr (guarded)
    t.emit(ptx::opcode::if_, {}, {t.compute(ptx::token::pred, ptx::opcode::setp, {relation, type}, {start.operand, stop.operand})});
  t.emit(ptx::opcode::loop, {}, {});
  body(value<T, form>{t.compute(register_type<T>, ptx::opcode::mov, {type}, {counter})});
  t.at(where);
  const ptx::operand before = t.compute(register_type<T>, ptx::opcode::mov, {type}, {counter});
  const ptx::operand next = t.compute(register_type<T>, ptx::opcode::add, {type}, {before, step.operand});
  t.emit(ptx::opcode::mov, {type}, {counter, next});
  t.emit(ptx::opcode::endloop, {}, {t.compute(ptx::token::pred, ptx::opcode::setp, {relation, type}, {next, stop.operand})});
  if constexpr (guarded) t.emit(ptx::opcode::endif, {}, {});
}

}  // namespace tg
