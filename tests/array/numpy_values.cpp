// Expressions against what numpy gave for the same numbers: tests/array/numpy_values.py.
#include <tg/array.hpp>
#include <tg/array/pad.hpp>

#include <cmath>
#include <fstream>
#include <map>
#include <set>
#include <string>

#include "arrays.hpp"

namespace {

std::vector<double> numbers(std::size_t n, double more = 0) {
  std::vector<double> out(n);
  for (std::size_t k = 0; k < n; ++k) out[k] = (static_cast<double>(k * 37 % 101) - 50) / 16 + more;
  return out;
}

/// Shapes and elements, row by row, by the names of the expressions.
std::map<std::string, arrays::host> read_numpy_values() {
  std::ifstream file("tests/array/numpy_values.txt");
  REQUIRE(file.is_open());
  std::map<std::string, arrays::host> out;
  std::string name;
  for (std::size_t rank = 0; file >> name >> rank;) {
    std::vector<std::int64_t> shape(rank);
    for (auto& n : shape) file >> n;
    arrays::host own(shape);
    for (double& x : own.numbers) file >> x;
    REQUIRE(file.good());
    out.emplace(name, own);
  }
  return out;
}

}  // namespace

TEST_CASE("expressions are numpy's") {
  const std::map<std::string, arrays::host> numpy_values = read_numpy_values();
  tg::device gpu;
  const tg::array<double, 2> x(gpu, {5, 7}, numbers(35)), column(gpu, {5, 1}, numbers(5, -2)), square(gpu, {6, 6}, numbers(36));
  const tg::array<double, 1> row(gpu, {7}, numbers(7, 1)), five(gpu, {5}, numbers(5));
  const tg::array<double, 4> cube(gpu, {2, 3, 5, 7}, numbers(210));
  const tg::array<double, 5> five_dimensions(gpu, {2, 1, 3, 5, 7}, numbers(210));
  const tg::array<double, 2> unlimited = tg::where(x > 2.0, double{INFINITY}, tg::where(x < -2.0, double{NAN}, x));
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
    const arrays::host& wanted = numpy_values.at(name);
    CAPTURE(name);
    CHECK(arrays::excess(arrays::host(arrays::shape_of(got.shape()), std::vector<double>(elements.begin(), elements.end())),
                         wanted, 1e-11) <= 1);
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
  check("abs", tg::abs(x));
  check("ceil", tg::ceil(x));
  check("floor", tg::floor(x));
  check("round", tg::round(x));
  check("trunc", tg::trunc(x));
  check("cos", tg::cos(x));
  check("sin", tg::sin(x));
  check("exp2", tg::exp2(x));
  check("log2", tg::log2(tg::abs(x) + 1.0));
  check("rcp", tg::rcp(tg::abs(x) + 1.0));
  check("rsqrt", tg::rsqrt(tg::abs(x) + 1.0));
  check("isfinite", tg::isfinite(unlimited));
  check("isnan", tg::isnan(unlimited));
  check("atan", tg::atan(x));
  check("cbrt", tg::cbrt(x));
  check("expm1", tg::expm1(x));
  check("log1p", tg::log1p(tg::abs(x)));
  check("atan2", tg::atan2(x, row));
  check("fmod", tg::fmod(x, 0.75));
  check("pow", tg::pow(tg::abs(x) + 0.5, row));
  check("clamp", tg::clamp(x, -1.0, 2.0));
  check("fma", tg::fma(x, row, column));
  check("relu", tg::relu(x));
  check("leaky_relu", tg::leaky_relu(x, 0.25));
  check("sigmoid", tg::sigmoid(x));
  check("silu", tg::silu(x));
  check("softplus", tg::softplus(x));
  check("negative", -x);
  check("quotient", x / (row + 4.0));
  check("remainder", whole % 4);
  const auto bit = [](const auto& holds, int n) { return tg::where(holds, n, 0); };
  check("comparisons", bit(x < row, 1) + bit(x <= row, 2) + bit(x == row, 4) + bit(x != row, 8));
  check("both_or_either", bit(x > 0.0 && row > 0.0, 1) + bit(x > 0.0 || row > 0.0, 2));
  check("cumsum_0", tg::cumsum<0>(x));
  check("cumsum_1", tg::cumsum<1>(x));
  check("cumprod_1", tg::cumprod<1>(x / 2.0));
  check("cummax_1", tg::cummax<1>(x));
  check("cummin_0", tg::cummin<0>(x));
  check("log_softmax_1", tg::log_softmax<1>(x));
  check("sum_five", tg::sum<1, 4>(five_dimensions));
  check("five_dimensions", five_dimensions * cube(0, tg::full_extent, tg::full_extent, tg::full_extent) - column);
  check("padded", tg::pad(x, {1, 2}, {0, 1}, 7.0));
  check("mixed_types", tg::where(whole > 0, tg::cast<float>(x), tg::cast<float>(whole)) * 2.0f);
  CHECK(checked.size() == numpy_values.size());
}
