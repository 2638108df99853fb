#include <kernels/top_p.hpp>

#include <kernels/reference/top_p.hpp>

#include <cmath>
#include <limits>
#include <map>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

std::vector<unsigned> sampled(const std::vector<float>& logits, unsigned rows, float p, float temperature, unsigned seed,
                              unsigned step) {
  tg::device gpu;
  const auto columns = static_cast<unsigned>(logits.size() / rows);
  inputs::rows<float> on_logits(gpu, logits, rows, columns, columns + 1);
  auto tokens = gpu.upload(std::vector<unsigned>(rows, inputs::poison<unsigned>()));
  gpu.launch(sample_top_p, tg::grid(rows), on_logits.matrix(), tokens, columns, p, temperature, seed, step);
  return tokens.to_host();
}

}  // namespace

TEST_CASE("tokens are those that the numbers drawn stand for") {
  inputs::generator random;
  for (const unsigned columns : {1u, 2u, 31u, 255u, 256u, 257u, 509u, 3001u})
    for (const float p : {1.0f, 0.9f, 0.5f, 0.0f}) {
      const unsigned rows = 5, seed = random.engine(), step = random.engine();
      const float temperature = random.engine() % 2 == 0 ? 1.0f : 0.6f;
      INFO("seed ", random.seed, ", columns ", columns, ", p ", p);
      auto logits = random.floats(std::size_t{rows} * columns, -3, 3);
      for (std::size_t i = 1; i < logits.size(); ++i)
        if (random.engine() % 4 == 0) logits[i] = logits[i - 1];
      const auto tokens = sampled(logits, rows, p, temperature, seed, step);
      for (unsigned r = 0; r < rows; ++r) {
        const double u = reference::drawn(r, step, seed);
        bool is_right = false;
        for (const double share : {p - 1e-5, p + 0.0, p + 1e-5})
          is_right =
              is_right || reference::nucleus(&logits[r * columns], columns, share, temperature).may_draw(tokens[r], u, 1e-5);
        CHECK(is_right);
      }
    }
}

TEST_CASE("tokens are drawn as often as they are likely") {
  inputs::generator random;
  const unsigned draws = 3000, columns = 8;
  const std::vector<float> row{0, 1, 2, -1, 1.5f, 0.5f, -2, 2};
  std::vector<float> logits;
  for (unsigned r = 0; r < draws; ++r) logits.insert(logits.end(), row.begin(), row.end());
  std::map<unsigned, double> found;
  for (const unsigned token : sampled(logits, draws, 0.9f, 1, random.seed, 0)) found[token] += 1.0 / draws;
  const reference::nucleus wanted(row.data(), columns, 0.9, 1);
  INFO("seed ", random.seed);
  CHECK(found.size() == wanted.column.size());
  for (std::size_t i = 0; i < wanted.column.size(); ++i) {
    const double share = wanted.up_to[i] - (i == 0 ? 0 : wanted.up_to[i - 1]);
    // Six standard deviations.
    CHECK(std::abs(found[wanted.column[i]] - share) <= 6 * std::sqrt(share * (1 - share) / draws));
  }
}

TEST_CASE("of equal logits the lower columns are kept, and minus infinity never is") {
  // A hundred equal logits: a share of 0.25 are 25 of them.
  const std::vector<float> equal(100, 1.5f);
  for (unsigned step = 0; step < 40; ++step) CHECK(sampled(equal, 1, 0.245f, 1, 9, step).front() < 25);
  std::vector<float> logits(700, -std::numeric_limits<float>::infinity());
  logits[641] = -5;
  logits[7] = -6;
  for (unsigned step = 0; step < 40; ++step) {
    const unsigned token = sampled(logits, 1, 1, 1, 3, step).front();
    CHECK((token == 641 || token == 7));
  }
  CHECK(sampled(logits, 1, 0, 1, 3, 0).front() == 641);
  // The two zeros are one logit.
  CHECK(sampled({-0.0f, 0.0f, -9}, 1, 0.3f, 1, 3, 0).front() == 0);
}
