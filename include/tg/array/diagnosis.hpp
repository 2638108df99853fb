// What the C++ compiler says of arrays that are misused: one class template per finding.
#pragma once

#include <tg/dsl/verdict/diagnosis.hpp>

namespace tg::diagnosis {

/// In a compile error: dimensions of the expression.
template <int Rank> struct rank_of_expression {};
/// In a compile error: dimensions of the array.
template <int Rank> struct rank_of_array {};

template <bool Ok, class Facts = void> struct array_rank {
  static_assert(Ok, "TG710: the expression has more dimensions than the array that it is assigned to");
  static constexpr bool ok = Ok;
};
template <bool Ok, class F = void> struct pure_function {
  static_assert(Ok, "TG711: a function of elements captures nothing, because a kernel is kept for each type; pass what it "
                    "captures as an operand: tg::map([](auto a, auto s) { return a * s; }, x, s)");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Facts = void> struct reduced_axes {
  static_assert(Ok, "TG712: reductions along different axes are not one kernel: name the inner one, with "
                    "auto m = tg::eval(tg::max<1>(x)), or reduce along all axes at once");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Facts = void> struct array_axis {
  static_assert(Ok, "TG713: axes are 0 to rank - 1, each named once, and at least one");
  static constexpr bool ok = Ok;
};
template <bool Ok> struct axis_as_argument {
  static_assert(Ok, "TG713: axes are template arguments, because each makes a kernel of its own: tg::sum<1>(x)");
};
template <bool Ok, class Facts = void> struct array_indices {
  static_assert(Ok, "TG714: an array takes one index for each dimension: a number, tg::range(a, b) or tg::full_extent");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Facts = void> struct expression_size {
  static_assert(Ok, "TG715: an expression has at most 64 arrays, 96 numbers, 32 reductions and 8 results: name a part of it "
                    "with tg::eval");
  static constexpr bool ok = Ok;
};
template <bool Ok, class T = void> struct array_element {
  static_assert(Ok, "TG716: arrays hold integers, float, double, bool, f16, bf16, f8e4m3 or f8e5m2");
  static constexpr bool ok = Ok;
};

template <bool Ok, class Element = void> struct range_of_elements {
  static_assert(Ok,
                "TG138: the elements of this range are no elements of the array: give one flat range, row by row, beside the "
                "array's shape");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Range = void> struct assigned_range {
  static_assert(
      Ok, "TG138: elements of the host are copied by name: x.copy_from(v); or make an array of them: x = tg::array(gpu, v)");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Operands = void> struct array_operands {
  static_assert(Ok, "TG138: elements of the host are no operand: make an array of them, with tg::array(gpu, v)");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Range = void> struct assigned_list {
  static_assert(Ok,
                "TG138: elements of the host are copied by name: x.copy_from(std::vector<float>{1, 2}); one number fills an "
                "array without braces: x = 1.0f");
};
template <bool Ok, class Array = void> struct iterated_array {
  static_assert(Ok, "TG138: the elements of an array are on its device: for (float v : x.to_host())");
};
template <bool Ok, class Array = void> struct written_array {
  static_assert(Ok,
                "TG105: a const array, a view of one, or a broadcast view is read only; declare it without const, or write to "
                "an array of its own");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Operands = void> struct array_operand_type {
  static_assert(Ok, "TG724: beside an array stand arrays and numbers of C++, nothing else; complex numbers are arrays whose "
                    "last axis has extent 2");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Facts = void> struct operand_count {
  static_assert(Ok, "TG725: a function of elements takes one operand for each of its parameters: tg::clamp(x, low, high), "
                    "tg::map([](auto a, auto b) { return a * b; }, x, w)");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Facts = void> struct shape_without_device {
  static_assert(Ok, "TG714: an array is made with its device and a shape in braces: tg::array<float, 2> x(gpu, {4, 4})");
};
template <bool Ok, class Facts = void> struct listed_shape {
  static_assert(Ok, "TG714: one list in braces is a shape, a whole number for each dimension; elements come behind it: "
                    "tg::array<float, 1> x(gpu, {3}, {1, 2, 3}); "
                    "extents in a vector are named: {v[0], v[1]}");
  static constexpr bool ok = Ok;
};
template <bool Ok, class X = void> struct host_array {
  static_assert(Ok, "TG717: what arrays hold is not known while C++ runs: write tg::eval(tg::any(x > 0.0f)).item(), "
                    "tg::where(c, a, b) in place of c ? a : b");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Number = void> struct host_number_of_array {
  static_assert(Ok, "TG717: what arrays hold is not known while C++ runs: compute a number and fetch it, "
                    "float s = tg::eval(tg::sum(x)).item()");
};

template <bool Ok, class Facts = void> struct product_alone {
  static_assert(Ok, "TG718: tg::matmul stands in an expression without other products and reductions: name one of them, with "
                    "auto h = tg::eval(tg::matmul(x, w))");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Facts = void> struct scattered_reduction {
  static_assert(Ok, "TG720: what goes to computed indices holds no reductions and no products of matrices: name them, with "
                    "auto s = tg::eval(tg::sum<1>(x))");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Facts = void> struct nested_scan {
  static_assert(
      Ok, "TG721: a scan is no operand of a reduction or of another scan: name it, with auto s = tg::eval(tg::cumsum<1>(x))");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Given = void> struct array_in_memory {
  static_assert(Ok, "TG723: this word takes an array or a view, whose elements are in memory; an expression has none: name it "
                    "with tg::eval");
  static constexpr bool ok = Ok;
};
template <bool Ok, class Operands = void> struct dot_of_arrays {
  static_assert(Ok, "TG719: tg::dot multiplies tiles; of arrays, tg::matmul(x, w) multiplies matrices and vectors, and "
                    "tg::sum<1>(x * y) the rows of two matrices");
};
template <bool Ok, class Operands = void> struct product_operands {
  static_assert(Ok,
                "TG719: tg::matmul multiplies matrices of the same elements, bf16, f16, float, f8e4m3, f8e5m2 or signed char: "
                "convert one with tg::cast<tg::bf16>(x)");
  static constexpr bool ok = Ok;
};

}  // namespace tg::diagnosis
