// What is written several times in an expression is read, or computed, once.
#pragma once

#include <tg/array/planner.hpp>

namespace tg::detail {

/// Which arrays and reductions are written several times in the expression.
inline void array_planner::find_equals() {
  bool is_shared = true;  // reductions and what is outside of them go over the same elements
  for (int a = 0; a < most_axes; ++a)
    if (is_reduced(a))
      is_shared = is_shared && extents_[static_cast<std::size_t>(a)] == reduced_extents_[static_cast<std::size_t>(a)];
  for (int l = 0; l < f_.leaf_count; ++l) {
    operand_class& own = plan_.own.leaves[static_cast<std::size_t>(l)];
    own.same_as = static_cast<std::uint8_t>(l);
    for (int other = 0; other < l; ++other)
      if (leaf(l).use == leaf_use::element && leaf(other).use == leaf_use::element && leaf(other).element == leaf(l).element &&
          is_same_place(l, other) && side_of(l) == side_of(other) &&
          (is_shared || leaf(l).is_reduced == leaf(other).is_reduced)) {
        own.same_as = plan_.own.leaves[static_cast<std::size_t>(other)].same_as;
        break;
      }
  }
  for (int r = 0; r < f_.result_count; ++r) {
    std::uint8_t& same = plan_.own.results[static_cast<std::size_t>(r)].same_as;
    same = no_leaf;
    for (int l = f_.leaf_count; l-- > 0;)
      if (leaf(l).use == leaf_use::element && plan_.own.leaves[static_cast<std::size_t>(l)].same_as == l &&
          is_same_place(l, operand_of_result(r)) && side_of(l) == 0 && (is_shared || !leaf(l).is_reduced))
        same = static_cast<std::uint8_t>(l);
  }
  for (std::size_t k = 0; k < static_cast<std::size_t>(f_.scalar_count); ++k)
    plan_.own.same_scalar[k] = static_cast<std::uint8_t>(operands_.same_scalar(k));
  const auto are_equal = [&](const reduction_facts& a, const reduction_facts& b) {
    if (a.kind != b.kind) return false;
    for (int k = 0; k < a.counts.leaves; ++k)  // what is read of a shape alone are the numbers along axes
      if (leaf(a.first.leaves + k).use != leaf_use::shape &&
          plan_.own.leaves[static_cast<std::size_t>(a.first.leaves + k)].same_as !=
              plan_.own.leaves[static_cast<std::size_t>(b.first.leaves + k)].same_as)
        return false;
    for (int k = 0; k < a.counts.scalars; ++k)
      if (operands_.scalars[static_cast<std::size_t>(a.first.scalars + k)] !=
          operands_.scalars[static_cast<std::size_t>(b.first.scalars + k)])
        return false;
    for (int k = 0; k < a.counts.numbers; ++k) {
      const int one = a.first.numbers + k, other = b.first.numbers + k;
      if (f_.numbers[static_cast<std::size_t>(one)].axis != f_.numbers[static_cast<std::size_t>(other)].axis ||
          plan_.own.is_zero(one) != plan_.own.is_zero(other))
        return false;
    }
    return true;
  };
  for (int k = 0; k < f_.reduction_count; ++k) {
    std::uint8_t& same = plan_.own.same_reduction[static_cast<std::size_t>(k)];
    same = static_cast<std::uint8_t>(k);
    for (int other = 0; other < k; ++other)
      if (are_equal(f_.reductions[static_cast<std::size_t>(k)], f_.reductions[static_cast<std::size_t>(other)])) {
        same = plan_.own.same_reduction[static_cast<std::size_t>(other)];
        break;
      }
  }
}

}  // namespace tg::detail
