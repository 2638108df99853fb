// The tiles of products of matrices, by the type of their elements.
#pragma once

#include <tg/array/product_site.hpp>
#include <tg/base/fixed_array.hpp>
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

/// One for each product of a tile.
template <product_form Form, class Make> auto of_each_product(const Make& make) {
  using one = decltype(make());
  if constexpr (product_tile_of(Form).products == 2) return fixed_array<one, 2>{{make(), make()}};
  else return fixed_array<one, 1>{{make()}};
}

/// Operands that lie in memory as arrays: a pipeline of copies.
template <class T, int Sm, product_form Form, product_layout Left, product_layout Right, class Block, class Sums>
void add_array_products(const product_site& site, const Block& block, Sums& sums) {
  using matrix = view<T, mode::read, 2, multiple_of<16 / int(sizeof(T))>>;
  constexpr bool is_left_along = Left == product_layout::along, is_right_along = Right == product_layout::along;
  constexpr product_tile tile = product_tile_of(Form);
  constexpr int step = product_plan<T, Sm>::step, stages = product_plan<T, Sm>::stages;
  const matrix left(site.left_number, site.left, {site.left_pitch}), right(site.right_number, site.right, {site.right_pitch});
  const product_number rows{site.rows}, columns{site.columns}, depth{site.depth};
  const auto row = product_number{site.down} * constant<tile.rows>{};
  const auto column = product_number{site.across} * constant<tile.columns>{};
  const auto left_at = [&](const auto& at) {
    if constexpr (is_left_along) return tg::tile_at<tile.rows, step>(tg::sized(left, rows, depth), row, at);
    else return tg::tile_at<step, tile.rows>(tg::sized(left, depth, rows), at, row);
  };
  const auto right_at = [&](const matrix& from, const auto& at) {
    if constexpr (is_right_along) return tg::tile_at<tile.columns, step>(tg::sized(from, columns, depth), column, at);
    else return tg::tile_at<step, tile.columns>(tg::sized(from, depth, columns), at, column);
  };
  const auto product = [](const auto& a, const auto& b) {
    return tg::dot<sum_of_products<T>>(tg::choose<is_left_along>(a, tg::transposed(a)),
                                       tg::choose<is_right_along>(tg::transposed(b), b));
  };
  const auto steps = tg::steps(product_number{site.length}, constant<step>{});
  if constexpr (Form == product_form::pair) {
    const matrix second(site.other_number, site.other, {site.right_pitch});
    tg::pipeline<stages>(
        block, steps, [&](const auto& at) { return tg::stage(left_at(at), right_at(right, at), right_at(second, at)); },
        [&](const auto& a, const auto& b, const auto& c) {
          sums[0] += product(a, b);
          sums[1] += product(a, c);
        },
        site.where);
  } else {
    tg::add_products<stages>(
        block, sums[0], steps, [&](const auto& at) { return tg::stage(left_at(at), right_at(right, at)); }, product,
        site.where);
  }
}

/// A stage of an operand that is computed: `Extent` rows or columns of it, along the depth from `at` on.
template <class T, int Extent, class Block, class Memory, class First, class At>
void compute_operand(const product_site& site, const Block& block, product_operand which, const Memory& to, const First& first,
                     const At& at) {
  constexpr int step = product_plan<T, 80>::step, threads = product_threads<T>;
  const bool is_left = which == product_operand::left;
  const value<unsigned> extent{is_left ? site.rows : site.columns}, depth{site.depth};
  const auto put = [&](const auto& along, const auto& k) {
    const value<unsigned> own{(first + along).operand}, own_k{(at + k).operand};
    const value<bool> is_there = own < extent && own_k < depth;
    const ptx::operand element =
        element_of_product(site, which, tg::select(is_there, own, 0u).operand, tg::select(is_there, own_k, 0u).operand);
    to(along, k, allow<TG201>("operands that are computed are put down as they lie in memory"), site.where) =
        tg::select(is_there, value<T>{element}, to_value<T>(T(0)));
  };
  const auto thread = block.thread.x;
  if (is_left ? site.is_left_along : site.is_right_along) {
    for (int i = 0; i < Extent * step / threads; ++i)
      put(thread / constant<step>{} + tg::uniform(i * (threads / step)), thread % constant<step>{});
  } else {
    for (int i = 0; i < Extent * step / threads; ++i)
      put(thread % constant<Extent>{}, thread / constant<Extent>{} + tg::uniform(i * (threads / Extent)));
  }
}

