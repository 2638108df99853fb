#include <kernels/softmax_online.hpp>

#include "softmaxes.hpp"

using tg::kernels::softmax_online;

TEST_CASE("softmax in two passes") { softmaxes::check(softmax_online, -5, 5); }

TEST_CASE("softmax in two passes of large numbers does not overflow") {
  softmaxes::check(softmax_online, 300, 330);
  softmaxes::check(softmax_online, -500, -480);
}

TEST_CASE("softmax in two passes: an element of minus infinity has no share") {
  softmaxes::check_minus_infinity(softmax_online);
}

TEST_CASE("softmax in two passes costs what the compiler says") { softmaxes::check_counts(softmax_online); }
