#include <kernels/softmax.hpp>

#include "softmaxes.hpp"

using tg::kernels::softmax;
using tg::kernels::softmax_kept;

TEST_CASE("softmax") { softmaxes::check(softmax, -5, 5); }

TEST_CASE("softmax of rows that registers hold as a whole, and of longer ones") {
  constexpr unsigned widths[] = {4095, 4097, softmax_kept - 1, softmax_kept, softmax_kept + 1, softmax_kept + 513, 40009};
  softmaxes::check(softmax, -5, 5, widths);
}

TEST_CASE("softmax of large numbers does not overflow") {
  softmaxes::check(softmax, 300, 330);
  softmaxes::check(softmax, -500, -480);
}

TEST_CASE("softmax: an element of minus infinity has no share") { softmaxes::check_minus_infinity(softmax); }

TEST_CASE("softmax costs what the compiler says") { softmaxes::check_counts(softmax, softmax_kept + 2048); }
