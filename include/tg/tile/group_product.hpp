// Products of tiles by the warpgroups of a block (wgmma, sm_90a): operands in panels in shared memory, or the left one in
// registers.
#pragma once

#include <tg/base/fixed_array.hpp>
#include <tg/dsl/wgmma/group_product.hpp>
#include <tg/dsl/wgmma/warpgroup.hpp>
#include <tg/tile/shared_part.hpp>

namespace tg::detail {

/// The sums of one product among those of a tile, M x N for each warpgroup.
template <class T, int M, int N> struct group_sums {
  using sum_type = T;
  static constexpr int m = M;
  static constexpr int n = N;
  static constexpr int registers = M * N / 128;
  static constexpr int registers_of_product = N / 2;

  struct one {
    const ptx::operand& operand;
    const ptx::operand& target() const { return operand; }
  };
  const ptx::operand* first;
  one operator()(std::size_t r) const { return {first[r]}; }
};

/// All panels of a part in shared memory as one operand, its neighbours along M.
template <major M, class Memory> auto group_operand(const Memory& memory, source_location where) {
  const auto first = [&] {
    if constexpr (M == major::k) return tg::k_major(memory.panel(0), where);
    else return tg::mn_major(memory.panel(0), where);
  }();
  using one = std::remove_const_t<decltype(first)>;
  constexpr int bytes = Memory::panel_columns * static_cast<int>(sizeof(typename Memory::element_type));
  constexpr int lines = M == major::k ? Memory::rows : Memory::columns, depth = M == major::k ? Memory::columns : Memory::rows;
  return shared_operand<typename one::element_type, lines, depth, M, bytes, Memory::rows * bytes>{first.start};
}

/// A copy of a fragment that ptxas cannot see through. ptxas 13.0 gives registers of a left operand that outlives its product
/// to the left operand of another product, when it makes both of plain copies: the first is then lost in the next turn of a
/// loop.
template <class Fragment> Fragment copied_for_product(Fragment fragment, const value<unsigned>& zero) {
  for (auto& part : fragment.parts.parts) part = (value<unsigned>{part} | zero).operand;
  return fragment;
}
/// A zero that only the device knows.
inline value<unsigned> hidden_zero() {
  const auto number = ptx::operand::special(ptx::special::smid);  // of the multiprocessor, below 2^31
  return value<unsigned>{tracer::current().copy(register_type<unsigned>, memory_type<unsigned>, number)} >> 31u;
}

/// sums += a * b. `sums`: registers spread as `group_distribution` says. A: fragments of each warp, or in shared memory.
template <class S, class Team, class A, class B>
void add_product_by_warpgroups(const ptx::operand* sums, const Team& team, const A& a, const B& b, source_location where) {
  constexpr int groups = Team::warps / 4, own_rows = A::rows / groups;
  require_warpgroups(where);
  const auto right = group_operand<B::is_transposed ? major::k : major::mn>(b.memory, where);
  if constexpr (requires { typename A::fragment_type; }) {
    using T = typename A::element_type;
    using sums_type = group_sums<S, 64, B::columns>;
    using right_type = std::remove_const_t<decltype(right)>;
    constexpr int depth = A::fragment_type::depth, first = B::first_depth / depth;
    constexpr bool adds_up = right_type::step_bytes(first + A::along - 1, depth) ==
                             right_type::step_bytes(first, depth) + right_type::step_bytes(A::along - 1, depth);
    static_assert(adds_up, "a part of a right operand begins at a multiple of its depth");
    const shared_operand<T, right_type::lines, A::along * depth, right_type::is_mn_major ? major::mn : major::k,
                         right_type::row_bytes, right_type::chunk_bytes>
        part{operand_after(right.start, ptx::operand::integer(1), right_type::step_bytes(first, depth))};
    const auto zero = [&] {
      if constexpr (A::is_kept) return hidden_zero();
      else return 0;
    }();
    // All of them in front of the first product, which nothing may be computed for behind.
    fixed_array<owned_fragment<T, A::along * depth>, own_rows / 64> left;
    for (int m = 0; m < own_rows / 64; ++m) {
      auto row = a_fragment<16, A::along * depth, T>::unfilled();
      constexpr int each = A::fragment_type::registers;
      for (int k = 0; k < A::along; ++k)
        for (int r = 0; r < each; ++r)
          row.parts.parts[static_cast<std::size_t>(k * each + r)] = a.at(m, k).parts.parts[static_cast<std::size_t>(r)];
      if constexpr (A::is_kept) left[static_cast<std::size_t>(m)] = own_registers(copied_for_product(row, zero));
      else left[static_cast<std::size_t>(m)] = own_registers(row);
    }
    for (int m = 0; m < own_rows / 64; ++m) {
      sums_type own{sums + m * sums_type::registers};
      const bool keeps_sums = !take_zeros(own.first, sums_type::registers);
      group_products<sums_type>(own).add(left[static_cast<std::size_t>(m)], part, keeps_sums, where);
    }
  } else {
    using sums_type = group_sums<S, own_rows, B::columns>;
    sums_type own{sums};
    const bool keeps_sums = !take_zeros(sums, sums_type::registers);
    group_products<sums_type> products(own);
    const auto left = group_operand<A::is_transposed ? major::mn : major::k>(a.memory, where);
    static_assert(B::first_depth == 0, "TG607: a part of a right operand is multiplied by a left one in registers");
    if constexpr (groups == 1) products.add(left, right, keeps_sums, where);
    else products.add(left.part(constant<own_rows>{}, team.block.warpgroup().index), right, keeps_sums, where);
  }
  commit_products();
  wait_for_products(0, where);
}

}  // namespace tg::detail
