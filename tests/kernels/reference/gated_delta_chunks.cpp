#include <kernels/reference/gated_delta_chunks.hpp>

#include <doctest/doctest.h>

#include <random>

#include "../../random_seed.hpp"

using namespace tg::kernels::reference;

TEST_CASE("two tokens by hand") {
  // The second key finds half of what the first one wrote, which has faded to a half.
  const double q[] = {1, 0, 0, 1}, k[] = {1, 0, 0.5, 0.5}, decay[] = {0.25, 0.5}, rate[] = {1, 0.5};
  const delta_chunk chunk = gated_delta_chunk_of(2, 2, q, k, decay, rate, {0, 0});
  const auto at = delta_matrix::at;
  CHECK(chunk.inverse.value[at(0, 0)] == 1);
  CHECK(chunk.inverse.value[at(1, 0)] == -0.125);  // 0.5 * 0.5 * 0.5
  CHECK(chunk.inverse.value[at(1, 1)] == 0.5);
  CHECK(chunk.inverse.value[at(0, 1)] == 0);
  CHECK(chunk.score.value[at(0, 0)] == 1);
  CHECK(chunk.score.value[at(1, 0)] == 0);
  CHECK(chunk.score.value[at(1, 1)] == 0.5);
  CHECK(chunk.since_begin[1] == 0.125);
  CHECK(chunk.since_begin[63] == 0.125);
  CHECK(chunk.until_end[0] == 0.5);
  CHECK(chunk.until_end[1] == 1);
}

TEST_CASE("the matrices of a chunk give what the rule gives token by token") {
  std::mt19937 engine(random_seed());
  std::uniform_real_distribution<double> any(-1, 1), share(0, 1);
  for (const std::size_t tokens : {1u, 2u, 31u, 32u, 33u, 64u}) {
    CAPTURE(tokens);
    constexpr std::size_t key = 16, value = 3;
    const auto numbers = [&](std::size_t count, double size) {
      std::vector<double> out(count);
      for (double& x : out) x = size * any(engine);
      return out;
    };
    const auto q = numbers(tokens * key, 1), k = numbers(tokens * key, 0.4), v = numbers(tokens * value, 1);
    const auto before = numbers(key * value, 1);
    std::vector<double> decay(tokens), rate(tokens);
    for (double& x : decay) x = share(engine);
    for (double& x : rate) x = share(engine);
    decay[tokens / 2] = 0, rate[tokens / 3] = 0;
    const delta_chunk chunk = gated_delta_chunk_of(tokens, key, q.data(), k.data(), decay.data(), rate.data(), bf16_rounding);
    delta_column_state state(before, {key, value});
    const auto wanted = gated_delta_chunk_step(state, {key, value}, tokens, q.data(), k.data(), v.data(), decay.data(),
                                               rate.data(), bf16_rounding);
    for (std::size_t c = 0; c < value; ++c) {
      const auto of_state = [&](const std::vector<double>& x, std::size_t i) {
        double sum = 0;
        for (std::size_t r = 0; r < key; ++r) sum += x[i * key + r] * before[r * value + c];
        return chunk.since_begin[i] * sum;
      };
      std::vector<double> fresh(tokens);
      for (std::size_t i = 0; i < tokens; ++i)
        for (std::size_t j = 0; j <= i; ++j)
          fresh[i] += chunk.inverse.value[delta_matrix::at(i, j)] * (v[j * value + c] - of_state(k, j));
      for (std::size_t i = 0; i < tokens; ++i) {
        double read = of_state(q, i);
        for (std::size_t j = 0; j <= i; ++j) read += chunk.score.value[delta_matrix::at(i, j)] * fresh[j];
        CHECK(std::abs(read - wanted.value[i * value + c]) < 1e-12);
        CHECK((wanted.error[i * value + c] > 0 && wanted.error[i * value + c] < 0.5));
      }
      for (std::size_t r = 0; r < key; ++r) {
        double after = chunk.since_begin[63] * before[r * value + c];
        for (std::size_t i = 0; i < tokens; ++i) after += k[i * key + r] * chunk.until_end[i] * fresh[i];
        CHECK(std::abs(after - state.value[r * value + c]) < 1e-12);
        CHECK(state.error[r * value + c] <= state.length[c]);
      }
    }
  }
}
