// How a pipeline goes through a length.
#pragma once

#include <tg/dsl/math/math.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/operators.hpp>
#include <tg/dsl/value/uniform.hpp>

namespace tg {

namespace detail {

/// A number of steps. All have one type, so that the compiler judges what fills and reads a stage once.
using step_number = value<unsigned, index::single<index::uniform<1>>>;

}  // namespace detail

/// Steps of which some, from number `begin` to before `end`, are inner ones. `IsFromStart`: `begin` is 0.
template <int Step, bool IsFromStart> struct inner_steps_t {
  static constexpr int step = Step;
  static constexpr bool has_edges = true;

  detail::step_number all, begin, end;

  const detail::step_number& count() const { return all; }

  /// Inner steps that have a loop of their own: as many as fill the stages of a pipeline again and again. The others are taken
  /// as edges, so that both loops begin with the same stage.
  template <int Stages> detail::step_number inner_count() const {
    return {tg::let((end - begin) / constant<Stages>{} * constant<Stages>{}).operand};
  }
  /// Which step is taken as number `turn`: first `inner` inner ones, then those before them, then those behind them.
  detail::step_number at(const detail::step_number& turn, const detail::step_number& inner) const {
    if constexpr (IsFromStart) return turn;
    const auto rest = turn - inner;
    return {tg::select(turn < inner, turn + begin, tg::select(rest < begin, rest, turn)).operand};
  }
};

/// How a pipeline goes through a length: in steps of `Step`.
template <class Length, int Step> struct steps_t {
  static constexpr int step = Step;
  static constexpr bool has_edges = false;

  Length length;

  auto count() const { return (length + constant<Step - 1>{}) / constant<Step>{}; }
  template <int Stages> detail::step_number inner_count() const { return tg::uniform(0); }
  detail::step_number at(const detail::step_number& turn, const detail::step_number& /*inner*/) const { return turn; }

  /// Steps that lie as a whole in `begin` to before `end` of the length are inner ones. They come first, in a loop of their
  /// own, and the body has a last parameter, a C++ `bool`, false for them. So what only other steps need, such as a mask, is
  /// no part of that loop: `tg::steps(keys, 64_c).with_inner(0_c, whole)`. Requires: the order of the steps does not matter.
  template <operand_like Begin, operand_like End>
  inner_steps_t<Step, std::is_same_v<Begin, constant<0>>> with_inner(const Begin& begin, const End& end) const {
    const auto all = tg::let(count());
    const auto last = tg::let(tg::min(detail::to_value<unsigned>(end) / constant<Step>{}, all));
    const auto first = tg::let(tg::min((detail::to_value<unsigned>(begin) + constant<Step - 1>{}) / constant<Step>{}, last));
    return {{all.operand}, {first.operand}, {last.operand}};
  }
};

/// 0, Step, 2 * Step, ... below `length`.
template <operand_like Length, long long Step> auto steps(const Length& length, constant<Step>) {
  const auto own = detail::to_value<unsigned>(length);
  return steps_t<std::remove_const_t<decltype(own)>, static_cast<int>(Step)>{own};
}

/// A step that is no constant. Errors: TG606.
template <operand_like Length, std::integral Step> auto steps(const Length& length, const Step&) {
  static_assert(sizeof(Step) == 0, "TG606: the step of tg::steps is a constant: tg::steps(k, 32_c)");
  return tg::steps(length, constant<16>{});
}

}  // namespace tg