/// Operands of which one at least is computed element by element, into one of two stages while the other one is multiplied.
template <class T, product_form Form, class Block, class Sums>
void add_computed_products(const product_site& site, const Block& block, Sums& sums) {
  constexpr product_tile tile = product_tile_of(Form);
  constexpr int step = product_plan<T, 80>::step;
  const auto row = product_number{site.down} * constant<tile.rows>{};
  const auto column = product_number{site.across} * constant<tile.columns>{};
  const auto left = tg::stages<T, 2>(tg::shape<tile.rows, step>, operand_layout<T, tile.rows, step>(), site.where);
  const auto right = of_each_product<Form>(
      [&] { return tg::stages<T, 2>(tg::shape<tile.columns, step>, operand_layout<T, tile.columns, step>(), site.where); });
  tg::for_(
      tg::range(constant<0>{}, product_number{site.length}, constant<step>{}),
      [&](const auto& at) {
        const landed_slot slot{tg::let(product_number{at.operand} / constant<step>{} % constant<2>{})};
        compute_operand<T, tile.rows>(site, block, product_operand::left, left.fill(slot.index), row, at);
        for (std::size_t k = 0; k < sums.size(); ++k)
          compute_operand<T, tile.columns>(site, block, k == 0 ? product_operand::right : product_operand::other_right,
                                           right[k].fill(slot.index), column, at);
        block.sync(site.where);
        for (std::size_t k = 0; k < sums.size(); ++k)
          sums[k] += tg::dot<sum_of_products<T>>(shared_part{left.read(slot)}, tg::transposed(shared_part{right[k].read(slot)}),
                                                 site.where);
      },
      site.where);
}

template <class T, int Sm, product_form Form, class Block, class Sums>
void add_products_as_they_lie(const product_site& site, const Block& block, Sums& sums) {
  using enum product_layout;
  if (site.left_layout == computed) {
    if constexpr (Sm == 80) add_computed_products<T, Form>(site, block, sums);
  } else if (site.left_layout == along && site.right_layout == along) {
    add_array_products<T, Sm, Form, along, along>(site, block, sums);
  } else if constexpr (has_products_across<T> && Form == product_form::pair) {
    add_array_products<T, Sm, Form, along, across>(site, block, sums);
  } else if constexpr (has_products_across<T>) {
    if (site.left_layout == along) add_array_products<T, Sm, Form, along, across>(site, block, sums);
    else if (site.right_layout == along) add_array_products<T, Sm, Form, across, along>(site, block, sums);
    else add_array_products<T, Sm, Form, across, across>(site, block, sums);
  }
}

template <class T, int Sm, product_form Form> void record_product_as(const product_site& site) {
  using plan = product_plan<T, Sm>;
  using S = sum_of_products<T>;
  constexpr product_tile tile = product_tile_of(Form);
  const block_handle<std::remove_cvref_t<decltype(plan::block)>> block;
  const auto team = plan::team(block);
  using rows_in_warps = run_spread<tile.rows, tile.columns, product_threads<T> / 32, tile.columns / 32>;
  constexpr int registers = rows_in_warps::value.registers();
  auto sums = of_each_product<Form>([&] { return tg::zeros<S, tile.rows, tile.columns>(team, site.where); });
  add_products_as_they_lie<T, Sm, Form>(site, block, sums);
  fixed_array<ptx::operand, registers * tile.products> all;
  auto next = all.begin();
  for (const auto& sum : sums) {
    const auto moved = spread_as<rows_in_warps, S>(tg::eval(sum, site.where).node(), team, site.where);
    for (int r = 0; r < registers; ++r) *next++ = moved(r).operand;
  }
  finish_product(site, all.data());
}

template <class T, int Sm> void record_product_for(const product_site& site) {
  if (site.form == product_form::pair) record_product_as<T, Sm, product_form::pair>(site);
  else record_product_as<T, Sm, product_form::single>(site);
}

template <class T> void record_product(const product_site& site) {
  if constexpr (!std::is_same_v<T, float>)
    if (site.by_groups) return record_product_for<T, 90>(site);
  record_product_for<T, 80>(site);
}

}  // namespace tg::detail
