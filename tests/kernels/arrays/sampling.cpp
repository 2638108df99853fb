#include <kernels/arrays/sampling.hpp>

#include <limits>

#include <kernels/reference/sampling.hpp>
#include <kernels/reference/top_p.hpp>

#include "../inputs.hpp"
#include "refusals.hpp"

namespace {

using refusals::code_of_error;
namespace reference = tg::kernels::reference;

/// Rows whose token is none that the drawn number allows, if sums of weights are off by 1e-4 of the sum.
std::size_t wrong_tokens(const std::vector<int>& tokens, const std::vector<float>& logits, unsigned columns,
                         const tg::sampling_options& o) {
  std::size_t out = 0;
  for (unsigned r = 0; r < tokens.size(); ++r) {
    const float* row = logits.data() + std::size_t{r} * columns;
    const auto token = static_cast<unsigned>(tokens[r]);
    const double u = reference::drawn(r, o.step, o.seed);
    const bool may_be =
        o.k == 0 ? reference::nucleus(row, columns, o.p, o.temperature).may_draw(token, u, 1e-4)
                 : reference::choices(row, columns, static_cast<unsigned>(o.k), o.p, o.temperature).may_draw(token, u, 1e-4);
    if (!may_be) ++out;
  }
  return out;
}

}  // namespace

TEST_CASE("tokens are those that seed, step and row draw, with k and without") {
  tg::device gpu;
  inputs::generator random;
  for (const unsigned columns : {1u, 63u, 257u, 1009u}) {
    INFO("seed ", random.seed, ", columns ", columns);
    const auto host = random.floats(6 * columns, -4, 4);
    const tg::array<float, 3> logits(gpu, {3, 2, columns}, host);
    for (const tg::sampling_options& options :
         {tg::sampling_options{.k = 1}, tg::sampling_options{.k = 40, .p = 0.9f, .temperature = 0.7f, .seed = 5, .step = 3},
          tg::sampling_options{.p = 0.8f, .seed = static_cast<unsigned>(random.engine()), .step = 7},
          tg::sampling_options{.k = 64, .temperature = 2}}) {
      const auto tokens = tg::sample(logits, options);
      CHECK(tokens.shape() == tg::array_shape<2>(3, 2));
      CHECK(wrong_tokens(tokens.to_host(), host, columns, options) == 0);
    }
  }
}

TEST_CASE("one row gives one token, and other steps draw others") {
  tg::device gpu;
  const tg::array<tg::f16, 1> logits(gpu, std::vector<tg::f16>(500, tg::f16(1.0f)));
  const int first = tg::sample(logits, {.step = 0}).item();
  bool is_other = false;
  for (unsigned step = 1; step < 5; ++step) is_other = is_other || tg::sample(logits, {.step = step}).item() != first;
  CHECK(is_other);
  CHECK(tg::sample(logits, {.step = 0}).item() == first);
}

TEST_CASE("options out of their ranges and rows without elements are refused") {
  tg::device gpu;
  const tg::array<float, 2> x(gpu, {2, 8}, std::vector<float>(16)), empty(gpu, {2, 0}), none(gpu, {0, 8});
  CHECK(code_of_error([&] { tg::sample(x, {.k = 65}); }) == 705);
  CHECK(code_of_error([&] { tg::sample(x, {.k = -1}); }) == 705);
  CHECK(code_of_error([&] { tg::sample(x, {.p = 1.5f}); }) == 705);
  CHECK(code_of_error([&] { tg::sample(x, {.temperature = 0}); }) == 705);
  const float infinity = std::numeric_limits<float>::infinity();
  CHECK(code_of_error([&] { tg::sample(x, {.temperature = infinity}); }) == 705);
  CHECK(code_of_error([&] { tg::sample(x, {.k = 3, .temperature = infinity}); }) == 705);
  CHECK(code_of_error([&] { tg::sample(empty); }) == 705);
  CHECK(tg::sample(none).size() == 0);
}
