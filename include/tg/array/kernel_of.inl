// The kernel of an expression as a value, and what its parameters promise.
#pragma once

#include <tg/array/kernel_of.hpp>

#include <algorithm>
#include <utility>

#include <tg/array/parameters.hpp>
#include <tg/base/config.hpp>

namespace tg {

namespace detail {

/// The addresses between an array's first and last element, and how many of those bytes its elements have.
struct touched_span {
  touched_span(const array_place& p, element_code code)
      : begin(static_cast<std::int64_t>(p.address)), end(begin + bytes_of(code)), bytes(bytes_of(code)) {
    for (int k = 0; k < p.rank; ++k) {
      const std::int64_t reach = (p.extents[k] - 1) * p.strides[k] * bytes_of(code);
      (reach < 0 ? begin : end) += reach;
      if (p.strides[k] != 0) bytes *= p.extents[k];
    }
  }

  std::int64_t begin, end, bytes;
};

/// Bytes of all elements, those of several arrays once: where spans overlap, no more than they cover.
inline std::int64_t bytes_of_all(dynamic_array<touched_span> spans) {
  std::int64_t sum = 0;
  std::sort(spans.begin(), spans.end(), [](const touched_span& a, const touched_span& b) { return a.begin < b.begin; });
  for (std::size_t first = 0, next = 0; first < spans.size(); first = next) {
    touched_span all = spans[first];
    for (next = first + 1; next < spans.size() && spans[next].begin < all.end; ++next)
      all.end = std::max(all.end, spans[next].end), all.bytes += spans[next].bytes;
    sum += all.bytes == 0 ? 0 : std::min(all.bytes, all.end - all.begin);
  }
  return sum;
}

}  // namespace detail

TG_LIBRARY_FUNCTION expression_kernel expression_kernel::make(const detail::expression_facts& facts,
                                                              const detail::result_list& results,
                                                              const detail::operand_list& operands, source_location where) {
  const auto own = std::make_shared<state>();
  own->plan = detail::make_plan(facts, results, operands, where);
  own->kernel = {&facts, &own->plan, where};
  dynamic_array<detail::touched_span> read, written;
  for (std::size_t l = 0; l < static_cast<std::size_t>(facts.leaf_count); ++l)
    if (facts.leaves[l].use != detail::leaf_use::shape && own->plan.own.leaves[l].same_as == l)
      read.emplace_back(operands.leaves[l], facts.leaves[l].element);
  for (std::size_t r = 0; r < static_cast<std::size_t>(facts.result_count); ++r)
    written.emplace_back(results.places[r], facts.results[r].element);
  own->floor_bytes = detail::bytes_of_all(std::move(read)) + detail::bytes_of_all(std::move(written));
  return expression_kernel(own);
}

TG_LIBRARY_FUNCTION dynamic_array<proof::parameter_fact> expression_kernel::parameter_facts() const {
  using kind = proof::parameter_fact::kind;
  dynamic_array<proof::parameter_fact> out;
  const detail::expression_facts& f = *own_->kernel.facts;
  const auto bytes_of_operand = [&](int o) {
    const auto k = static_cast<std::size_t>(o);
    return bytes_of(o < f.leaf_count ? f.leaves[k].element : f.results[k - static_cast<std::size_t>(f.leaf_count)].element);
  };
  // Rows of a product's arrays are what its loop goes along.
  const bool is_product = own_->plan.own.schedule == detail::array_schedule::product;
  detail::for_each_parameter(f, own_->plan, [&](detail::array_parameter what, int o, int, std::uint64_t) {
    using enum detail::array_parameter;
    const bool is_row_stride = what == row_stride || (is_product && what == loop_stride);
    const bool is_base = what == base, is_stride = what == row_stride || what == lane_stride || what == loop_stride;
    // Memory of split rows and columns: words of 64 bits, and tickets of 32.
    const bool is_memory = what == parts || what == tickets;
    const std::int64_t bytes = is_memory ? (what == parts ? 8 : 4) : is_base || is_stride ? bytes_of_operand(o) : 1;
    out.push_back({.what = is_base || is_memory ? kind::buffer
                           : is_row_stride      ? kind::row_stride
                                                : kind::scalar,
                   .multiple_of = is_stride ? bytes : 1,
                   .element_bytes = bytes,
                   .argument = is_base || is_stride ? o : f.leaf_count + f.result_count + o});
  });
  return out;
}

}  // namespace tg
