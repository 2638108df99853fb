// Arrays on a device. An assignment of an expression of arrays is one kernel.
//
// tg::array<float, 2> x(gpu, {rows, columns}, numbers), y(gpu, {rows, columns});
// y = tg::softmax<1>(x * 0.5f);
#pragma once

// Before all others, so that compiler output about a diagnosis does not begin with a tower of headers.
#include <tg/array/diagnosis.hpp>

#include <tg/array/array.hpp>
#include <tg/array/assign.hpp>
#include <tg/array/axes.hpp>
#include <tg/array/axis_argument.hpp>
#include <tg/array/kernel_of.hpp>
#include <tg/array/mean.hpp>
#include <tg/array/print.hpp>
#include <tg/array/random.hpp>
#include <tg/array/reduce.hpp>
#include <tg/array/refused.hpp>
#include <tg/array/scan.hpp>
#include <tg/array/softmax.hpp>
#include <tg/array/take.hpp>
#include <tg/tree/activation.hpp>
#include <tg/tree/functions.hpp>
#include <tg/tree/operators.hpp>
#include <tg/tree/special.hpp>
