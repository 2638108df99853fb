#include <kernels/gated_delta_rule.hpp>

#include <kernels/reference/gated_delta_rule.hpp>

#include "inputs.hpp"

using namespace tg::kernels;

namespace {

/// Operands of sequences with one head of keys for each head of values.
template <class T, int KeySize, int ValueSize> struct delta_inputs {
  unsigned sequences, heads, tokens;
  std::vector<T> q, k, v;
  std::vector<float> decay, rate, state;

  delta_inputs(inputs::generator& random, unsigned sequences, unsigned heads, unsigned tokens)
      : sequences(sequences), heads(heads), tokens(tokens) {
    const std::size_t rows = std::size_t{sequences} * tokens * heads;
    const float length = std::sqrt(3.0f / KeySize);  // of keys: 1
    const auto numbers = [&](std::size_t count, float most) {
      const auto all = random.floats(count, -most, most);
      return std::vector<T>(all.begin(), all.end());
    };
    q = numbers(rows * KeySize, length), k = numbers(rows * KeySize, length), v = numbers(rows * ValueSize, 1);
    decay = random.floats(rows, 0.5f, 1), rate = random.floats(rows, 0, 1);
    state = random.floats(std::size_t{sequences} * heads * KeySize * ValueSize);
  }

  /// Launches with the tokens from `first` on of a single sequence, or with all. `out` and `on_state` are changed.
  void launch(tg::device& gpu, tg::buffer<float>& on_state, std::vector<T>& out, unsigned first, unsigned count) const {
    const auto part = [&](const auto& x, std::size_t size) {
      const auto from = x.begin() + static_cast<std::ptrdiff_t>(first * heads * size);
      return gpu.upload(std::vector(from, from + static_cast<std::ptrdiff_t>(sequences * count * heads * size)));
    };
    const unsigned rows = sequences * count;
    const auto on_q = part(q, KeySize), on_k = part(k, KeySize), on_v = part(v, ValueSize);
    const auto on_decay = part(decay, 1), on_rate = part(rate, 1);
    auto o = gpu.upload(std::vector<T>(std::size_t{rows} * heads * ValueSize, inputs::poison<T>()));
    gpu.launch(gated_delta_rule<T, KeySize, ValueSize>, gated_delta_rule_grid<ValueSize>(heads, sequences),
               tg::matrix(on_q, rows, heads * KeySize), tg::matrix(on_k, rows, heads * KeySize),
               tg::matrix(on_v, rows, heads * ValueSize), tg::matrix(on_decay, rows, heads), tg::matrix(on_rate, rows, heads),
               tg::matrix(on_state, sequences * heads * KeySize, ValueSize), tg::matrix(o, rows, heads * ValueSize), count, 1u);
    const auto found = o.to_host();
    out.insert(out.end(), found.begin(), found.end());
  }
};

}  // namespace

TEST_CASE("tokens in one launch are those of a launch each, to the bit") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const delta_inputs<tg::f16, 128, 32> x(random, 1, 2, 9);
  auto together = gpu.upload(x.state), one_by_one = gpu.upload(x.state);
  std::vector<tg::f16> all, each;
  x.launch(gpu, together, all, 0, 9);
  for (unsigned token = 0; token < 9; ++token) x.launch(gpu, one_by_one, each, token, 1);
  CHECK((together.to_host() == one_by_one.to_host()));
  for (std::size_t i = 0; i < all.size(); ++i) CHECK(float(all[i]) == float(each[i]));
}

TEST_CASE("long keys, and bounds that find a fault") {
  tg::device gpu;
  inputs::generator random;
  INFO("seed ", random.seed);
  const delta_inputs<float, 256, 32> x(random, 1, 1, 4);
  auto on_state = gpu.upload(x.state);
  std::vector<float> found;
  x.launch(gpu, on_state, found, 0, 4);
  const auto doubles = [](const float* from, std::size_t count) { return std::vector<double>(from, from + count); };
  reference::delta_state state{doubles(x.state.data(), x.state.size()), std::vector<double>(x.state.size())};
  for (unsigned token = 0; token < 4; ++token) {
    const auto q = doubles(&x.q[token * 256], 256), k = doubles(&x.k[token * 256], 256), v = doubles(&x.v[token * 32], 32);
    const auto out =
        gated_delta_step(state, {256, 32}, q.data(), k.data(), v.data(), x.decay[token], x.rate[token], 256 / 8 + 8);
    for (std::size_t c = 0; c < 32; ++c) {
      CHECK(std::abs(found[token * 32 + c] - out.value[c]) <= out.error[c]);
      CHECK(out.error[c] < 1e-3);
    }
  }
  const auto after = on_state.to_host();
  for (std::size_t i = 0; i < after.size(); ++i) CHECK(std::abs(after[i] - state.value[i]) <= state.error[i]);
}

TEST_CASE("without tokens the state stays") {
  tg::device gpu;
  inputs::generator random;
  const delta_inputs<float, 64, 64> x(random, 2, 1, 0);
  auto on_state = gpu.upload(x.state);
  auto none = gpu.zeros<float>(64);
  const auto empty = [&](unsigned columns) { return tg::matrix(none, 0, columns); };
  gpu.launch(gated_delta_rule<float, 64, 64>, gated_delta_rule_grid<64>(1, 2), empty(64), empty(64), empty(64), empty(1),
             empty(1), tg::matrix(on_state, 128, 64), empty(64), 0u, 1u);
  CHECK((on_state.to_host() == x.state));
}

TEST_CASE("values are found again by keys that are at right angles") {
  tg::device gpu;
  constexpr unsigned n = 64;
  inputs::generator random;
  INFO("seed ", random.seed);
  delta_inputs<float, n, 32> x(random, 1, 1, 2 * n);
  // Each unit vector is written as a key, the first ones twice, then read.
  std::fill(x.k.begin(), x.k.end(), 0.0f), std::fill(x.q.begin(), x.q.end(), 0.0f);
  std::fill(x.decay.begin(), x.decay.end(), 1.0f);
  for (unsigned t = 0; t < n; ++t) {
    x.k[t * n + t % 48] = 1, x.rate[t] = 1;
    x.q[(n + t) * n + t] = 1, x.rate[n + t] = 0;
  }
  auto on_state = gpu.upload(std::vector<float>(x.state.size()));
  std::vector<float> found;
  x.launch(gpu, on_state, found, 0, 2 * n);
  for (unsigned t = 0; t < n; ++t)
    for (unsigned c = 0; c < 32; ++c) {
      const float wanted = t >= 48 ? 0.0f : x.v[(t < 16 ? t + 48 : t) * 32 + c];
      CHECK(std::abs(found[(n + t) * 32 + c] - wanted) <= 4 * 0x1p-24f);
    }
}
