#include <kernels/sampling.hpp>

#include <kernels/reference/sampling.hpp>

#include <map>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

struct options {
  unsigned k = 64;
  float p = 1, temperature = 1;
};

std::vector<unsigned> sampled(const std::vector<float>& logits, unsigned rows, options how, unsigned seed, unsigned step) {
  tg::device gpu;
  const auto columns = static_cast<unsigned>(logits.size() / rows);
  inputs::rows<float> on_logits(gpu, logits, rows, columns, columns + 1);
  auto tokens = gpu.upload(std::vector<unsigned>(rows, inputs::poison<unsigned>()));
  gpu.launch(sample_tokens, tg::grid(rows), on_logits.matrix(), tokens, columns, how.k, how.p, how.temperature, seed, step);
  return tokens.to_host();
}

}  // namespace

TEST_CASE("tokens are those that the numbers drawn stand for") {
  inputs::generator random;
  for (const unsigned columns : {1u, 2u, 33u, 64u, 65u, 1000u})
    for (const options how : {options{}, {1}, {5, 0.9f}, {64, 0.5f, 0.7f}, {40, 0.95f, 2.0f}, {64, 0.0f}}) {
      const unsigned rows = 7, seed = random.engine(), step = random.engine();
      INFO("seed ", random.seed, ", columns ", columns, ", k ", how.k, ", p ", how.p);
      const auto logits = random.floats(std::size_t{rows} * columns, -3, 3);
      const auto tokens = sampled(logits, rows, how, seed, step);
      for (unsigned r = 0; r < rows; ++r) {
        const double u = reference::drawn(r, step, seed);
        bool is_right = false;
        for (const double p : {how.p - 1e-5, how.p + 0.0, how.p + 1e-5})
          is_right = is_right ||
                     reference::choices(&logits[r * columns], columns, how.k, p, how.temperature).may_draw(tokens[r], u, 1e-5);
        CHECK(is_right);
      }
    }
}

TEST_CASE("tokens are drawn as often as they are likely") {
  inputs::generator random;
  const unsigned draws = 4000, columns = 8;
  const std::vector<float> row{0, 1, 2, -1, 1.5f, 0.5f, -2, 2};
  std::vector<float> logits;
  for (unsigned r = 0; r < draws; ++r) logits.insert(logits.end(), row.begin(), row.end());
  std::map<unsigned, double> found;
  for (const unsigned token : sampled(logits, draws, {6, 0.9f}, random.seed, 0)) found[token] += 1.0 / draws;
  const reference::choices wanted(row.data(), columns, 6, 0.9, 1);
  INFO("seed ", random.seed);
  CHECK(found.size() == wanted.column.size());
  for (std::size_t i = 0; i < wanted.column.size(); ++i) {
    const double share = wanted.up_to[i] - (i == 0 ? 0 : wanted.up_to[i - 1]);
    // Six standard deviations.
    CHECK(std::abs(found[wanted.column[i]] - share) <= 6 * std::sqrt(share * (1 - share) / draws));
  }
}

TEST_CASE("the largest is taken with k = 1, and minus infinity never") {
  const float masked = -std::numeric_limits<float>::infinity();
  std::vector<float> logits(100, masked);
  logits[41] = 5;
  logits[7] = 6;
  CHECK(sampled(logits, 1, {1}, 1, 2).front() == 7);
  for (unsigned step = 0; step < 50; ++step) {
    const unsigned token = sampled(logits, 1, {}, 3, step).front();
    CHECK((token == 41 || token == 7));
  }
}
