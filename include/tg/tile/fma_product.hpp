// Products of tiles of floats by fused multiply-add: both operands in shared memory.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/math/math.hpp>
#include <tg/dsl/memory/vec_at.hpp>
#include <tg/dsl/value/uniform.hpp>
#include <tg/dsl/verdict/allow.hpp>
#include <tg/tile/team.hpp>

namespace tg::detail {

/// What one thread multiplies at four steps along the depth: `at(k, n)` is element n of its rows or columns.
template <int Count> using fma_operands = fixed_array<ptx::operand, 4 * Count>;

/// Reads four steps from `depth` on of `Count` rows or columns; `place(n)` is where the n-th is. Four that lie side by side in
/// memory are read at once.
/// IsAlongDepth: whether steps along the depth lie side by side in memory, else rows or columns.
template <int Count, bool IsAlongDepth, bool HasRuns, class Memory, class Place>
auto load_for_fma(const Memory& memory, int depth, const Place& place, source_location where) {
  fma_operands<Count> out;
  const auto put = [&](int k, int n, const ptx::operand& x) { out[static_cast<std::size_t>(k * Count + n)] = x; };
  if constexpr (IsAlongDepth) {
    // Four columns side by side are four rows of memory: lanes whose runs are next to each other meet in banks two and two.
    const auto excuse = [] {
      if constexpr (HasRuns) return allow<TG201>("runs of four columns are kept for whole sectors in the result");
      else return checked{};
    }();
    for (int n = 0; n < Count; ++n) {
      const auto four = tg::vec_at<4>(memory, place(n), tg::uniform<4>(depth), excuse, where).get();
      for (int k = 0; k < 4; ++k) put(k, n, four(k).operand);
    }
  } else {
    for (int k = 0; k < 4; ++k)
      if constexpr (HasRuns) {
        for (int n = 0; n < Count; n += 4) {
          const auto four = tg::vec_at<4>(memory, tg::uniform(depth + k), place(n), checked{}, where).get();
          for (int e = 0; e < 4; ++e) put(k, n + e, four(e).operand);
        }
      } else {
        for (int n = 0; n < Count; ++n) put(k, n, memory(tg::uniform(depth + k), place(n), checked{}, where).get().operand);
      }
  }
  return out;
}

/// sums += a * b. `sums`: registers spread as `fma_distribution` says. D: that.
template <class D, class Team, class A, class B>
void add_product_by_fma(const ptx::operand* sums, const Team& team, const A& a, const B& b, source_location where) {
  constexpr int down = A::rows / Team::warp_rows / 4, across = B::columns / Team::warp_columns / 8;
  static_assert(down * across == D::value.registers());
  auto& t = tracer::current();
  const auto first_row = own_row<D>(team);
  const auto first_column = own_column<D>(team);
  const auto row = [&](int i) { return first_row + tg::uniform<4>(D::value.at(i * across).row); };
  const auto column = [&](int j) { return first_column + tg::uniform<32>(D::value.at(j).column & ~3); };
  const auto own_column = [&](int j) { return first_column + tg::uniform(D::value.at(j).column); };
  for (int depth = 0; depth < A::columns; depth += 4) {
    const auto right = [&] {
      if constexpr (B::is_transposed) return load_for_fma<across, true, true>(b.memory, depth, own_column, where);
      else return load_for_fma<across, false, true>(b.memory, depth, column, where);
    }();
    for (int i = 0; i < down; ++i) {
      const auto left = load_for_fma<1, !A::is_transposed, false>(a.memory, depth, [&](int) { return row(i); }, where);
      for (int k = 0; k < 4; ++k)
        for (int j = 0; j < across; ++j) {
          const ptx::operand& own = sums[i * across + j];
          const value<float> sum{t.copy(register_type<float>, move_type<float>, own)};
          t.assign(move_type<float>, own,
                   tg::fma(value<float>{left[static_cast<std::size_t>(k)]},
                           value<float>{right[static_cast<std::size_t>(k * across + j)]}, sum)
                       .operand);
        }
    }
  }
}

}  // namespace tg::detail
