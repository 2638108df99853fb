// What the floor of arrays can say is wrong: TG700 to TG799.
#pragma once

#include <array>

#include <tg/base/code_info.hpp>

namespace tg {

namespace detail {

inline constexpr code shapes_differ{700}, memory_shared{701}, devices_differ{702}, slice_outside{703}, memory_missing{704},
    shape_impossible{705}, reduction_impossible{706}, number_too_large{707}, foreign_array{708};

}  // namespace detail

/// Misuse of arrays: 700 to 709 when an expression is evaluated, 710 and more by the C++ compiler.
inline constexpr auto array_codes = std::to_array<code_info>({
    {700, "the shapes of arrays in an expression do not fit", "rows of 5 elements beside rows of 7, a result of another shape",
     "extents are equal from the last one on, or 1; look at the two shapes that the message names"},
    {701, "an expression reads elements that its result overwrites", "x(1:) = x(:-1)",
     "write x_new = tg::eval(expression), or assign to another array"},
    {702, "arrays of two devices in one expression", "one was made on another tg::device",
     "copy it: tg::array(gpu, x.shape(), "
     "x.to_host())"},
    {703, "a slice or an index is outside of its array", "x(10) of 10 elements, tg::range(2, 12)",
     "check the index; the message names the extent"},
    {704, "an array without memory is read", "a default-constructed array that was never assigned, or one that was moved from",
     "make it with a device and a shape"},
    {705, "a shape is refused, or a number beside it",
     "an extent below 0, more elements than any memory has, reshape to another number of elements, a negative scale of attention",
     "check the extents; a strided view is made dense by tg::eval"},
    {706, "a reduction cannot be computed",
     "the largest of no elements, two reductions of rows of different lengths, products of different left operands",
     "guard the empty case; name one reduction with tg::eval"},
    {707, "numbers along an axis do not fit 32 bits", "tg::index_of along an axis of 2^31 elements or more", "cut the array"},
    {708, "an array of another library does not fit",
     "a tensor of other elements, another rank or another device; a file of doubles",
     "the message says what it holds; convert it on the other side, or copy it: tg::array(gpu, shape, elements)"},
    {710, "an expression has more dimensions than what it is assigned to", "y = x * w, y of rank 1, x of rank 2",
     "reduce the expression, or assign to an array of its rank"},
    {711, "a function of elements has captures", "tg::map([s](auto a) { return a * s; }, x)",
     "pass the number as one more operand: tg::map([](auto a, auto s) { return a * s; }, x, s)"},
    {712, "reductions along different axes in one expression", "tg::sum<0>(tg::max<1>(x))",
     "name the inner one: auto m = tg::eval(tg::max<1>(x)); or reduce along both at once: tg::sum<0, 1>(x)"},
    {713, "an axis is none of the array", "tg::sum<2>(x) of rank 2, an axis named twice, tg::sum(x, 1)",
     "axes are 0 to rank - 1, each once: tg::sum<1>(x)"},
    {714, "an array has another number of indices than dimensions", "x(3) of a matrix, a shape {2, 3} for rank 1",
     "write tg::full_extent where all is meant, an extent for each dimension"},
    {715, "an expression is too large for one kernel", "more than 64 arrays, 96 numbers, 32 reductions or 8 results",
     "name a part of it with tg::eval"},
    {716, "elements that arrays do not have", "tg::array<long double, 1>, an array of structs",
     "use a number of the language: integers, float, double, bool, f16, bf16, f8e4m3, f8e5m2"},
    {717, "an array is a condition or a number of C++", "if (x > 0.0f), x > 0.0f ? a : b, float s = tg::sum(x)",
     "write tg::eval(tg::any(x > 0.0f)).item(), tg::eval(tg::sum(x)).item(), or tg::where(c, a, b)"},
    {718, "a product of matrices beside another reduction", "tg::sum<1>(tg::matmul(x, w)), tg::matmul(tg::softmax<1>(x), w)",
     "name one of them: auto h = tg::eval(tg::matmul(x, w))"},
    {719, "tg::matmul of elements or shapes that it does not multiply", "matrices of double, of bf16 and float, a number",
     "convert one with tg::cast<tg::bf16>(x); tg::sum<1>(a * x) multiplies elements of any type"},
    {720, "a reduction in what goes to computed indices", "tg::add_at(y, i, tg::sum<1>(x))",
     "name it: auto s = tg::eval(tg::sum<1>(x)); tg::add_at(y, i, s)"},
    {721, "a scan inside a reduction", "tg::max<1>(tg::cumsum<1>(x)), tg::cumsum<1>(tg::cumsum<1>(x))",
     "name it: auto s = tg::eval(tg::cumsum<1>(x))"},
    {722, "a function of the kernel library gets arrays that its kernel does not take",
     "tg::sort of a matrix, tg::attention of floats, a mask of numbers",
     "the message says which dimensions and elements; convert with tg::cast<float>(x)"},
    {723, "an expression where an array or a view is needed", "tg::take(x + 1.0f, i), tg::uniform(x * 2.0f, seed)",
     "name it: auto h = tg::eval(x + 1.0f)"},
    {724, "beside an array stands what is no array and no number", "x + \"a\", x * std::complex<float>(1, 2), x * nullptr",
     "use arrays and numbers of C++; complex numbers are arrays whose last axis has extent 2"},
    {725, "a function of elements gets too many operands or too few",
     "tg::map([](auto a, auto b) { return a * b; }, x), tg::clamp(x, 0.0f)",
     "give one operand for each parameter: tg::clamp(x, low, high)"},
});

}  // namespace tg
