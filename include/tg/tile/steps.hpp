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

/// How a pipeline goes through a length: in steps of `Step`.
template <class Length, int Step> struct steps_t {
  static constexpr int step = Step;

  Length length;

  auto count() const { return (length + constant<Step - 1>{}) / constant<Step>{}; }
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
