// Expressions against what numpy gave for the same numbers: tests/array/numpy_values.py.
#include <tg/array.hpp>

#include <set>

#include "arrays.hpp"
#include "numpy_values.hpp"

namespace {

std::vector<double> numbers(std::size_t n, double more = 0) {
  std::vector<double> out(n);
  for (std::size_t k = 0; k < n; ++k) out[k] = (static_cast<double>(k * 37 % 101) - 50) / 16 + more;
  return out;
}

}  // namespace

TEST_CASE("expressions are numpy's") {
  tg::device gpu;
  const tg::array<double, 2> x(gpu, {5, 7}, numbers(35)), column(gpu, {5, 1}, numbers(5, -2)), square(gpu, {6, 6}, numbers(36));
  const tg::array<double, 1> row(gpu, {7}, numbers(7, 1)), five(gpu, {5}, numbers(5));
  const tg::array<double, 4> cube(gpu, {2, 3, 5, 7}, numbers(210));
  const tg::array<double, 2> factor(gpu, {7, 4}, numbers(28));
  std::vector<int> own(35);
  for (int k = 0; k < 35; ++k) own[static_cast<std::size_t>(k)] = k * 13 % 19 - 9;
  const tg::array<int, 2> whole(gpu, {5, 7}, own);
  const tg::array<int, 1> four(gpu, std::vector<int>{3, 0, 6, 3}), three(gpu, std::vector<int>{4, 0, 4}),
      two(gpu, std::vector<int>{6, 1});

  std::set<std::string> checked;
  const auto check = [&](const std::string& name, const auto& expression) {
    const auto got = tg::eval(expression);
    const auto elements = got.template to<std::vector>();
    const arrays::numpy_value& wanted = arrays::numpy_values.at(name);
    CAPTURE(name);
    CHECK(arrays::excess(arrays::host(arrays::shape_of(got.shape()), std::vector<double>(elements.begin(), elements.end())),
                         arrays::host(wanted.shape, wanted.elements), 1e-11) <= 1);
    checked.insert(name);
  };
  check("broadcast", x * row + column);
  check("four_dimensions", cube * x - row);
  check("where", tg::where(x > column, x, row));
  check("integers", (whole * 3) ^ (whole & 5));
  check("shift", ((whole + 9) << 2) | tg::where(whole % 2 != 0, 1, 0));  // the remainder of C++ has the sign of its dividend
  check("tanh", tg::tanh(x));
  check("exp", tg::exp(x));
  check("log", tg::log(tg::abs(x) + 1.0));
  check("sqrt", tg::sqrt(tg::abs(x)));
  check("fmin_fmax", tg::max(tg::min(x, 1.0), row));
  check("sum_0", tg::sum<0>(x));
  check("sum_1", tg::sum<1>(x));
  check("sum_all", tg::sum(x));
  check("sum_0_2", tg::sum<0, 2>(cube));
  check("sum_1_3_keep", tg::sum<1, 3>(cube, tg::keep));
  check("prod_1", tg::product<1>(x / 2.0));
  check("max_2", tg::max<2>(cube));
  check("min_all", tg::min(cube));
  check("argmax_1", tg::argmax<1>(x));
  check("argmin_0", tg::argmin<0>(x));
  check("argmax_all", tg::argmax(whole));
  check("any_1", tg::any<1>(x > 3.0));
  check("all_0", tg::all<0>(x > -3.0));
  check("mean_1", tg::mean<1>(x));
  check("var_0", tg::variance<0>(x));
  check("norm_1", tg::norm<1>(x));
  check("softmax_1", tg::softmax<1>(x));
  check("softmax_0", tg::softmax<0>(x) * row);
  check("logsumexp_1", tg::logsumexp<1>(x));
  check("normed", (x - tg::mean<1>(x, tg::keep)) / tg::sqrt(tg::variance<1>(x, tg::keep) + 1e-5) * row);
  check("beside_as_numpy", square + tg::sum<1>(square));
  check("transposed", tg::transpose(x) * 2.0);
  check("permuted", tg::permute<2, 0, 3, 1>(cube) + 1.0);
  check("sliced", x(tg::range(1, 4), tg::range(0, 7, 2)) * 3.0);
  check("column_of", x(tg::full_extent, 3) - 1.0);
  check("outer", tg::expand<1>(five) * row);
  check("take", tg::take(row, four));
  check("take_rows", tg::take(x, three));
  check("take_columns", tg::take<1>(x, two));
  check("take_along_1", tg::take_along<1>(x, tg::eval(tg::argmax<1>(x, tg::keep))));
  check("reversed_shape", tg::sum<0>(cube.reshape(tg::array_shape{6, 35})));
  check("matrix_product", tg::sum<1>(tg::expand<2>(x) * factor));
  CHECK(checked.size() == arrays::numpy_values.size());
}
