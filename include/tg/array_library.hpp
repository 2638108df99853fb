// The functions that <tg/array.hpp> and the headers in tg/array declare. A program that includes those has this header in one
// source file, beside <tg/library.hpp> or <tg/gpu_library.hpp>.
#pragma once

#include <tg/array/array_view.inl>
#include <tg/array/dropout.inl>
#include <tg/array/element.inl>
#include <tg/array/expression.inl>
#include <tg/array/kernel.inl>
#include <tg/array/kernel_of.inl>
#include <tg/array/losses.inl>
#include <tg/array/node.inl>
#include <tg/array/npy.inl>
#include <tg/array/optimizers.inl>
#include <tg/array/overlap.inl>
#include <tg/array/plan.inl>
#include <tg/array/print.inl>
#include <tg/array/product_site.inl>
#include <tg/array/shape.inl>
#include <tg/array/split_memory.inl>
