#include <tg/array/parameters.hpp>

#include "arrays.hpp"

using tg::detail::array_parameter;

namespace {

std::vector<array_parameter> order_of(const tg::array_view<float, 2>& y, const tg::detail::assigned_expression<float, 2>& own) {
  tg::detail::result_list results;
  results.places[0] = y.node().place();
  results.count = 1;
  const auto plan = tg::detail::make_plan(*own.facts, results, own.operands, {});
  std::vector<array_parameter> order;
  tg::detail::for_each_parameter(*own.facts, plan,
                                 [&](array_parameter what, int, int, std::uint64_t) { order.push_back(what); });
  return order;
}

}  // namespace

TEST_CASE("parameters come in one order: arrays, results, numbers, extents; those that lie alike share their strides") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {300, 1024});
  const tg::array<float, 1> w(gpu, {1024});
  tg::array<float, 2> y(gpu, {300, 1024}), wide(gpu, {300, 2048});
  const auto expression = x * w + 2.0f;
  const tg::detail::assigned_expression<float, 2> own(expression);
  using enum array_parameter;
  CHECK(order_of(y.view(), own) == std::vector{base, row_stride, base, base, scalar, lanes, rows});
  CHECK(order_of(wide(tg::range(300), tg::range(1024)), own) ==
        std::vector{base, row_stride, base, base, row_stride, scalar, lanes, rows});
}
