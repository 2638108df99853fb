// Every kernel here, for tests that ask something of all of them.
#pragma once

#include <cstdint>

#include <kernels/blur.hpp>
#include <kernels/blur_sobel.hpp>
#include <kernels/reduction.hpp>
#include <kernels/saxpy.hpp>
#include <kernels/sobel.hpp>
#include <kernels/softmax.hpp>
#include <kernels/transpose.hpp>

namespace shipped {

/// Calls `ask(kernel)` for each. tests/kernels/ptx_text.cpp says when one is missing.
template <class Ask>
void each(Ask ask) {
  using namespace tg::kernels;
  const auto all = [&](const auto&... kernel) { (ask(kernel), ...); };
  all(blur_horizontal<2>, blur_vertical<2>, blur_sobel<2, float>, blur_sobel<1, std::uint8_t>, saxpy, saxpy4,
      sobel<float>, sobel<std::uint8_t>, softmax, softmax_online, sum, sum_first_add, sum_interleaved, sum_sequential,
      sum_shuffled, transpose_naive, transpose_padded, transpose_swizzled, transpose_tiled);
}

}  // namespace shipped
