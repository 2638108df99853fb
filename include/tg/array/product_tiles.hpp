// The tiles of products of matrices, by the type of their elements.
#pragma once

#include <array>

#include <tg/array/product_site.hpp>
#include <tg/dsl/flow/for_.hpp>
#include <tg/dsl/value/choose.hpp>
#include <tg/tile.hpp>

namespace tg::detail {

/// How a block shares a tile out: tensor cores; for sm_90 those of its warpgroups, which want wider steps.
template <class T, int Sm> struct product_plan {
  static constexpr auto block = tg::block<product_threads<T>> | tg::for_sm<Sm>;
  static constexpr int step = (Sm == 90 ? 128 : 64) / int(sizeof(T)), stages = Sm == 90 ? 3 : 4;
  static auto team(const auto& block) { return tg::warps<2, 2>(block); }
};
/// Floats: CUDA cores.
template <int Sm> struct product_plan<float, Sm> {
  static constexpr auto block = tg::block<product_threads<float>>;
  static constexpr int step = 32, stages = 2;
  static auto team(const auto& block) { return tg::warps<4, 2, cuda_cores>(block); }
};

using product_number = value<unsigned, index::single<index::uniform<1>>>;

/// Operands that lie in memory as arrays: a pipeline of copies.
template <class T, int Sm, product_layout Left, product_layout Right, class Block, class Sum>
void add_array_products(const product_site& site, const Block& block, Sum& sum) {
  using matrix = view<T, mode::read, 2, multiple_of<16 / int(sizeof(T))>>;
  constexpr bool is_left_along = Left == product_layout::along, is_right_along = Right == product_layout::along;
  constexpr int step = product_plan<T, Sm>::step;
  const matrix left(site.left_number, site.left, {site.left_pitch}), right(site.right_number, site.right, {site.right_pitch});
  const product_number rows{site.rows}, columns{site.columns}, depth{site.depth};
  const auto row = product_number{site.down} * constant<product_tile>{};
  const auto column = product_number{site.across} * constant<product_tile>{};
  const auto tile_of = [&]<bool IsAlong>(std::bool_constant<IsAlong>, const matrix& from, const auto& extent, const auto& first,
                                         const auto& at) {
    if constexpr (IsAlong) return tg::tile_at<product_tile, step>(tg::sized(from, extent, depth), first, at);
    else return tg::tile_at<step, product_tile>(tg::sized(from, depth, extent), at, first);
  };
  tg::add_products<product_plan<T, Sm>::stages>(
      block, sum, tg::steps(product_number{site.length}, constant<step>{}),
      [&](const auto& at) {
        return tg::stage(tile_of(std::bool_constant<is_left_along>{}, left, rows, row, at),
                         tile_of(std::bool_constant<is_right_along>{}, right, columns, column, at));
      },
      [](const auto& a, const auto& b) {
        return tg::dot<sum_of_products<T>>(tg::choose<is_left_along>(a, tg::transposed(a)),
                                           tg::choose<is_right_along>(tg::transposed(b), b));
      },
      site.where);
}

/// A stage of an operand that is computed: `product_tile` rows or columns of it, along the depth from `at` on.
template <class T, class Block, class Memory, class First, class At>
void compute_operand(const product_site& site, const Block& block, bool of_right, const Memory& to, const First& first,
                     const At& at) {
  constexpr int step = product_plan<T, 80>::step, threads = product_threads<T>;
  const value<unsigned> extent{of_right ? site.columns : site.rows}, depth{site.depth};
  const auto put = [&](const auto& along, const auto& k) {
    const value<unsigned> own{(first + along).operand}, own_k{(at + k).operand};
    const value<bool> is_there = own < extent && own_k < depth;
    const ptx::operand element =
        element_of_product(site, of_right, tg::select(is_there, own, 0u).operand, tg::select(is_there, own_k, 0u).operand);
    to(along, k, allow<TG201>("operands that are computed are put down as they lie in memory"), site.where) =
        tg::select(is_there, value<T>{element}, to_value<T>(T(0)));
  };
  const auto thread = block.thread.x;
  if (of_right ? site.is_right_along : site.is_left_along) {
    for (int i = 0; i < product_tile * step / threads; ++i)
      put(thread / constant<step>{} + tg::uniform(i * (threads / step)), thread % constant<step>{});
  } else {
    for (int i = 0; i < product_tile * step / threads; ++i)
      put(thread % constant<product_tile>{}, thread / constant<product_tile>{} + tg::uniform(i * (threads / product_tile)));
  }
}

/// Operands of which one at least is computed element by element, into one of two stages while the other one is multiplied.
template <class T, class Block, class Sum> void add_computed_products(const product_site& site, const Block& block, Sum& sum) {
  constexpr int step = product_plan<T, 80>::step;
  const auto row = product_number{site.down} * constant<product_tile>{};
  const auto column = product_number{site.across} * constant<product_tile>{};
  const auto ring = [&] {
    return tg::stages<T, 2>(tg::shape<product_tile, step>, operand_layout<T, product_tile, step>(), site.where);
  };
  const auto left = ring(), right = ring();
  tg::for_(
      tg::range(constant<0>{}, product_number{site.length}, constant<step>{}),
      [&](const auto& at) {
        const landed_slot slot{tg::let(product_number{at.operand} / constant<step>{} % constant<2>{})};
        compute_operand<T>(site, block, false, left.fill(slot.index), row, at);
        compute_operand<T>(site, block, true, right.fill(slot.index), column, at);
        block.sync(site.where);
        sum += tg::dot<sum_of_products<T>>(shared_part{left.read(slot)}, tg::transposed(shared_part{right.read(slot)}),
                                           site.where);
      },
      site.where);
}

template <class T, int Sm> void record_product_for(const product_site& site) {
  using plan = product_plan<T, Sm>;
  using S = sum_of_products<T>;
  const block_handle<std::remove_cvref_t<decltype(plan::block)>> block;
  const auto team = plan::team(block);
  auto sum = tg::zeros<S, product_tile, product_tile>(team, site.where);
  using enum product_layout;
  if (site.left_layout == computed) {
    if constexpr (Sm == 80) add_computed_products<T>(site, block, sum);
  } else if (site.left_layout == along && site.right_layout == along) {
    add_array_products<T, Sm, along, along>(site, block, sum);
  } else if constexpr (has_products_across<T>) {
    if (site.left_layout == along) add_array_products<T, Sm, along, across>(site, block, sum);
    else if (site.right_layout == along) add_array_products<T, Sm, across, along>(site, block, sum);
    else add_array_products<T, Sm, across, across>(site, block, sum);
  }
  using rows_in_warps = run_spread<product_tile, product_tile, product_threads<T> / 32, 4>;
  const auto moved = spread_as<rows_in_warps, S>(tg::eval(sum, site.where).node(), team, site.where);
  std::array<ptx::operand, rows_in_warps::value.registers()> sums;
  for (int r = 0; r < rows_in_warps::value.registers(); ++r) sums[static_cast<std::size_t>(r)] = moved(r).operand;
  finish_product(site, sums.data());
}

template <class T> void record_product(const product_site& site) {
  if constexpr (!std::is_same_v<T, float>)
    if (site.by_groups) return record_product_for<T, 90>(site);
  record_product_for<T, 80>(site);
}

}  // namespace tg::detail
