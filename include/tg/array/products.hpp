// Kernels of products of matrices: which tile a block computes, and the expression around the product.
#pragma once

#include <algorithm>
#include <array>
#include <type_traits>

#include <tg/array/elements.hpp>
#include <tg/array/places.hpp>
#include <tg/array/product_site.hpp>
#include <tg/array/recorder.hpp>
#include <tg/dsl/value/let.hpp>
#include <tg/dsl/value/uniform.hpp>

namespace tg::detail {

inline void array_recorder::product() {
  using number = value<unsigned, index::single<index::uniform<1>>>;
  const block_handle<block_t<256>> block;
  const number rows{loop_}, columns{lanes_};
  const product_tile tile = product_tile_of(c_.form);
  number x{block.index.x.operand}, matrix{block.index.z.operand};
  if (c_.has_planes) {
    const auto side = static_cast<unsigned>(tile.columns);
    const value<unsigned> across = (value<unsigned>{columns.operand} + (side - 1)) / side;
    const number blocks{(across * static_cast<unsigned>(c_.band)).operand};
    matrix.operand = (x / blocks).operand;
    x.operand = (x - matrix * blocks).operand;
  }
  begin_row(matrix.operand);
  number down{block.index.y.operand}, across{x.operand};
  if (c_.band > 1) {
    down.operand = (block.index.y * constant<product_band>{} + x % constant<product_band>{}).operand;
    across.operand = (x / constant<product_band>{}).operand;
  }

  product_site site;
  site.recorder = this;
  site.left_layout = c_.left;
  site.right_layout = c_.right;
  site.is_left_along = c_.is_left_along;
  site.is_right_along = c_.is_right_along;
  const int first = reduction(0).first.leaves, second = first + f_.product.left.leaves;
  site.form = c_.form;
  site.left_number = class_of(c_.is_swapped ? second : first).same_as;
  site.right_number = class_of(c_.is_swapped ? first : second).same_as;
  if (c_.form == product_form::pair) {
    site.other_number = class_of(reduction(c_.other_product).first.leaves + f_.product.left.leaves).same_as;
    site.other = own(site.other_number).row_base;
  }
  site.left = own(site.left_number).row_base;
  site.right = own(site.right_number).row_base;
  site.left_pitch = left_pitch_;
  site.right_pitch = right_pitch_;
  site.rows = loop_;
  site.columns = lanes_;
  site.depth = depth_;
  site.by_groups = c_.by_groups;
  // The last band may have no rows of tiles.
  site.length =
      tg::let(tg::select(value<unsigned>{down.operand} * static_cast<unsigned>(tile.rows) < value<unsigned>{rows.operand},
                         number{depth_}, 0u))
          .operand;
  site.down = down.operand;
  site.across = across.operand;
  site.where = where_;
  f_.product.record(site);
}

inline ptx::operand array_recorder::product_element(product_operand which, const ptx::operand& along,
                                                    const ptx::operand& depth) {
  const product_facts& p = f_.product;
  const bool is_second = (which != product_operand::left) != c_.is_swapped;
  const reduction_facts& r = reduction(which == product_operand::other_right ? c_.other_product : 0);
  const tree_counts all = r.first + r.counts;
  const tree_counts first = is_second ? r.first + p.left : r.first;
  const tree_counts last = is_second ? all : r.first + p.left;
  for (int l = first.leaves; l < last.leaves; ++l) {
    if (leaf(l).use == leaf_use::shape) continue;
    const int from = class_of(l).same_as;
    ptx::operand address = own(from).row_base;
    if (class_of(from).loop_axes != 0) address = moved_by_row(address, along, own(from).loop[0]);
    if (class_of(from).lane == lane_step::dense)
      address = moved(address, depth, false, ptx::operand::integer(bytes_of(leaf(l).element)));
    else if (class_of(from).lane != lane_step::none) address = moved(address, depth, false, own(from).lane[0]);
    ptx::operand& to = element_[static_cast<std::size_t>(l)];
    to = address;
    if (leaf(l).use == leaf_use::element) load_elements(leaf(l).element, gathered(from, address), 1, &to);
  }
  for (int k = first.numbers; k < last.numbers; ++k) {
    const int axis = f_.numbers[static_cast<std::size_t>(k)].axis;
    const int digit = c_.final_digit[static_cast<std::size_t>(axis)];
    ptx::operand& to = numbers_[static_cast<std::size_t>(k)];
    if (c_.is_zero(k)) to = ptx::operand::integer(0);
    else if (axis == p.depth) to = depth;
    else if (axis == (is_second ? p.column : p.row)) to = along;
    else if (digit >= 0 && digit < lane_digit) to = row_digits_[static_cast<std::size_t>(digit)];
    else to = ptx::operand::integer(0);
  }
  const element_reader reader{element_.data() + first.leaves,
                              scalars_.data() + first.scalars,
                              nullptr,
                              numbers_.data() + first.numbers,
                              count_,
                              position_};
  return is_second ? p.right_element(reader) : p.left_element(reader);
}

template <class Block, product_form Form>
void array_recorder::take_product_as(const Block& block, const product_site& site, const ptx::operand* sums) {
  using number = value<unsigned, index::single<index::uniform<1>>>;
  constexpr product_tile tile = product_tile_of(Form);
  constexpr int warps = Block::shape::threads / 32, rows_of_thread = tile.rows / warps, run = tile.columns / 32;
  const auto warp = block.warp();
  const auto first_row = number{site.down} * constant<tile.rows>{};
  const auto first_column = number{site.across} * constant<tile.columns>{};
  const auto sum_of = [&](int k, int place) {
    const bool is_other = Form == product_form::pair && c_.same_reduction[static_cast<std::size_t>(k)] != 0;
    return sums[(is_other ? run * rows_of_thread : 0) + place];
  };
  const value<unsigned> row{(first_row + warp.index).operand};
  const auto column = first_column + warp.lane * constant<run>{};
  const value<unsigned> rows{loop_}, columns{lanes_};
  const auto all = [&](bool is_edge) {
    with_width(c_.width, [&](auto wide) {
      constexpr int width = std::min<int>(decltype(wide)::value, run);
      for (int i = 0; i < rows_of_thread; ++i)
        for (int part = 0; part < run; part += width) {
          const auto own_column = column + tg::uniform<width>(part);
          operands loop;
          loop[0] = (row + static_cast<unsigned>(warps * i)).operand;
          const auto compute = [&] {
            const line_access at = [&] {
              if constexpr (width == run) return access_at<width>(own_column);
              else return access_at<width>(own_column, allow<TG202>("rows that are no multiple of 16 bytes apart"));
            }();
            for (std::size_t w = 0; w < static_cast<std::size_t>(width); ++w)
              for (int k = 0; k < f_.reduction_count; ++k)
                results_[w][static_cast<std::size_t>(most_states * k)] = sum_of(k, run * i + part + static_cast<int>(w));
            element_group group;
            load(&array_recorder::is_beside_product, at, 0, nullptr, &loop, group);
            evaluate(true, at, 0, nullptr, &loop, group);
          };
          const value<unsigned> own_row{loop[0]}, first{own_column.operand};
          if (is_edge) if_(own_row < rows && first < columns, compute, where_);
          else compute();
        }
    });
  };
  if_(
      first_row + constant<tile.rows>{} <= number{loop_} && first_column + constant<tile.columns>{} <= number{lanes_},
      [&] { all(false); }, where_)
      .else_([&] { all(true); }, where_);
}

inline void array_recorder::take_product(const product_site& site, const ptx::operand* sums) {
  const auto take = [&](const auto& block) {
    using block_type = std::remove_cvref_t<decltype(block)>;
    if (c_.form == product_form::pair) take_product_as<block_type, product_form::pair>(block, site, sums);
    else take_product_as<block_type, product_form::single>(block, site, sums);
  };
  if (c_.threads == 128) take(block_handle<block_t<128>>());
  else take(block_handle<block_t<256>>());
}

}  // namespace tg::detail
