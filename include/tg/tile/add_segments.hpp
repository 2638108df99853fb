// Products of many tiles in one pipeline: while the sums of one tile are stored, the operands of the next one are on their way.
#pragma once

#include <tg/dsl/flow/assume.hpp>
#include <tg/dsl/flow/if_.hpp>
#include <tg/dsl/value/assume_uniform.hpp>
#include <tg/dsl/value/var.hpp>
#include <tg/tile/pipeline.hpp>
#include <tg/tile/register_tile.hpp>

namespace tg {

namespace detail {

/// Counts the steps of a segment. Behind the last one its sums are taken, and begin again from zero.
template <class Sum, class Length, class Take, int Step> class segment_counter {
 public:
  segment_counter(Sum& sum, const Length& length, const Take& take, source_location where)
      : sum_(sum), length_(length), take_(take), where_(where), left_(steps_from(step_number{tg::uniform(0).operand} * step)) {}

  template <class At> void operator()(const At& at, bool is_left) const {
    tg::assume(left_ != 0u, where_);
    left_ -= 1u;
    tg::if_(
        tg::assume_uniform(left_) == 0u,
        [&] {
          if (is_left) wait_for_products(0, where_);
          const auto here = at();
          take_(here);
          sum_ = typename Sum::element_type{};
          left_ = steps_from(here + step);
        },
        where_);
  }

 private:
  static constexpr constant<Step> step{};

  template <class At> auto steps_from(const At& at) const {
    if constexpr (operand_like<Length>) return to_value<unsigned>(length_);
    else return to_value<unsigned>(length_(at));
  }

  Sum& sum_;
  const Length& length_;
  const Take& take_;
  source_location where_;
  mutable tg::var<unsigned> left_;
};

}  // namespace detail

/// `sum += product(tiles...)` for each step, as `tg::add_products` does, in segments that follow each other: one of
/// `length(at)` steps begins with step `at`, and behind its last step `take(at)` is called with the sums of the segment, which
/// are zeros again for the next one: `tg::add_segments<4>(block, sum, tg::steps(tiles * steps, 1_c), what, product, steps,
/// [&](auto at) { ... = sum; })`, where a number stands for a function that always gives it. So a block that makes several
/// tiles of a result fetches the operands of the next tile while it stores one. `sum` holds zeros at the begin, and at the end
/// what was added behind the last whole segment. Requires: all threads of the block agree on `length(at)`, which is 1 at least
/// where a step follows. Errors: TG607 to TG610; at run time TG464 on the emulator for a segment of no steps. PTX: as
/// `tg::add_products`, with wgmma.wait_group 0 in front of `take`.
template <int Stages, class Shape, class Sum, class Steps, class What, class Product, class Length, class Take>
void add_segments(const block_handle<Shape>& block, Sum& sum, const Steps& steps, What&& what, Product&& product,
                  Length&& length, Take&& take, source_location where = source_location::current()) {
  const detail::adding_body<Sum, std::remove_reference_t<Product>> body{sum, product};
  const detail::segment_counter<Sum, std::remove_reference_t<Length>, std::remove_reference_t<Take>, Steps::step> counter(
      sum, length, take, where);
  detail::run_pipeline<Stages, detail::leaves::products>(block, steps, what, body, where, counter);
}

}  // namespace tg
