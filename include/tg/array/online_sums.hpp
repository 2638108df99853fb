// Sums of exp(x - p) in the pass that finds their peak p, where elements are not kept in registers.
#pragma once

#include <functional>
#include <limits>

#include <tg/array/recorder.hpp>
#include <tg/array/reductions.hpp>
#include <tg/dsl/math/exp.hpp>

namespace tg::detail {

/// Calls `f(T)` with float or double, which is what such a sum has.
template <class F> auto with_float_type(element_code code, F f) {
  return code == element_code::f64 ? f(std::type_identity<double>{}) : f(std::type_identity<float>{});
}

/// Whether the next level has nothing but sums whose peaks are found on this level.
inline bool array_recorder::has_online_sums(int level) const {
  bool is_any = false;
  for (int k = 0; k < f_.reduction_count; ++k) {
    if (!is_own(k, level + 1)) continue;
    if (reduction(k).peak == nullptr) return false;
    is_any = true;
  }
  return is_any;
}

/// Calls `f(n)` for each reduction that a sum's peak is made of.
template <class F> void array_recorder::for_each_of_peak(int k, F f) {
  for (int n = reduction(k).first.reductions + reduction(k).before_peak.reductions; n < k; ++n)
    f(static_cast<int>(c_.same_reduction[static_cast<std::size_t>(n)]));
}

/// What stands for the peak of sum `k`. A peak that is no number, or is below all numbers, is the lowest number: the sum of
/// such elements is then 0, and becomes no NaN when a larger element comes.
inline ptx::operand array_recorder::peak_so_far(int k, int column) {
  const reduction_facts& own = reduction(k);
  for_each_of_peak(k, [&](int n) {
    ptx::operand& largest = result(n, 0, column);
    largest = with_float_type(own.state[0], [&]<class T>(std::type_identity<T>) {
      return tg::max(value<T>{largest}, std::numeric_limits<T>::lowest()).operand;
    });
  });
  for (int level = 0; level < own.level; ++level) share_results(level, column + 1);
  static const element_group nothing{};
  return own.peak(reader(nothing, column, own.first + own.before_peak));
}

/// Moves a sum's variables of the columns from `first` to before `last` from the peak that they are for to another one.
inline void array_recorder::move_to_peak(int k, std::size_t first, std::size_t last, const ptx::operand& known_peak,
                                         const ptx::operand& peak, const group_states& variables) {
  const element_code code = reduction(k).state[0];
  with_float_type(code, [&]<class T>(std::type_identity<T>) {
    const value<T> factor = tg::exp(value<T>{read_variable(code, known_peak)} - value<T>{peak});
    for (std::size_t w = first; w < last; ++w) {
      const ptx::operand& own = variables[static_cast<std::size_t>(k)][w][0];
      set_variable(code, own, (value<T>{read_variable(code, own)} * factor).operand);
    }
    set_variable(code, known_peak, peak);
  });
}

/// Variables of both levels, and of the peaks.
inline void array_recorder::start_online(int level, int width, bool has_columns, online_states& states) {
  start_variables(level, width, states.variables);
  start_variables(level + 1, width, states.variables);
  for (int k = 0; k < f_.reduction_count; ++k)
    for (int w = 0; w < (has_columns ? width : 1) && is_own(k, level + 1); ++w) {
      for_each_of_peak(k, [&](int n) {
        state none;
        start(n, none);
        keep(n, none, w);
      });
      states.peaks[static_cast<std::size_t>(k)][static_cast<std::size_t>(w)] =
          new_variable(reduction(k).state[0], peak_so_far(k, w));
    }
}

/// Adds elements to the variables of both levels. The columns of a row have one peak, others have their own.
inline void array_recorder::add_online(int level, int width, bool has_columns, const element_group& group,
                                       const std::function<void(int)>& number, online_states& states) {
  add_to_variables(level, width, group, number, states.variables);
  for (int k = 0; k < f_.reduction_count; ++k) {
    if (!is_own(k, level + 1)) continue;
    for (int column = 0; column < (has_columns ? width : 1); ++column) {
      const auto first = static_cast<std::size_t>(column), last = has_columns ? first + 1 : static_cast<std::size_t>(width);
      for_each_of_peak(k, [&](int n) {
        const auto& own = states.variables[static_cast<std::size_t>(n)];
        state largest{read_variable(reduction(n).state[0], own[first][0])};
        for (std::size_t w = first + 1; w < last; ++w) merge(n, largest, {read_variable(reduction(n).state[0], own[w][0])});
        keep(n, largest, column);
      });
      move_to_peak(k, first, last, states.peaks[static_cast<std::size_t>(k)][first], peak_so_far(k, column), states.variables);
    }
  }
  add_to_variables(level + 1, width, group, number, states.variables);
}

/// Moves a thread's sums to the peaks that all threads have together. Requires: results of `level` are known.
inline void array_recorder::settle_online(int level, int width, bool has_columns, online_states& states) {
  const auto known = results_;
  for (int k = 0; k < f_.reduction_count; ++k)
    for (int column = 0; column < (has_columns ? width : 1) && is_own(k, level + 1); ++column) {
      const auto first = static_cast<std::size_t>(column), last = has_columns ? first + 1 : static_cast<std::size_t>(width);
      move_to_peak(k, first, last, states.peaks[static_cast<std::size_t>(k)][first], peak_so_far(k, column), states.variables);
    }
  results_ = known;
}

/// A block's part of sum `k`, moved to the peak of the whole row. `read(n)`: leaves that block's part of reduction n in
/// `part_of_`. `known`: results of the whole row.
template <class Read>
ptx::operand array_recorder::moved_part(int k, const ptx::operand& part, const result_registers& known, Read read) {
  for_each_of_peak(k, [&](int n) {
    read(n);
    keep(n, part_of_[static_cast<std::size_t>(n)]);
  });
  const ptx::operand own_peak = peak_so_far(k, 0);
  results_ = known;
  const ptx::operand peak = peak_so_far(k, 0);
  results_ = known;
  return with_float_type(reduction(k).state[0], [&]<class T>(std::type_identity<T>) {
    return (value<T>{part} * tg::exp(value<T>{own_peak} - value<T>{peak})).operand;
  });
}

}  // namespace tg::detail
